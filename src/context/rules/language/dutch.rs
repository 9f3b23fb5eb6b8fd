//! Dutch.

use super::cue::Cue::{
    Absolute, Allowed, And, Aside, AskFirst, Contrast, Each, Filler, Forbidden, Generally, Idiom,
    Lasting, Limit, Manner, Meaning, Modal, Narration, Negative, Now, Order, Prefer, Purpose,
    Question, Remember, Report, Request, Scope, Suppose, Tag, Task, Then, Topic, Trouble, We,
    Whenever, Withdraw,
};
use super::cue::{CueTable, Script};

pub(super) const TABLE: CueTable = CueTable {
    script: Script::Latin,
    common: "de|het|een|en|of|ik|jij|je|u|hij|zij|we|wij|me|mij|mijn|jouw|ons|onze|dat|die|dit|deze|in|op|met|zonder|voor|van|naar|bij|aan|als|maar|niet|geen|wel|ook|nog|al|zijn|is|was|heb|heeft|hebben|wordt|worden|moet|moeten|mag|kan|kun|altijd|nooit|hier|nu|wat|waarom|hoe|wanneer|er|te|om|dan|door|over|uit|maak|doe|alleen|graag",
    cues: &[
        (
            Lasting,
            "vanaf nu|van nu af aan|vanaf vandaag|voortaan|in het vervolg|in de toekomst|voor de toekomst|als regel|in de regel|regel is|is de regel|stelregel|uit principe|in principe altijd|voor dit project|voor het hele project|in het hele project|voor deze sessie|onder geen enkele omstandigheid|onder geen beding|in geen geval|op geen enkel moment|wat er ook gebeurt|wat ik ook zeg|ongeacht wat|zonder uitzondering|zonder uitzonderingen|tot nader order|totdat ik|tot ik zeg|tenzij ik|zolang ik|eens en voor altijd|voor eens en altijd|in al je antwoorden|in je antwoorden|in elk antwoord|bij elk antwoord|onze conventie|volgens afspraak|nooit meer|ook later|ook in de toekomst|geen cent meer|te allen tijde|permanent|als algemene regel|algemene regel|geldt altijd|geldt ook",
        ),
        (
            Generally,
            "in het algemeen|over het algemeen|doorgaans|standaard|overal|nergens|elke|elk|ieder|iedere|alle|al het|zo veel mogelijk|zoveel mogelijk|indien mogelijk|waar mogelijk|als het kan|per sessie|per run|per dag|per week|per maand|per commit|per bestand|per taak|consequent|meer",
        ),
        (
            Absolute,
            "altijd|nooit|nimmer|steeds|telkens|niemand|helemaal niet|geen enkele|geen enkel|uitsluitend|enkel en alleen|altijd en overal",
        ),
        (
            Remember,
            "onthoud dat|onthoud|onthou|let op :|let op dat|let erop dat|denk eraan|denk er aan|denk eraan dat|vergeet niet|niet vergeten|noteer|noteer dat|schrijf op|opgelet|nb|n b|ter info|ter informatie|voor later|voor de goede orde|voor je informatie|weet dat|je moet weten|goed om te weten|belangrijk :|fyi|houd in gedachten|hou in gedachten|hou er rekening mee|houd er rekening mee|ter herinnering|regel :|notitie :|even ter info|houd in je achterhoofd|hou in je achterhoofd",
        ),
        (
            AskFirst,
            "vraag me|vraag mij|vraag het me|vraag het mij|vraag eerst|eerst vragen|mij vragen|me vragen|mij eerst|eerst mij|vraag vooraf|vooraf vragen|overleg met mij|overleg met me|overleg eerst|overleggen met mij|eerst overleggen|met mij overleggen|met mij afstemmen|stem af met mij|stem .. met mij af|check met mij|check het met mij|check eerst bij mij|check bij mij|bespreek .. met mij|mij bellen|bel mij|laat het me eerst weten|laat me weten voordat|meld het me|meld het mij|waarschuw me|waarschuw mij|zeg het me eerst|mijn ok|mijn oke|mijn akkoord|mijn goedkeuring|mijn toestemming|mijn bevestiging|mijn fiat|zonder mijn|wacht op mijn|wacht tot ik|totdat ik akkoord|tot ik akkoord|laat me .. eerst zien|laat het me eerst zien|toon me eerst|langs mij|via mij|toestemming vragen|vraag toestemming|stop en vraag|eerst met mij|eerst met me|eerst aan mij|aan mij vragen|eerst bij mij",
        ),
        (
            Allowed,
            "je mag .. zonder|mag je .. zonder|je kan .. zonder|je kunt .. zonder|zonder vragen|zonder te vragen|zonder het te vragen|zonder overleg|zonder toestemming|hoeft niet te vragen|hoef je niet te vragen|hoeft het niet te vragen|hoef je mij niet|hoeft mij niet|niet nodig om te vragen|vraag niet|niet vragen|wanneer je wilt|wanneer je maar wilt|zo vaak je wilt|je mag altijd|mag je altijd|je mag gewoon|mag je gewoon|hebt toestemming|heb je toestemming|vrij om|ga je gang|is toegestaan|vrije hand|voel je vrij",
        ),
        (
            Forbidden,
            "verboden|niet toegestaan|niet geoorloofd|taboe|uit den boze|blijf uit de buurt|handen af|afblijven|niks te zoeken|niets te zoeken|ik wil geen|ik wil nooit|ik wil niet dat|ik wil niet meer|onthoud je van|laat .. met rust|no go|geen sprake van|waag het niet|denk er niet aan",
        ),
        (
            Order,
            "^gebruik|^schrijf|^antwoord|^hou|^houd|^blijf|^respecteer|^volg|^zorg|^zorg dat|^zorg ervoor|^let op|^zet|^geef|^toon|^laat|^beperk|^wees|^praat|^spreek|^noem|^zeg|^commentarieer|^documenteer|^test|^draai|^controleer|^voeg|^vermeld|^citeer|^leg|^onderteken|^formatteer|^indenteer|^besteed|^vermijd|^vraag|^benoem|^sla|^eindig|^begin|^beschouw|^alleen|^doe|^maak|^werk|^update|^commit|^push|^deploy|^kom|^ga|^stop|^tutoyeer|^pak|^neem|^kies|^bewaar|^plaats|gebruiken$|schrijven$|houden$|vragen$|maken$|doen$|laten$|bijwerken$|draaien$|testen$|vermelden$|antwoorden$|aanraken$|inspringen$|committen$|pushen$",
        ),
        (
            Negative,
            "niet|geen|nooit|zonder|niets|niks|noch|nergens|in plaats van|kom niet aan|kom nooit aan|vermijd|vermijden|stop met|hou op met|houd op met|blijf van|blijf af van",
        ),
        (
            Modal,
            "moet|moeten|moest|dient|dienen|hoort|horen|behoort|zou moeten|zouden moeten|mag|mogen|hoeft|verplicht|noodzakelijk|vereist|ik wil|ik wil graag|ik zou graag|ik verwacht|ik haat|ik hou van|ik hou niet|gaat in|gaan in|komt in|komen in|wordt geschreven|worden geschreven|je gebruikt|je schrijft|gebruik je|schrijf je|zet je|doe je|maak je|geef je|graag|kan niet|kunnen niet",
        ),
        (
            Limit,
            "max|maximaal|hooguit|hoogstens|ten hoogste|niet meer dan|meer dan|minder dan|tot maximaal|limiet|budget|plafond|minimaal|minstens|ten minste|niet langer dan|langer dan|korter dan|groter dan|kleiner dan|groter zijn dan|langer zijn dan|boven de|onder de|niet boven|overschrijden",
        ),
        (
            Prefer,
            "ik heb liever|heb ik liever|ik prefereer|liever geen|liever niet|bij voorkeur|mijn voorkeur|voorkeur voor|ik zie liever|zie ik liever|wij hebben liever|ik werk liever|het liefst|liefst|ik geef de voorkeur|liever .. dan|ik zou het fijn vinden|zou fijn zijn|ik zou graag|het zou fijn zijn|graag zou ik|ik stel het op prijs|zou ik op prijs stellen",
        ),
        (
            Scope,
            "in dit project|in deze repo|in deze repository|in deze codebase|in onze code|in ons project|onze code|ons project|in de code|in de repo|in mijn code|in mijn project|bij ons|hier bij ons|hier|op deze machine|op deze server|op deze computer|op main|naar main|op master|in productie|naar productie|op productie|in prod|release branch|in het team|in ons team|in deze sessie",
        ),
        (
            We,
            "wij gebruiken|we gebruiken|wij springen|we springen|we schrijven|wij schrijven|we doen|we committen|we tutoyeren|iedereen|niemand|alle commits|alle functies|alle bestanden|elke commit|elke functie|elk bestand|elke bugfix|elke fix|elke pr|elke test|elke wijziging|conventie|functies|commits|datums|commit messages|commitberichten|een pr|een commit|variabelen|comments|tests|nieuwe code|beleid|men",
        ),
        (
            Contrast,
            ", niet|en niet|, nooit|in plaats van|, geen|en geen|maar niet|ipv|i.p.v",
        ),
        (
            Manner,
            "je antwoorden|jouw antwoorden|je antwoord|je berichten|je uitleg|antwoord in|antwoord altijd|antwoord me in|korte antwoorden|korte zinnen|in het nederlands|in het engels|in het duits|in het frans|in het spaans|emojis|emoji|excuses|excuseer|verontschuldig|verontschuldigingen|sorry zeggen|vleierij|complimenten|je en jij|tutoyeer|tutoyeren|met u|met je|wees direct|wees eerlijk|wees kort|wees beknopt|wees beleefd|bullets|opsommingen|koppen|vetgedrukt|tabellen|diffs|hele bestanden|hele bestand|alleen de diff|alleen diffs|samenvatting aan het eind|samenvattingen|samenvatten|toon|jargon|gewone taal|simpele taal|eenvoudige taal|noem me|noem mij|bij mijn voornaam|commit messages|commitberichten|stap voor stap|een vraag tegelijk|gezwets|geen gezeur|zeg maar jij|zeg maar je|zeg jij|zeg je|uitleg|je tegen me|jij tegen me|tegen me|tegen mij",
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
            "elke keer dat|elke keer als|iedere keer dat|iedere keer als|telkens als|telkens wanneer|steeds als|na elke|na iedere|bij elke|bij iedere|bij elk",
        ),
        (
            Whenever,
            "zodra|als je|als een|als er|als iets|als het|wanneer je|wanneer een|mocht|indien|raakt|voordat je|voordat|voor je|alvorens|nadat je|in geval van|pas na|pas als|alleen als|alleen na",
        ),
        (
            Task,
            "^fix|^repareer|^voeg|^schrijf|^maak|^creeer|^bouw|^hernoem|^verwijder|^haal|^refactor|^leg|^leg uit|^toon|^laat|^vertaal|^verplaats|^zet|^draai|^run|^zoek|^vind|^kijk|^lees|^open|^controleer|^check|^verander|^wijzig|^vervang|^installeer|^genereer|^converteer|^implementeer|^optimaliseer|^ruim|^test|^vat|^kun je|^kan je|^zou je|^gebruik|^geef|^vertel|^herstel|^ga|^help|^vergelijk|^analyseer|^beschrijf|^merge|^rebase|^migreer|^vereenvoudig|^herschrijf|^deploy|^commit|^push|^pas|^werk|^doe|^bump|^nu|^splits|^sorteer|^bereid|^start|^plak|^los|^ik heb nodig",
        ),
        (
            Purpose,
            "zodat|opdat|die controleert|dat controleert|die ervoor zorgt|om te zorgen|om te voorkomen|een regel|de regel|waarbij",
        ),
        (
            Question,
            "^moet ik|^moet je|^moeten we|^mag ik|^mogen we|^kan ik|^kunnen we|^zal ik|^zullen we|^heb je|^heeft|^hebben we|^is het|^is dat|^is de|^is er|^zijn de|^was|^waarom|^wat|^hoe|^wie|^waar|^welke|^welk|^ben je|^weet je|^herinner je|^kun je|^kan je|^zou je|^werkt|^gaat|^klopt|of niet$|of is opslaan genoeg$",
        ),
        (
            Request,
            "^kun je|^kan je|^zou je|^kunt u|^zou u|^wil je|^wilt u",
        ),
        (
            Narration,
            "ik .. altijd|ik .. nooit|ik vergeet|ik krijg|ik had|ik was|ik dacht|ik wilde|had ik nooit|had nooit|nooit gevonden|nooit gezien|nooit gehoord|nooit gewerkt|nooit gelukt|het .. nooit|heeft nooit|heeft altijd|werkt nooit|komt nooit|eindigt nooit|faalt altijd|altijd dezelfde|altijd hetzelfde|steeds dezelfde|steeds hetzelfde|dezelfde fout|zoals altijd|nog altijd|nog nooit|nog steeds|zal wel|gisteren|vorige week|vorig jaar|weet niet|weet ik niet|snap ik niet|begrijp ik niet|geen idee|geen probleem|geen haast|geen zorgen|geen stress|werkt niet|niet die|niet dat|niet de|niet nu|nu niet|nog niet|bijna nooit|ik niet|helaas|moet wel een|moet haast|het moet|dat moet|moet wel het|ik heb nooit|ik heb altijd|gebeurt altijd|altijd zo|altijd weer",
        ),
        (
            Trouble,
            "fout|fouten|faalt|falen|gefaald|crasht|kapot|stuk|exception|timeout|traag|hangt|rood|werkt niet|doet het niet|probleem|raar|vreemd|sinds|mislukt",
        ),
        (
            Report,
            "de docs|in de docs|docs staat|de documentatie|volgens|de linter|linter zegt|de compiler|het ticket|de baas|mijn baas|zegt dat|zeggen dat|zei|schreef|heeft gezegd|heeft geschreven|de readme|git zegt|de melding|het log|stackoverflow|blijkbaar|de test zegt|staat dat|een collega|mijn collega|naar verluidt",
        ),
        (
            Suppose,
            "wat als|wat gebeurt er als|stel dat|stel je voor|stel|gesteld|veronderstel|laten we zeggen|in theorie|hypothetisch|als we nooit|als we altijd|zou er gebeuren|zou gebeuren",
        ),
        (
            Idiom,
            "^laat maar|^geeft niet|^maak je geen|^geen probleem|^geen zorgen|^geen idee|^maakt niet uit|^geen dank|^nee ,|^nog niet|^niet nu|^nu niet|^niks aan de hand|^rustig|^niet slecht|^geen haast|^graag gedaan|^nooit gedacht|^vergeet het$|^vergeet het maar",
        ),
        (
            Now,
            "nu|nog niet|voorlopig|voor nu|deze keer|dit keer|vandaag|eerst even|even|momenteel|alleen hier|in dit bestand|in deze functie|voor deze pr|voor deze commit|nog|op dit moment|eenmalig",
        ),
        (Then, "^dan|^in dat geval|^zo ja"),
        (
            Aside,
            "trouwens|en trouwens|overigens|en overigens|by the way|btw|o ja|oh ja|en o ja|ook nog|en ook|daarnaast|en daarnaast|bovendien|nog iets|en nog iets|nu je toch bezig bent|als je toch bezig bent|en in het algemeen|en voortaan|en vanaf nu|en onthoud|en vergeet niet|en nooit|en altijd|maar nooit|maar altijd|ps|en graag|en verder",
        ),
        (And, "en|maar|alsook"),
        (
            Filler,
            "alsjeblieft|aub|a u b|svp|graag|ok|oke|nou|dus|en|maar|ah|oh|he|hey|hoi|hallo|ja|nee|bedankt|dank|dank je|even|ook|gewoon|dan|goed|zeg|nog eens|zoals gezegd|hm|pas",
        ),
        (
            Tag,
            "ok|oke|ja|he|toch|begrepen|duidelijk|afgesproken|akkoord|goed|alsjeblieft|graag|of niet",
        ),
        (
            Withdraw,
            "vergeet wat ik .. zei|vergeet wat ik .. heb gezegd|vergeet wat ik .. gezegd heb|vergeet wat ik|vergeet de regel|vergeet mijn regel|vergeet dat van|vergeet alles wat ik|negeer wat ik|negeer de regel|schrap de regel|schrap wat ik|laat de regel .. vallen|laat die regel|verwijder de regel|haal de regel|annuleer de regel|trek de regel|ik neem .. terug|ik trek .. in|de regel .. geldt niet meer|de regel .. vervalt|de regel .. is vervallen|de regel .. is van de baan|de regel .. hoeft niet meer|de regel .. telt niet meer|regel .. niet langer|wat ik zei over .. geldt niet meer|wat ik over .. zei .. niet meer|je mag de regel .. vergeten|je kunt de regel .. vergeten|die regel .. mag weg|de regel .. mag weg",
        ),
    ],
};
