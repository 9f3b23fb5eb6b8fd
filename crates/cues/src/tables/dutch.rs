//! Dutch.

use crate::cue::Cue::{
    Absolute, Allowed, And, Aside, AskFirst, Cease, Change, Contrast, Definite, Drop, Duty, Each,
    Filler, Forbidden, Formerly, Generally, Generic, Halt, Head, Idiom, Known, Lasting, Limit,
    Manner, Meaning, Modal, Narration, Negative, Now, Once, Order, Over, Paper, Place, Preface,
    Prefer, Product, Purpose, Question, Reallow, Reason, Relay, Remember, Report, Request,
    RuleName, RuleNoun, Scope, Solely, Style, Suppose, Tag, Task, Then, Topic, Touch, Trouble, We,
    Whenever, Withdraw, Wonder,
};
use crate::cue::{CueTable, Script};

pub(crate) const TABLE: CueTable = CueTable {
    script: Script::Latin,
    is_verb_last: false,
    common: "de|het|een|en|of|ik|jij|je|u|hij|zij|we|wij|me|mij|mijn|jouw|ons|onze|dat|die|dit|deze|in|op|met|zonder|voor|van|naar|bij|aan|als|maar|niet|geen|wel|ook|nog|al|zijn|is|was|heb|heeft|hebben|wordt|worden|moet|moeten|mag|kan|kun|altijd|nooit|hier|nu|wat|waarom|hoe|wanneer|er|te|om|dan|door|over|uit|maak|doe|alleen|graag",
    hasty: "aub=alsjeblieft|svp=alsjeblieft|ff=even|idd=inderdaad|iig=in ieder geval|mss=misschien|nooti=nooit|noit=nooit|altjid=altijd|ni=niet|nie=niet|pls=alsjeblieft|wrm=waarom|ofzo=of zo|vd=van de|vh=van het|bvd=alvast bedankt",
    clitics: "",
    cues: &[
        (
            Lasting,
            "vanaf nu|van nu af aan|vanaf vandaag|voortaan|in het vervolg|in de toekomst|voor de toekomst|als regel|in de regel|regel is|is de regel|stelregel|uit principe|in principe altijd|voor dit project|voor het hele project|in het hele project|voor deze sessie|onder geen enkele omstandigheid|onder geen beding|in geen geval|op geen enkel moment|wat er ook gebeurt|wat ik ook zeg|ongeacht wat|zonder uitzondering|zonder uitzonderingen|tot nader order|totdat ik|tot ik zeg|tenzij ik|zolang ik|eens en voor altijd|voor eens en altijd|in al je antwoorden|in je antwoorden|in elk antwoord|bij elk antwoord|onze conventie|volgens afspraak|nooit meer|ook later|ook in de toekomst|geen cent meer|te allen tijde|permanent|als algemene regel|algemene regel|geldt altijd|geldt ook|leidend|is leidend|de bron van waarheid|bron van waarheid|maak er een gewoonte van|wen je aan|in deze chat|tenzij ik erom|zolang ik niet|van nu af|volgende keer|alleen als ik erom|moet .. blijven|moeten .. blijven|de rest van de|tot het einde|wat je ook doet|alleen als ik het vraag|alleen als ik dat vraag|alleen op verzoek|voor altijd|geldt voor|in het hele|in de hele|de regel is|zo doen we dat|doen we hier zo|vanaf hier|alleen nog|zorg dat je altijd|zorg ervoor dat je altijd|zorg altijd|zorg dat je nooit|let er altijd op|let erop dat je altijd",
        ),
        (
            Generally,
            "in het algemeen|over het algemeen|doorgaans|standaard|overal|nergens|elke|elk|ieder|iedere|alle|al het|zo veel mogelijk|zoveel mogelijk|indien mogelijk|waar mogelijk|als het kan|per sessie|per run|per dag|per week|per maand|per commit|per bestand|per taak|consequent|meer|tenzij het echt|tenzij het nodig|tenzij nodig|tenzij|als het niet nodig is|waar het kan|alles onder|alles in",
        ),
        (
            Absolute,
            "altijd|nooit|nimmer|steeds|telkens|niemand|helemaal niet|geen enkele|geen enkel|uitsluitend|enkel en alleen|altijd en overal",
        ),
        (
            Remember,
            "onthoud dat|onthoud|onthou|let op :|let op dat|let erop dat|denk eraan|denk er aan|denk eraan dat|vergeet niet|niet vergeten|noteer dat|schrijf op|opgelet|nb|n b|ter info|ter informatie|voor later|voor de goede orde|voor je informatie|weet dat|je moet weten|goed om te weten|belangrijk :|fyi|houd in gedachten|hou in gedachten|hou er rekening mee|houd er rekening mee|ter herinnering|regel :|notitie :|even ter info|houd in je achterhoofd|hou in je achterhoofd|onthoud dit|hou dat in gedachten|noteer :|noteer$|noteer even",
        ),
        (
            AskFirst,
            "vraag me|vraag mij|vraag het me|vraag het mij|vraag eerst|eerst vragen|mij vragen|me vragen|mij eerst|eerst mij|vraag vooraf|vooraf vragen|overleg met mij|overleg met me|overleg eerst|overleggen met mij|eerst overleggen|met mij overleggen|met mij afstemmen|stem af met mij|stem .. met mij af|check met mij|check het met mij|check eerst bij mij|check bij mij|bespreek .. met mij|mij bellen|bel mij|laat het me eerst weten|laat me weten voordat|meld het me|meld het mij|waarschuw me|waarschuw mij|zeg het me eerst|mijn ok|mijn oke|mijn akkoord|mijn goedkeuring|mijn toestemming|mijn bevestiging|mijn fiat|zonder mijn|wacht op mijn|wacht tot ik|totdat ik akkoord|tot ik akkoord|laat me .. eerst zien|laat het me eerst zien|toon me eerst|langs mij|via mij|toestemming vragen|vraag toestemming|stop en vraag|eerst met mij|eerst met me|eerst aan mij|aan mij vragen|eerst bij mij|voor je .. vraag|voordat je .. vraag|voor .. , vraag|bel me eerst|bel me voor|bij twijfel .. vraag|bij twijfel vraag|twijfel .. vraag|vraag het|meld het eerst|vereist mijn|vereisen mijn|heeft mijn .. nodig|zeg het me meteen|zeg het me|zonder dat ik|voordat ik .. gezien|tot ik .. gezien|wil ik zien voordat|wil ik zien voor|wil ik eerst zien|laat me .. zien voordat|meld het dan vooraf|vooraf melden|meld het vooraf|vraag het als|vraag het me als|vraag als|stop dan en vraag|zonder overleg|zonder mijn toestemming|zonder toestemming|zonder mijn ok|zonder te vragen|zonder mij te vragen|zonder akkoord|in overleg|na overleg|zeg het|niet gokken|niet raden|niks verzinnen|niet verzinnen|verzin niks|als ik het zeg|als ik het vraag|als ik erom vraag|groen licht|laat mij kiezen|laat mij beslissen|ik beslis|ik kies|heeft mijn ok nodig|heeft een ja nodig|voordat ik ok|voordat ik ja|totdat ik ok|totdat ik ja|tot ik ok zeg|pas na mijn|zonder dat ik het|pas als ik ok|niet zeker weet vraag|niet zeker weet , vraag|bij twijfel|in geval van twijfel|als het onduidelijk is",
        ),
        (
            Allowed,
            "je mag .. zonder|mag je .. zonder|je kan .. zonder|je kunt .. zonder|zonder vragen|zonder te vragen|zonder het te vragen|zonder overleg|zonder toestemming|hoeft niet te vragen|hoef je niet te vragen|hoeft het niet te vragen|hoef je mij niet|hoeft mij niet|niet nodig om te vragen|vraag niet|niet vragen|wanneer je wilt|wanneer je maar wilt|zo vaak je wilt|je mag altijd|mag je altijd|je mag gewoon|mag je gewoon|hebt toestemming|heb je toestemming|vrij om|ga je gang|is toegestaan|vrije hand|voel je vrij|hoef je het niet te vragen|hoef je me niet|je mag alle|je mag|je mag .. maar niet|je mag .. maar nooit|je kunt .. maar niet|mijn ok niet nodig|heb je mijn .. niet nodig|hoef je mijn|je mag zonder|mag je zonder|je hebt toestemming|zoals je wilt|naar eigen inzicht|op eigen houtje",
        ),
        (
            Forbidden,
            "verboden|niet toegestaan|niet geoorloofd|taboe|uit den boze|blijf uit de buurt|handen af|afblijven|niks te zoeken|niets te zoeken|ik wil geen|ik wil nooit|ik wil niet dat|ik wil niet meer|onthoud je van|laat .. met rust|no go|geen sprake van|waag het niet|denk er niet aan|ik heb liever dat je .. niet|ik heb liever niet|liever niet dat|ik wil niet dat je|ik zou liever .. niet|ik zou liever niet|ik zou het fijn vinden als je .. niet|hou op met|houd op met|stop met|genoeg met|genoeg van|klaar met|blijf af van|verboden terrein|doe dat niet meer|doe dat nooit meer|doe dit niet meer|is niet voor jou|blijf weg van|ik wil .. niet dat|ik wil .. echt niet|verander je niets|verander je niks|blijf je af|wordt niet aangeraakt|wordt niet gewijzigd|raak je niet aan|stel geen|hou eens op|geen .. op eigen houtje|niet .. op eigen houtje|nooit .. op eigen houtje|geen .. uit jezelf|blijf uit|blijf weg uit|niet tegen|kan er niet tegen|kan niet uitstaan|hou eens op met|kappen met|kap met|bespaar me|bespaar me de|handjes thuis|poten af|wil ik niet zien|ik wil niet|basta|jij niet|alleen ik|zonder .. geen|geen .. zonder|is heilig|zijn heilig|is vertrouwelijk|niet van jou|niet jouw|ik zei geen|ik zei toch geen|ik heb gezegd geen|ik had gezegd geen|ik heb je gezegd niet",
        ),
        (
            Order,
            "^gebruik|^schrijf|^antwoord|^hou|^houd|^blijf|^respecteer|^volg|^zorg|^zorg dat|^zorg ervoor|^let op|^zet|^geef|^toon|^laat|^beperk|^wees|^praat|^spreek|^noem|^zeg|^commentarieer|^documenteer|^test|^draai|^controleer|^voeg|^vermeld|^citeer|^leg|^onderteken|^formatteer|^indenteer|^besteed|^vermijd|^vraag|^benoem|^sla|^eindig|^begin|^beschouw|^alleen|^doe|^maak|^werk|^update|^commit|^push|^deploy|^kom|^ga|^stop|^tutoyeer|^pak|^neem|^kies|^bewaar|^plaats|gebruiken$|schrijven$|houden$|vragen$|maken$|doen$|laten$|bijwerken$|draaien$|testen$|vermelden$|antwoorden$|aanraken$|inspringen$|committen$|pushen$|^meld|^bel|^groepeer|^scheid|^sorteer|^rond|draai|meld het|^stuur|^waarschuw|formatteren$|noem|laat|maak|overslaan$|breek|kies|^breek|^wacht|^verkies|^nummer|^versleutel|^maskeer|^log|^mock|^simuleer|^probeer|^bespaar|^onthoud|^schrap|^noteer|lezen$|wijzigen$|aanpassen$|gokken$|raden$|melden$|zeggen$|mocken$|loggen$|^leg uit|^markeer|^laat zien|controleren$|opslaan$|installeren$|importeren$|kopieren$|vertalen$|samenvatten$|herhalen$|afkorten$|overschrijven$|invoegen$|herordenen$|hernoemen$|verwijderen$|kijken$",
        ),
        (
            Negative,
            "niet|geen|nooit|zonder|niets|niks|noch|nergens|in plaats van|kom niet aan|kom nooit aan|vermijd|vermijden|stop met|hou op met|houd op met|blijf van|blijf af van|blijf .. af|^vermijd",
        ),
        (
            Modal,
            "moet|moeten|moest|dient|dienen|hoort|horen|behoort|zou moeten|zouden moeten|mag|mogen|hoeft|verplicht|noodzakelijk|vereist|ik wil|ik wil graag|ik zou graag|ik verwacht|ik haat|ik hou van|ik hou niet|gaat in|gaan in|komt in|komen in|wordt geschreven|worden geschreven|je gebruikt|je schrijft|gebruik je|schrijf je|zet je|doe je|maak je|geef je|graag|kan niet|kunnen niet",
        ),
        (
            Limit,
            "max|maximaal|hooguit|hoogstens|ten hoogste|niet meer dan|meer dan|minder dan|tot maximaal|limiet|budget|plafond|minimaal|minstens|ten minste|niet langer dan|langer dan|korter dan|groter dan|kleiner dan|groter zijn dan|langer zijn dan|boven de|onder de|niet boven|overschrijden|langer dan een|alleen via|alleen voor|alleen met|alleen door|alleen over|alleen per|enkel via|enkel voor|kolommen|tekens|nergens anders|en nergens anders|jij past alleen|jij bewerkt alleen|jij schrijft alleen|per antwoord|per bericht|is genoeg|zijn genoeg|volstaat|volstaan|niks boven|regels max|zinnen max|in batches van",
        ),
        (
            Prefer,
            "ik heb liever|heb ik liever|ik prefereer|liever geen|liever niet|bij voorkeur|mijn voorkeur|voorkeur voor|ik zie liever|zie ik liever|wij hebben liever|ik werk liever|het liefst|liefst|ik geef de voorkeur|liever .. dan|ik zou het fijn vinden|zou fijn zijn|ik zou graag|het zou fijn zijn|graag zou ik|ik stel het op prijs|zou ik op prijs stellen|het is belangrijk dat|belangrijk dat je|ik vind het belangrijk|ik sta erop|maak er een gewoonte van|wen je aan|ik haat|ik verwacht|ik hecht eraan|^verkies|blijf bij|hou je aan|houd je aan|maakt me niet uit|kan me niet schelen|interesseert me niet|alleen .. tellen|alleen .. telt|het gaat alleen om|ik zou het waarderen|zou het waarderen|ik zou blij zijn|liever|haat ik|irriteert me|irriteren me|stoort me|ik wil graag|beter .. dan|en geen bijvoeglijke|schrijf zo|doe het zo|blijf op|wat me stoort|wat mij stoort|wat me irriteert",
        ),
        (
            Scope,
            "in dit project|in deze repo|in deze repository|in deze codebase|in onze code|in ons project|onze code|ons project|in de code|in de repo|in mijn code|in mijn project|bij ons|hier bij ons|op deze machine|op deze server|op deze computer|op main|naar main|op master|in productie|naar productie|op productie|in prod|release branch|in het team|in ons team|in deze sessie|^hier|wij .. hier|we .. hier|hier .. we|in sql|in python|in go|in rust|in typescript|in javascript|in css|in html|in yaml|in json|in bash|in java|in kotlin|in swift|in markdown|in latex|in terraform|in docker",
        ),
        (
            We,
            "wij gebruiken|we gebruiken|wij springen|we springen|we schrijven|wij schrijven|we doen|we committen|we tutoyeren|iedereen|niemand|alle commits|alle functies|alle bestanden|elke commit|elke functie|elk bestand|elke bugfix|elke fix|elke pr|elke test|elke wijziging|conventie|functies|commits|datums|commit messages|commitberichten|een pr|een commit|variabelen|comments|tests|nieuwe code|beleid|men|^tabs|^spaties|^branchnamen|^bestandsnamen|^namen|^foutmeldingen|^logs|^tests|^datums|^prijzen|^imports|^commits|^prs|slaan we|we slaan|we mergen|we werken|wij werken|niemand past|^berichten|^comments|wordt nooit|worden nooit|wordt altijd|worden altijd|gaat nooit|gaan nooit|gaat altijd|gaan altijd|komt nooit in|wij .. hier|we .. hier|hier .. we|bij ons .. we|wij squashen|^onze|^ons|^geld|^sql|^css|^logregels|^logmeldingen|^teksten|^nieuwe bestanden|^nieuwe tests|^nieuwe|^datum|^bedragen|^functies|^methodes|^klassen|^modules|^migraties|^secrets|^wachtwoorden|^sleutels|^branches|^fouten|^queries|^kolommen|^tabellen|^elke|^elk|^iedere|^alle|^alles",
        ),
        (
            Contrast,
            ", niet|en niet|, nooit|in plaats van|, geen|en geen|maar niet|ipv|i.p.v|geen spaties|geen tabs|niet in",
        ),
        (
            Manner,
            "je antwoorden|jouw antwoorden|je antwoord|je berichten|je uitleg|antwoord in|antwoord altijd|antwoord me in|korte antwoorden|korte zinnen|in het nederlands|in het engels|in het duits|in het frans|in het spaans|emojis|emoji|excuses|excuseer|verontschuldig|verontschuldigingen|sorry zeggen|vleierij|complimenten|je en jij|tutoyeer|tutoyeren|met u|met je|wees direct|wees eerlijk|wees kort|wees beknopt|wees beleefd|bullets|opsommingen|koppen|vetgedrukt|tabellen|diffs|hele bestanden|hele bestand|alleen de diff|alleen diffs|samenvatting aan het eind|samenvattingen|samenvatten|toon|jargon|gewone taal|simpele taal|eenvoudige taal|noem me|noem mij|bij mijn voornaam|commit messages|commitberichten|stap voor stap|een vraag tegelijk|gezwets|geen gezeur|zeg maar jij|zeg maar je|zeg jij|zeg je|uitleg|je tegen me|jij tegen me|tegen me|tegen mij|lange antwoorden|de lange antwoorden|korter antwoorden|nederlands met me|engels met me|praat .. met me|spreek .. met me|jij en jou|u tegen|lappen tekst|stacktraces|praat nederlands|spreek nederlands|behandel me|korte versie|de basis|metrisch|details alleen|to the point|ter zake|kom ter zake|kort en bondig|inleiding|inleidingen|beleefdheden|proza|hardop denken|denk hardop|minder tekst|meer details|je plannen|je code|je vragen|je voorstellen|afkortingen|eerst het resultaat|alleen de code|in het nederlands antwoorden|je wijzigingen|minder .. meer|op een regel|in een regel|ja of nee",
        ),
        (
            Topic,
            "kort|hou het kort|houd het kort|beknopt|in een zin|snel even|kort graag",
        ),
        (
            Meaning,
            "als ik .. zeg|als ik .. schrijf|als ik het over|wanneer ik .. zeg|bedoel ik altijd|bedoel ik|ik bedoel altijd|betekent altijd|staat voor|verwijst naar|is altijd de|is bij ons|slaat op",
        ),
        (
            Each,
            "elke keer dat|elke keer als|iedere keer dat|iedere keer als|telkens als|telkens wanneer|steeds als|na elke|na iedere|bij elke|bij iedere|bij elk|alles wat je|alle code die je|ik wil alle|wil ik alle|alle datums|alle namen|alle berichten|bij twijfel|in geval van twijfel|als je twijfelt|we ondersteunen alleen|wij ondersteunen alleen|we gebruiken alleen|wij gebruiken alleen|we accepteren alleen|voor elke|voor iedere|voor alle nieuwe|voor elk nieuw*|voor elke nieuwe|alle nieuwe|elke nieuwe|die je toevoegt|die je maakt|die je schrijft|die je gebruikt|die je aanraakt|die je wijzigt|dat je maakt|dat je wijzigt|dat je schrijft|dat je toevoegt|alles wat|als je over|als je schrijft|alleen regels die|alleen bestanden die|alleen de regels die|alleen de bestanden die|een commit per|een pr per|per ticket|precies een|geldt nog|geldt nog steeds|geldt ook|^een .. per|voor elk|na elk|voor ieder",
        ),
        (
            Whenever,
            "zodra|als je|als een|als er|als iets|als het|wanneer je|wanneer een|mocht|indien|raakt|voordat je|voordat|voor je|alvorens|nadat je|in geval van|pas na|pas als|alleen als|alleen na|als je aan|als je de|als je het|als je iets|als je twijfelt|als de|als tests|als een test|bij twijfel|bij het|bij wijzigingen|bij elke|voor elke|na elke|wanneer de|voor je een|voor je iets|voor het committen|voor het pushen|als het kan|als het daarmee kan|waar het kan|waar mogelijk|als je niet|als er meer|als er meerdere|wanneer een test|tenzij|zolang|nadat|elke keer dat je|elke keer als je|buiten",
        ),
        (
            Task,
            "^fix|^repareer|^voeg|^schrijf|^maak|^creeer|^bouw|^hernoem|^verwijder|^haal|^refactor|^leg|^leg uit|^toon|^laat|^vertaal|^verplaats|^zet|^draai|^run|^zoek|^vind|^kijk|^lees|^open|^controleer|^check|^verander|^wijzig|^vervang|^installeer|^genereer|^converteer|^implementeer|^optimaliseer|^ruim|^test|^vat|^kun je|^kan je|^zou je|^gebruik|^geef|^vertel|^herstel|^ga|^help|^vergelijk|^analyseer|^beschrijf|^merge|^rebase|^migreer|^vereenvoudig|^herschrijf|^deploy|^commit|^push|^pas|^werk|^doe|^bump|^nu|^splits|^sorteer|^bereid|^start|^plak|^los|^ik heb nodig",
        ),
        (
            Purpose,
            "zodat|opdat|die controleert|dat controleert|die ervoor zorgt|om te zorgen|om te voorkomen|een regel|de regel|waarbij|die checkt|die nagaat|dat checkt|of de|om te checken|waarom",
        ),
        (
            Question,
            "^moet ik|^moet je|^moeten we|^mag ik|^mogen we|^kan ik|^kunnen we|^zal ik|^zullen we|^heb je|^heeft|^hebben we|^is het|^is dat|^is de|^is er|^zijn de|^was|^waarom|^wat|^hoe|^wie|^waar|^welke|^welk|^ben je|^weet je|^herinner je|^kun je|^kan je|^zou je|^werkt|^gaat|^klopt|of niet$|of is opslaan genoeg$|he$|toch$|niet waar$|klopt dat$|verschil tussen",
        ),
        (
            Request,
            "^kun je|^kan je|^zou je|^kunt u|^zou u|^wil je|^wilt u",
        ),
        (
            Narration,
            "ik .. altijd|ik .. nooit|ik vergeet|ik krijg|ik had|ik was|ik dacht|ik wilde|had ik nooit|had nooit|nooit gevonden|nooit gezien|nooit gehoord|nooit gewerkt|nooit gelukt|het .. nooit|heeft nooit|heeft altijd|werkt nooit|komt nooit|eindigt nooit|faalt altijd|altijd dezelfde|altijd hetzelfde|steeds dezelfde|steeds hetzelfde|dezelfde fout|zoals altijd|nog altijd|nog nooit|nog steeds|zal wel|gisteren|vorige week|vorig jaar|weet niet|weet ik niet|snap ik niet|begrijp ik niet|geen idee|geen probleem|geen haast|geen zorgen|geen stress|werkt niet|niet die|niet dat|niet de|niet nu|nu niet|nog niet|bijna nooit|ik niet|helaas|moet wel een|moet haast|het moet|dat moet|moet wel het|ik heb nooit|ik heb altijd|gebeurt altijd|altijd zo|altijd weer|voor de refactor|voor de migratie|voor de wijziging|hadden we .. altijd|we hadden .. altijd|hadden we|we hebben .. nooit|hebben we .. nooit|zijn geen|er zijn geen|er werden geen|werd geen|zou nooit mogen|haha|lol|tot nu toe|tot gisteren|destijds|ik denk dat|misschien|er is een|er zijn|nooit react|nooit willen|ik wil dit niet kwijt|niet kwijt|nooit moeten|hadden we nooit|had nooit mogen|niemand heeft|niemand weet|niemand zei|ik zie geen|ik zie|zie niets|zegt steeds|zegt altijd|blijft zeggen|slagen nu|zijn groen|is groen|gebeurt er niets|ik dacht altijd|we hebben hier|hier is|hier zijn|nooit gezegd|altijd fijn|altijd leuk|altijd goed als|het gebeurt alleen|gebeurt alleen|had gelijk|zijn weg|is weg|ging stuk|in het vorige project|in het oude project|toen .. we|verkeerde|verkeerd|gebruikten we|schreven we|deden we|was prima|was goed|ik vergeet altijd|geen .. nodig|niet meer nodig|niet nodig|jaren geleden|maanden geleden|nog maar|je bent .. vergeten|ik wil hier niet|ik wil er niet|ik wil daar niet|om een of andere reden|mijn fout|mijn schuld|elke keer als ik|elke keer dat ik|steeds als ik|ik begin altijd|er is geen|zou nooit|laat de tests even|elke keer dat ik klik|elke keer als ik klik|als ik klik|als ik op .. klik|zodra ik op|zodra ik klik|telkens als ik|maar dat is niet zo|maar dat doet het niet|maar dat is het niet|maar het werkt niet",
        ),
        (
            Trouble,
            "fout|fouten|faalt|falen|gefaald|crasht|kapot|stuk|exception|timeout|traag|hangt|rood|werkt niet|doet het niet|probleem|raar|vreemd|sinds|mislukt",
        ),
        (
            Report,
            "de docs|in de docs|docs staat|de documentatie|volgens|de linter|linter zegt|de compiler|het ticket|de baas|mijn baas|zegt dat|zeggen dat|zei|schreef|heeft gezegd|heeft geschreven|de readme|git zegt|de melding|het log|stackoverflow|blijkbaar|de test zegt|staat dat|een collega|mijn collega|naar verluidt|ik zei hem|ik heb hem gezegd|ik zei haar|ik zei tegen|de advocaat|juridische zaken|de klant schrijft|support zegt|uit de spec|uit de specificatie|uit het design doc|design doc|uit het ontwerp|uit de wiki|uit het ticket|uit de eisen|zegt tegen mensen",
        ),
        (
            Suppose,
            "wat als|wat gebeurt er als|stel dat|stel je voor|gesteld|veronderstel|laten we zeggen|in theorie|hypothetisch|als we nooit|als we altijd|zou er gebeuren|zou gebeuren|stel :",
        ),
        (
            Idiom,
            "^laat maar|^geeft niet|^maak je geen|^geen probleem|^geen zorgen|^geen idee|^maakt niet uit|^geen dank|^nee ,|^nog niet|^niet nu|^nu niet|^niks aan de hand|^rustig|^niet slecht|^geen haast|^graag gedaan|^nooit gedacht|^vergeet het$|^vergeet het maar|^ik weet niet|^ik herinner me|^weet ik niet|^ik denk het niet|^weet je nog|^ik denk niet|^sorry|^mijn fout|^het spijt|^maak je geen zorgen|^geen stress|^niet erg|^geef niet op|^niet opgeven|^nooit gezien|^weet niet|vergeet die .. niet|vergeet de .. niet|vergeet het .. niet|vergeet dat .. niet|verschil tussen|vergeet .. even|vergeet .. voorlopig",
        ),
        (
            Now,
            "nu|nog niet|voorlopig|voor nu|deze keer|dit keer|vandaag|eerst even|even|momenteel|alleen hier|in dit bestand|in deze functie|voor deze pr|voor deze commit|nog|op dit moment|eenmalig|nog nodig|is maar een demo|alleen een demo|ff geen|even geen|even met rust|een moment|heel even|voor deze keer|alleen deze keer|voor dit antwoord",
        ),
        (Then, "^dan|^in dat geval|^zo ja"),
        (
            Aside,
            "trouwens|en trouwens|overigens|en overigens|by the way|btw|o ja|oh ja|en o ja|ook nog|en ook|daarnaast|en daarnaast|bovendien|nog iets|en nog iets|nu je toch bezig bent|als je toch bezig bent|en in het algemeen|en voortaan|en vanaf nu|en onthoud|en vergeet niet|en nooit|en altijd|maar nooit|maar altijd|ps|en graag|en verder",
        ),
        (And, "en|maar|alsook"),
        (
            Filler,
            "alsjeblieft|aub|a u b|svp|graag|ok|oke|nou|dus|en|maar|ah|oh|he|hey|hoi|hallo|ja|nee|bedankt|dank|dank je|even|ook|gewoon|dan|goed|zeg|nog eens|zoals gezegd|hm|pas|nogmaals|en nog iets|nog iets|nog een ding|nog een laatste ding|ik herhaal|trouwens|overigens|bovendien|zoals altijd|en trouwens|ter herinnering",
        ),
        (
            Tag,
            "ok|oke|ja|he|toch|begrepen|duidelijk|afgesproken|akkoord|goed|alsjeblieft|graag|of niet",
        ),
        (
            Once,
            "als je klaar bent|zodra je klaar bent|wanneer je klaar bent|als het klaar is|op regel|in regel|regel 1|regel 2|regel 3|regel 4|de laatste|de eerste|de tweede|de andere|het andere|de oude|de nieuwe|deze aanpak|die aanpak|dit idee|dit bestand|uit het bestand|in het bestand|morgen|niet zo|het zo|zo laten|deze bug|deze test|deze fout|de typfout|optie a|optie b|puntkomma|uit de readme|probeer opnieuw|^gebruik .. hier|gebruik hier|^zet .. hier|het hele bestand|de tweede fout|neem de .. niet op|voeg de .. niet|de kopregel|als dit werkt|als het werkt|als dat werkt|als dat lukt|deze functie|deze class|verkeerde branch|het antwoord naar|die branch|gebruik voor deze|zeg het als|zeg het wanneer|laat weten als|meld als|de stappen|voeg die check|verwijder hem|^wacht met|^wacht even|^wacht nog|gebruik hier niet|gebruik de .. hier niet|gebruik het .. hier niet|deze keer|dit keer|voor deze keer|eenmalig|alleen deze keer|voor dit antwoord",
        ),
        (
            Style,
            "kebab case|snake case|camelcase|kleine letters|hoofdletters|in de gebiedende wijs|gebiedende wijs|in utc|als utc|worden opgeslagen|slaan we|opgeslagen als|naast de|naast het|enkele aanhalingstekens|spaties|tabs|alfabetisch|in het engels|in het nederlands|heten|staan in|horen in|horen bij|klein|kort|atomair|iso formaat|in iso|een component per|een klasse per|vrij van|met streepjes|eerst tests|gaat in|gaan in|komt in|komen in|hoort in|in centen|tegenwoordige tijd|vaste versie|vast op een versie|u vorm",
        ),
        (
            Change,
            "^verwijder|^wis|^hernoem|^verplaats|^vervang|^vertaal|^converteer|^corrigeer|^fix|^herschrijf|^kopieer|^voeg samen|^draai .. terug|^haal",
        ),
        (
            Reallow,
            "je mag .. weer|mag je weer|je kunt .. weer|je kan .. weer|weer toegestaan|mag weer|mogen weer|weer oke|weer ok|zijn weer prima|is weer prima|je mag nu|nu mag je|vanaf nu mag je|mag vanaf nu|mag nu wel|mag nu weer|mogen nu weer|is nu goed|is nu toegestaan|zijn nu toegestaan|toch ok|toch oke|toch goed|mag nu|mogen nu|nu wel|mag toch|mogen toch",
        ),
        (
            RuleName,
            "regel|regels|dat van|gedoe|limiet|verbod|afspraak|zei|gezegd|meer|weer|eerder|gebruiken|over",
        ),
        (
            Duty,
            "moeten|mogen niet|mag niets|mogen alleen|horen in|horen bij|gaan in|komen in",
        ),
        (
            Definite,
            "^de|^het|^dit|^dat|^deze|^die|^hij|^zij|^ze|^we|^wij|^ik|^je|^jij|^er|^mijn|^alle|^dan|^nu",
        ),
        (
            Preface,
            "^nog een keer :|^nogmaals|^en nog iets|^nog iets|^nog een ding|^ik herhaal|^herinnering|^regel|^opnieuw :|^laatste ding",
        ),
        (Cease, "stoppen met|ophouden met|op te houden met|niet meer"),
        (
            Head,
            "voor de toekomst|in de toekomst|voor later|twee dingen|2 dingen|drie dingen|3 dingen|een paar dingen|paar dingen|twee regels|2 regels|drie regels|een paar regels|de regels|mijn regels|onze regels|huisregels|spelregels|regels|vanaf nu|voortaan|conventies|afspraken|richtlijnen|voorkeuren|hoe wij werken|zo werken we",
        ),
        (
            Paper,
            "mail|e mail|email|readme|wiki|doc|docs|documentatie|beleid|ticket|changelog|aankondiging|prompt|^commit message :|^commit bericht :|^commitbericht :|^bericht :|^titel :|^onderwerp :|^eis :|brief|artikel|post|bericht|slack|slide|poster|sjabloon|beschrijving|gids|handleiding|sectie|zin|vertaal|tekst|notitie",
        ),
        (
            Product,
            "^gebruikers|^klanten|gebruikers moeten|gebruikers mogen|klanten moeten|de gebruiker moet|de gebruiker mag|de klant moet|de klant mag|de bot moet|de bot mag|de knop moet|de knop mag|de pagina moet|het formulier|het veld moet|de functie moet|de methode moet|het endpoint moet|de response moet|de app moet|de api moet|de server moet|de job moet|de waarde moet|het wachtwoord moet|de lijst moet|het menu|het venster|het totaal moet|het resultaat moet|de output moet|de query moet|de cache moet|het component|admins|bezoekers|zou nooit|zou altijd|dit moet altijd|dit mag nooit|voeg de controle toe|voeg een controle toe|bouw de controle in|bouw een check in|voeg de check toe|voeg een filter toe|bouw dat filter|voeg validatie toe|de winkelwagen|winkelmandje|de app mag|de pagina mag",
        ),
        (
            Formerly,
            "bij het vorige bedrijf|vorige bedrijf|vorige werk|vorige baan|vorige project|oude bedrijf|oude team|oude project|oude systeem|oude baan|bij mijn vorige|in mijn vorige|bij mijn oude|vroeger|destijds|moest|moesten|mocht|mochten|was verboden|waren verboden|hadden een regel|er was een regel|op de uni",
        ),
        (
            Generic,
            "een|elke|elk|ieder|iedere|alle|alles|iets|een of ander|wat|meerdere|welke .. dan ook",
        ),
        (
            Reason,
            "want|omdat|dus|anders|aangezien|zodat|ik lees|ik kan|de diff|het is|ze zijn|die is|we hebben|ik heb|ik zit",
        ),
        (
            Wonder,
            "raar|vreemd|gek|apart|maar dat is niet zo|maar dat doet het niet|maar dat is het niet|maar hij doet het niet|maar dat gebeurt niet|dat is de bug|dat is het probleem",
        ),
        (
            Relay,
            "^zeg tegen|^vertel de|^vertel hem|^vertel haar|^laat de|^herinner de|^vraag de|^vraag het aan|de klant wil|de baas wil|zij wil|hij wil|ze willen",
        ),
        (Known, "de|het|deze|dit|die|dat"),
        (
            Drop,
            "vergeet|laat .. vallen|negeer|schrap|annuleer|verwijder|hef|trek|gooi|streep|laat|ik trek|cancel",
        ),
        (
            RuleNoun,
            "regel|regels|limiet|verbod|beperking|eis|voorwaarde|instructie|afspraak|beleid|gedoe|plafond|budget|verplichting|dat van|limieten",
        ),
        (
            Over,
            "geldt niet meer|gelden niet meer|is vervallen|vervalt|is van de baan|is opgeheven|is weg|is geschrapt|is klaar|hoeft niet meer|is achterhaald|bestaat niet meer|is verleden tijd|is niet meer nodig|mag weg|kan weg|mag eruit|mag vervallen|is niet meer",
        ),
        (Halt, "stop met|hou op met|niet meer|geen .. meer"),
        (
            Withdraw,
            "vergeet wat ik .. zei|vergeet wat ik .. heb gezegd|vergeet wat ik .. gezegd heb|vergeet wat ik|vergeet de regel|vergeet mijn regel|vergeet dat van|vergeet alles wat ik|negeer wat ik|negeer de regel|schrap de regel|schrap wat ik|laat de regel .. vallen|laat die regel|verwijder de regel|haal de regel|annuleer de regel|trek de regel|ik neem .. terug|ik trek .. in|de regel .. geldt niet meer|de regel .. vervalt|de regel .. is vervallen|de regel .. is van de baan|de regel .. hoeft niet meer|de regel .. telt niet meer|regel .. niet langer|wat ik zei over .. geldt niet meer|wat ik over .. zei .. niet meer|je mag de regel .. vergeten|je kunt de regel .. vergeten|die regel .. mag weg|de regel .. mag weg|geldt niet meer|gelden niet meer|geldt niet langer|niet meer nodig|je hoeft niet meer|hoef je niet meer|hoeft niet meer|dat van .. vervalt|laat dat van|vergeet dat gedoe|schrap dat|schrap die|schrap de .. regel|laat de .. regel|de .. regel vervalt|de .. regel geldt niet meer|ik ben van gedachten veranderd over|van de baan|is vervallen|niet meer verplicht|niet langer nodig|vergeet de limiet|vergeet het verbod|vergeet de beperking|schrap de limiet|laat de limiet|kun je laten|kun je vergeten|mag je vergeten|je hoeft .. niet meer|hoef je .. niet meer|je hoeft niet langer|ik ben van gedachten veranderd|van gedachten|je kunt stoppen met|je mag stoppen met|ik had het mis over|ik zat fout over|ik had ongelijk over|vergeet het over|vergeet dat over|laat dat van .. maar|mag weg|kan weg|vergeet .. maar",
        ),
        (
            Touch,
            "blijf .. af|blijf af|kom niet aan|kom .. niet aan|niet aankomen|niet aan .. komen|raak .. niet aan|niet aanraken|niet aanpassen|pas .. niet aan|wijzig .. niet|niet wijzigen|verander .. niet|niet veranderen|verwijder .. niet|niet verwijderen|gooi .. niet weg|bewerk .. niet|niet bewerken|overschrijf .. niet|niet overschrijven|verplaats .. niet|niet verplaatsen|hernoem .. niet|laat .. met rust|handen af|niet aanzitten|zit niet aan|niet aan zitten|onaangeroerd|blijft zoals|blijven zoals|blijft met rust|herformatteer geen|formatteer geen|verander geen|verwijder geen|wijzig geen|verplaats geen|hernoem geen|niet herformatteren",
        ),
        (
            Place,
            "map|mappen|folder|folders|directory|bestand|bestanden|tabel|tabellen|module|modules|branch|branches|pakket|schema|database|db|interface|config|configuratie|pipeline|migraties|fixtures|snapshots|server|servers|cluster|secrets|env|vendor|infra|repo|bibliotheek|legacy|prod|productie|staging|vertalingen|gegenereerde|die niet van jou",
        ),
        (Solely, "alleen|enkel|slechts|gewoon"),
    ],
};
