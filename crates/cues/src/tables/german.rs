//! German. Vowels with two dots are also looked for as they are typed without them.

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
    common: "der|die|das|den|dem|des|ein|eine|einen|einem|ich|du|er|sie|es|wir|ihr|mir|mich|dir|dich|und|oder|aber|ist|sind|war|hat|habe|hast|wird|werden|nicht|kein|keine|keinen|mit|von|zu|zum|zur|auf|im|fur|fuer|bei|aus|nach|auch|nur|noch|schon|mal|bitte|immer|nie|wenn|dann|was|wie|warum|hier|jetzt|uber|ueber|dass|mach|mein|meine|dein|deine|unsere|unser",
    hasty: "net=nicht|nich=nicht|nciht=nicht|nix=nichts|ned=nicht|biite=bitte|bite=bitte|iwie=irgendwie|zb=zum beispiel|vllt=vielleicht|imemr=immer|imme=immer|kene=keine|kiene=keine|ne=eine|nen=einen|nem=einem|hats=hat es|gibts=gibt es|machs=mach es|ists=ist es|fuers=fur das",
    clitics: "",
    cues: &[
        (
            Lasting,
            "ab jetzt|ab sofort|ab heute|ab nun|von jetzt an|von nun an|in zukunft|zukunftig|zukuenftig|kunftig|kuenftig|kunftighin|fortan|weiterhin|furs nachste|fur die zukunft|fuer die zukunft|grundsatzlich|grundsaetzlich|generell|prinzipiell|aus prinzip|als regel|als grundregel|regel :|die regel ist|ist die regel|in diesem projekt gilt|es gilt|gilt immer|gilt auch spater|gilt fur|gilt fuer|fur das ganze projekt|fuer das ganze projekt|fur dieses projekt|fuer dieses projekt|fur diese sitzung|unter keinen umstanden|unter keinen umstaenden|auf keinen fall|auf gar keinen fall|keinesfalls|egal was|egal wie|was auch passiert|komme was wolle|ausnahmslos|ohne ausnahme|bis auf weiteres|bis ich was anderes sage|bis ich etwas anderes sage|solange ich nichts|sofern ich nichts|wenn ich nichts anderes|auch spater|auch in zukunft|dauerhaft|ein fur alle mal|in jeder antwort|in allen antworten|in deinen antworten|standardmassig|standardmaessig|massgeblich|maßgeblich|verbindlich|die quelle der wahrheit|single source of truth|gewohn dir an|gewohne dir an|solange ich|sofern ich|in diesem chat|ab morgen|kunftig immer|generelle regel|nachstes mal|naechstes mal|beim nachsten mal|egal was du|erst wenn ich frage|muss .. bleiben|mussen .. bleiben|bleibt frei|bleiben frei|soll .. bleiben|den rest der|fur den rest|bis zum ende|bis ende|nur wenn ich frage|nur wenn ich es sage|nur wenn ich darum bitte|nur wenn ich es will|nur auf anfrage|ab jetz|ab heut|ein und alles|gilt fur alle|gilt fur jede|gilt fur jeden|gilt uberall|so machen wir das|machen wir hier so|das gilt|gilt ab|fur immer|in der ganzen|im gesamten|uberall im|bis ich sag|bis ich sage|bis auf widerruf|auch nicht spater|ganz allgemein|ein fur allemal|ab hier|nur noch|achte immer darauf|achte darauf dass du immer|achte darauf , dass du immer|stell sicher dass du immer|stell sicher , dass du immer|sorg dafur dass du immer|sorg dafur , dass du immer|denk immer dran",
        ),
        (
            Generally,
            "allgemein|im allgemeinen|normalerweise|uberall|ueberall|nirgends|nirgendwo|jede|jeden|jeder|jedes|jedem|alle|allen|moglichst|moeglichst|wo moglich|wo moeglich|nach moglichkeit|pro sitzung|pro lauf|pro tag|pro woche|pro monat|pro commit|pro datei|pro aufgabe|pro session|insgesamt|durchgehend|mehr|immer wieder|pro funktion|pro pr|pro test|pro modul|pro|wenn es nicht sein muss|wenn nicht unbedingt|ausser wenn|es sei denn|nur wenn notig|nur wenn noetig|wenn unbedingt notig|wo es geht|wo immer|wenn moglich|soweit moglich|alles unter|alles in|alles im",
        ),
        (
            Absolute,
            "immer|nie|niemals|nimmer|stets|jederzeit|uberhaupt nicht|ueberhaupt nicht|nie wieder|nie mehr|jedes mal|jedesmal|niemand|ausschliesslich|ausschlieslich",
        ),
        (
            Remember,
            "merk dir|merke dir|merkt euch|denk dran|denk daran|denke daran|denke dran|vergiss nicht|nicht vergessen|notiz|notiere|notier dir|schreib dir auf|zur info|zur information|zur erinnerung|fur spater|fuer spater|nur damit du|damit du weisst|damit du bescheid|wichtig :|beachten :|bitte beachten|zu beachten|hinweis :|behalt im kopf|behalte im kopf|behalt im hinterkopf|behalte im hinterkopf|im hinterkopf behalten|gut zu wissen|ubrigens :|fyi|wisse dass|du sollst wissen|du musst wissen|du solltest wissen|regel :|merk es dir|merk s dir|behalt das im kopf|das merken|merken bitte|merken$|notieren$|bitte merken|ich bin farbenblind|ich bin legasthenik*|ich bin gehorlos|ich bin blind",
        ),
        (
            AskFirst,
            "frag mich|frage mich|frag vorher|frage vorher|frag erst|frag zuerst|mich fragen|mich vorher|mich erst|mich zuerst|vorher fragen|erst fragen|zuerst fragen|mit mir absprechen|sprich .. mit mir ab|mit mir abklaren|mit mir klaren|klar das mit mir|stimm .. mit mir ab|mit mir abstimmen|bei mir nachfragen|bei mir fragen|ruckfrage|rueckfrage|rucksprache|ruecksprache|sag mir bescheid|sag vorher bescheid|sag erst bescheid|bescheid sagen|gib bescheid|mein ok|mein okay|meine freigabe|meine zustimmung|meine erlaubnis|meine genehmigung|mein einverstandnis|meinem ok|meiner freigabe|meiner zustimmung|meiner erlaubnis|ohne meine|ohne mein|meine ansage|warte auf mein|hol dir .. ok|hol mein|hol dir mein|hol dir die freigabe|erst wenn ich|bevor ich|ich will .. vorher sehen|zeig mir .. vorher|zeig mir .. erst|melde dich|melde dich erst|konsultier mich|fragst du mich|fragst du erst|fragst du vorher|frag nach|mit mir .. vorher|vorher mit mir|erst mit mir|zuerst mit mir|vorher .. mit mir|bevor du .. frag|bevor .. frag|ehe du .. frag|frag mich vorher|ruf mich|mich anrufen|im zweifel .. frag|im zweifel frag|unsicher .. frag|halt an und frag|bescheid geben bevor|braucht mein|brauchen mein|braucht meine|brauchen meine|nur mit meiner|nur mit meinem|ohne dass ich|bevor ich .. gesehen|bevor ich es gesehen|frag lieber|lieber zweimal|will ich sehen|will ich vorher|mochte ich sehen bevor|mochte ich vorher|zeig mir .. bevor|frag wenn was|frag wenn etwas|frag falls|stopp und frag|stoppe und frag|nur nach rucksprache|nur nach rueckfrage|nur mit rucksprache|nicht raten|nicht rumraten|nichts erfinden|sag es|sag s|sags|sag bescheid|bescheid wenn|bevor du was|vorher sagen|mir sagen|mich entscheiden|entscheide ich|lass mich entscheiden|lass mich wahlen|ohne zu fragen|ohne mich zu fragen|ohne absprache|ohne rucksprache|ohne freigabe|ohne mein ok|nachfragen statt|frag statt|lieber nachfragen|freigeben|grunes licht|braucht ein ja|braucht ein ok|brauchen ein ok|braucht mein ja|bevor ich ok|bevor ich ja|bis ich ok|bis ich ja|erst nach meinem|ehe ich ok|nicht ohne dass ich|unklar ist frag|unklar .. frag|nicht sicher .. frag|nicht weisst .. frag|unsicher frag",
        ),
        (
            Allowed,
            "du darfst|darfst du|du kannst .. ohne|kannst du .. ohne|ohne zu fragen|ohne nachzufragen|ohne ruckfrage|ohne rueckfrage|ohne nachfragen|musst nicht fragen|musst mich nicht fragen|brauchst nicht zu fragen|brauchst nicht fragen|brauchst mich nicht|brauchst du nicht zu fragen|nicht extra fragen|wann immer du|wann du willst|so oft du|jederzeit ohne|ist erlaubt|sind erlaubt|hast freie hand|freie hand|einfach machen ohne|gerne ohne|nicht nachfragen|nicht fragen|frag nicht|nicht zu fragen|mich nicht zu fragen|du mich nicht zu fragen|nicht nachzufragen|darfst du ohne|ist okay ohne|sind okay ohne|ok ohne zu fragen|darfst du alles|brauchst du mich nicht|brauchst du nicht|darfst du .. aber nicht|du darfst .. aber|kannst du .. aber nicht|du kannst .. aber nicht|sind nur fur .. ok|darfst du selber|darfst du selbst|darfst du ab|selber machen|von mir aus|mach einfach|musst nicht warten|musst du nicht warten|ohne freigabe ok|nach eigenem ermessen|entscheide selbst|selbst entscheiden",
        ),
        (
            Forbidden,
            "verboten|untersagt|tabu|nicht erlaubt|nicht gestattet|finger weg|die finger von|finger von|finger davon|nichts verloren|nichts zu suchen|hande weg|haende weg|ich will .. nie|ich will .. nicht sehen|will ich nicht sehen|will ich nie|kommt nicht in frage|kommen nicht in frage|ist ein no go|unterlass|unterlasse|verzichte auf|verzichte|verzichten auf|finger raus|lass .. in ruhe|bleib weg von|halt dich fern|halt dich von|haben .. nichts verloren|denk nicht mal dran|wehe|ich mochte nicht dass|ich mochte nicht , dass|ich moechte nicht dass|ich moechte nicht , dass|ich will nicht dass|ich will nicht , dass|mir ware lieber wenn du .. nicht|mir ware lieber , wenn du .. nicht|mir ware es lieber wenn du .. nicht|mir waere lieber wenn du .. nicht|ware mir lieber du .. nicht|ich will keine|ich will kein|ich will keinen|ich mochte keine|ich mochte kein|hor auf|hoer auf|lass das bitte|lass das sein|in ruhe lassen|schluss mit|genug mit|nichts fur dich|ist tabu|sind tabu|bleib .. weg|bleib mir .. weg|gewohn dir .. ab|ich will .. nicht dass|ich will .. nicht , dass|ich mochte .. nicht dass|ich mochte .. nicht , dass|pfoten weg|griffel weg|hast du nichts zu|hat niemand zu|wird nicht angefasst|wird nicht geandert|wird nicht geaendert|werden nicht angefasst|werden nicht geandert|nicht anzufassen|schlag mir nichts|hor mal mit|hor .. auf|keine .. von dir aus|nicht .. von dir aus|nie .. von dir aus|nicht eigenmachtig|keine .. auf eigene faust|nicht .. auf eigene faust|bleib aus .. raus|bleib .. raus|nicht leiden|kann ich nicht ausstehen|kann .. nicht ausstehen|hor auf mit|hort auf|hor auf zu|hor auf ,|hor auf meine|hor endlich auf|spar dir|spar dir die|spart euch|verschon mich|lass die finger|lass das gelaber|keine .. mehr|nie wieder|nix anfassen|nichts anfassen|nicht anfassen|wird nicht gemockt|wird nicht verwendet|wird nicht benutzt|werden nicht benutzt|hat hier nichts|nicht dein bier|nicht angefasst|mach nur ich|mache nur ich|nur ich|du nicht|kein .. ohne|ohne .. kein|ohne .. keine|keine .. ohne|nicht deine|nicht dein|nicht deine sache|ist heilig|sind heilig|ist vertraulich|sind vertraulich|ich hab dir gesagt keine|ich hab gesagt keine|hab ich gesagt keine|ich habe gesagt keine|ich hatte gesagt keine|ich sagte keine|hab dir gesagt du sollst nicht|hab dir gesagt , du sollst nicht|ich sagte nicht",
        ),
        (
            Order,
            "^benutz|^benutze|^verwend|^verwende|^nutz|^nutze|^nimm immer|^schreib|^schreibe|^antworte|^antwort|^halt|^halte|^bleib|^bleibe|^vermeide|^vermeid|^lass|^lasse|^sag|^sprich|^rede|^red|^sei|^zeig|^zeige|^gib|^mach|^mache|^achte|^acht|^sorge|^stell sicher|^stelle sicher|^formatier|^formatiere|^nenn|^nenne|^kommentier|^kommentiere|^dokumentier|^teste|^test|^commite|^committe|^committ|^commit|^push|^pushe|^deploy|^deploye|^frag|^frage|^pruf|^prufe|^pruefe|^fass|^fasse|^spar|^spare|^rechne|^leg|^lege|^pack|^packe|^behandle|^behandel|^gib hochstens|^hor auf|^hoer auf|^erklar|^erklare|^erklaer|^lies|^liste|^ergänze|^erganze|^fuge|^fuege|^fug|^uberspring|^beschrank|^beschranke|^duz|^duze|^sieze|^siez|nehmen$|benutzen$|verwenden$|schreiben$|antworten$|lassen$|halten$|machen$|fragen$|nutzen$|ausgeben$|laufen lassen$|anfassen$|vermeiden$|committen$|pushen$|deployen$|einrucken$|kommentieren$|dokumentieren$|angeben$|erklaren$|mitziehen$|aktualisieren$|anpassen$|pflegen$|testen$|prufen$|setzen$|stellen$|einhalten$|nennen$|benennen$|sprechen$|zeigen$|geben$|verschieben$|loschen$|sparen$|lass|melde|sag mir|^merk|^ruf|^melde|^trenn|^fange|^fang|^bitte immer|^schick|^kurz|^warn|^hol|^gewohn|^nimm|^erst|^immer erst|^wechsle|^arbeite|^geh|^fasse dich|weglassen$|starten$|behandle|auslassen$|uberspringen$|^hor|^hore|^trag|^trage|^pin|^pinne|^spring|^warte|^wart|^komm|^komme|^plan|^plane|^runde|^erfinde|^rat|^rate|^schreibt|^fasst|^zitier|^zitiere|^verweis|^verweise|^nummerier|^begrunde|^beginn|^beginne|^starte|^ende|^trenne|^sichere|^sicher|^verschlussel|^maskier|^log|^logge|^mock|^mocke|^bau|^baue|^entscheid|^entscheide|^wahl|^wahle|^lieber|^bevorzuge|^setz|^setze|^stell|^stelle|anlegen$|eintragen$|absprechen$|abklaren$|anhalten$|abwarten$|absichern$|sichern$|einchecken$|mocken$|loggen$|ausdenken$|erfinden$|raten$|squashen$|rebasen$|aufraumen$|melden$|zitieren$|verlinken$|nummerieren$|begrunden$|einfugen$|hinzufugen$|anfugen$|umbenennen$|umschreiben$|rausnehmen$|entfernen$|einbauen$|bauen$|wahlen$|mergen$|stehen lassen$|^nummeriere|^zahlen|^markier|^markiere|schatzen$|ablegen$|hinschreiben$|nachfragen$|nachschauen$|nachsehen$|ausgehen$|durchfuhren$|ausfuhren$|abfragen$|ausdrucken$|verlassen$|vertrauen$|anzeigen$|verschweigen$|mischen$|vermischen$|veroffentlichen$|speichern$|installieren$|importieren$|exportieren$|kopieren$|duplizieren$|refactoren$|refaktorieren$|formatieren$|umformatieren$|umsortieren$|ubersetzen$|zusammenfassen$|wiederholen$|abkurzen$|verwerfen$|uberschreiben$|umstellen$|rumspielen$",
        ),
        (
            Negative,
            "nicht|kein|keine|keinen|keinem|keiner|keinerlei|nie|niemals|ohne|nichts|statt|weder|null|bloss nicht|ja nicht|nicht anfassen|nicht anzufassen|nicht anruhren|^vermeide|^vermeid|vermeide",
        ),
        (
            Modal,
            "muss|mussen|muessen|soll|sollen|sollst|sollte|solltest|sollten|darf|durfen|duerfen|darfst|gehort|gehoren|gehoert|ist zu|sind zu|hat zu|haben zu|kommt in|kommen in|wird .. geschrieben|werden .. geschrieben|ich will|ich mochte|ich moechte|ich erwarte|ich wunsche|ich wuensche|ich brauche|ich mag|ich hasse|pflicht|verpflichtend|obligatorisch|zwingend|bitte|fasst du|nimmst du|machst du|schreibst du|benutzt du|verwendest du|lasst du|laesst du|gibst du|rufst du|committest du|pushst du|deployst du|loschst du|anderst du|legst du|du nimmst|du machst|du schreibst|du fasst|du lasst|du benutzt|du gehst|du pushst|du antwortest|darf nichts",
        ),
        (
            Limit,
            "max|maximal|hochstens|hoechstens|nicht mehr als|nicht langer als|nicht laenger als|nie langer als|langer als|laenger als|nicht grosser als|grosser als|groesser als|kurzer als|kuerzer als|bis zu|unter|uber|ueber|obergrenze|limit|budget|mindestens|mehr als|weniger als|keine cent mehr|nicht uber|nicht ueber|uberschreiten|ueberschreiten|langer als eine|laenger als eine|langer als eine minute brauchen|nur uber|nur ueber|nur fur|nur mit|nur per|nur via|nur im|nur in|nur durch|ausschliesslich uber|zeichen|spalten|sonst nirgends|nirgends sonst|sonst nirgendwo|du anderst nur|du aenderst nur|du machst nur|du schreibst nur|reichen|reicht|reichen mir|genugen|genugt|pro antwort|pro nachricht|nichts uber|zeilen max|satze max|worter max|in paketen von|in batches von",
        ),
        (
            Prefer,
            "ich bevorzuge|bevorzuge ich|bevorzugt|vorzugsweise|mir ware lieber|mir waere lieber|mir ist lieber|ware mir lieber|waere mir lieber|ist mir lieber|sind mir lieber|am liebsten|ich hatte lieber|ich haette lieber|ich hatte gern|ich haette gern|hatte ich gern|ich mag lieber|lieber .. als|lieber .. statt|ich arbeite lieber|wurde ich bevorzugen|ich wurde bevorzugen|ich fande es besser|ich faende es besser|fande ich besser|ich fande es gut|ware nett wenn|waere nett wenn|ware schon wenn|ware gut wenn|wurde mich freuen|ich wurde mich freuen|ware dankbar|bin dankbar wenn|am besten|mir ist wichtig|wichtig ist mir|ist mir wichtig|es ist wichtig|es ist mir wichtig|ich lege wert|lege wert auf|gewohn dir an|gewohne dir an|ich bestehe|ich hasse|ich kann .. nicht leiden|ich hatte gern dass|^bevorzuge|^bevorzug|bleib bei|bleibe bei|halt dich an|halte dich an|ist mir egal|sind mir egal|nur .. zahlen|nur .. zaehlt|zahlt nur|wichtig ist nur|kummere dich nicht um|ich fand s gut wenn|ich fand es gut wenn|ich fande|ich faende|fand ich gut wenn|ich wurde es schatzen|ich wuerde mich freuen|ich bin fan|ich bin ein fan|nervt mich|nerven mich|stort mich|storen mich|halt ich nichts|halte ich nichts|nimm lieber|bitte lieber|schreib so|schreibe so|mach es so|mach das so|bleib auf|bleibe auf|was mich nervt|was mich stort|was mich argert",
        ),
        (
            Scope,
            "in diesem projekt|in diesem repo|in diesem repository|in dieser codebase|in dieser codebasis|in unserem projekt|in unserem code|in unserem repo|im ganzen projekt|im ganzen repo|im projekt|im repo|im code|bei uns|hier bei uns|auf diesem rechner|auf dieser maschine|auf diesem server|auf dieser kiste|auf main|auf master|in produktion|auf produktion|auf prod|in prod|unser code|unsere codebase|in meinem code|in meinem projekt|in dieser sitzung|wir hier|hier wird|hier werden|auf dem release branch|release branch|im team|unser team|wir .. hier|in sql|im sql|in python|im python|in go|im go|in rust|im rust|in typescript|im typescript|in javascript|im javascript|in css|im css|in html|im html|in yaml|im yaml|in json|im json|in bash|im bash|in java|im java|in kotlin|im kotlin|in swift|im swift|in markdown|im markdown|in latex|im latex|in terraform|im terraform|in docker|im docker",
        ),
        (
            We,
            "wir benutzen|wir verwenden|wir nutzen|wir schreiben|wir machen|wir rucken|wir duzen|wir siezen|wir nehmen|wir haben|wir committen|wir pushen|wir deployen|wir testen|wir formatieren|benutzen wir|verwenden wir|nutzen wir|schreiben wir|machen wir|nehmen wir|rucken wir|wir arbeiten|konvention|hier wird|wird bei uns|werden bei uns|man schreibt|niemand|jeder commit|jede funktion|jeder bugfix|jede datei|jede anderung|jeder test|jeder pr|alle commits|alle funktionen|alle dateien|alle tests|alle neuen|neuer code|code kommentare|commit messages|commits|funktionen|variablen|kommentare|commit nachrichten|^tabs|^leerzeichen|^fehlermeldungen|^log meldungen|^tests|^branchnamen|^branches|^dateinamen|^variablennamen|^testnamen|^kommentare|^zeitstempel|^datumsangaben|^betrage|^preise|^commits|^prs|^releases|^imports|^strings|speichern wir|legen wir|wir speichern|wir legen|wir mergen|wir taggen|wir releasen|wir loggen|wird nie|werden nie|wird niemals|werden niemals|wird immer|werden immer|wird nur|werden nur|kommt nie|kommen nie|kommt immer|kommen immer|gehort nie|wir .. hier|hier .. wir|bei uns .. wir|wir squashen|wir rebasen|^tests zuerst|^unsere|^unser|^geld|^sql|^css|^logs|^log ausgaben|^logausgaben|^log zeilen|^logzeilen|^texte|^oberflachentexte|^neue dateien|^neue tests|^neue endpunkte|^neue tabellen|^abhangigkeiten|^migrationen|^passworter|^zugangsdaten|^schlussel|^datum|^daten|^zahlen|^einheiten|^befehle|^skripte|^funktionen|^methoden|^klassen|^module|^namen|^ids|^spalten|^tabellen|^queries|^abfragen|^konstanten|^fehler|^warnungen|^docs|^doku|^code|^deployments|^merges|^pull requests|^jeder|^jede|^jedes|^alle|^alles",
        ),
        (
            Contrast,
            ", nicht|und nicht|statt|anstatt|anstelle|und kein|, kein|, keine|, nie|sondern|statt leerzeichen|statt tabs|nicht in",
        ),
        (
            Manner,
            "antworte auf|antworte mir|antworte immer|antworten auf|antworte in|antworte kurz|deine antworten|deinen antworten|deiner antwort|auf deutsch|auf englisch|auf franzosisch|auf spanisch|auf italienisch|in deutsch|in englisch|kurze satze|kurze saetze|kurzen satzen|kurzen saetzen|kurze antworten|knappe antworten|kurz und knapp|keine floskeln|keine emojis|ohne emojis|emojis|emoji|entschuldig|entschuldigen|entschuldigung|entschuldigungen|entschuldige|lob|schmeichel|duz|duze|duzen|sieze|siezen|du sagen|per du|mit du|mit sie|kein sie|beim du|beim sie|sprich deutsch|rede deutsch|schreib deutsch|sei direkt|sei ehrlich|sei knapp|sei kurz|sei hoflich|sei streng|stichpunkte|stichpunkten|aufzahlung|uberschriften|fettschrift|tabellen|diffs|ganze dateien|ganzen dateien|nur den diff|nur diffs|nur das diff|zeilennummern|zusammenfassung am ende|zusammenfassungen|zusammenfassen|tonfall|ton|einfache sprache|einfacher sprache|klartext|fachchinesisch|fachbegriffe|nenn mich|nenne mich|beim vornamen|commit messages|commit message|commit nachrichten|britisches englisch|smalltalk|vorrede|gelaber|geschwafel|ausfuhrlich|schritt fur schritt|eine frage|erklarungen|erklarung|lange texte|ausschweifend|deutsch mit mir|red deutsch|sprich .. mit mir|rede .. mit mir|lange antworten|langen antworten|kurzer antworten|kuerzer antworten|knapper antworten|roman|romane|um den heissen brei|stacktraces|behandle mich|kurzfassung|kurzversion|grundlagen|metrisch|details nur|komm zum punkt|auf den punkt|komm auf den punkt|fasst euch kurz|fass dich|einleitung|einleitungen|vorwort|floskeln|hoflichkeit|hoflichkeiten|begrussung|prosa|aufsatze|laut denken|weniger text|weniger gerede|mehr details|deine plane|dein code|deine fragen|deine vorschlage|dateipfade|abkurzungen|nur geanderte zeilen|das ergebnis zuerst|deine berichte|deine ergebnisse|deine anderungen|weniger .. mehr|mehr .. weniger|in einer zeile|als eine zeile|einzeilig|ja/nein fragen|ja oder nein",
        ),
        (
            Topic,
            "kurz|knapp|in einem satz|fass dich kurz|kurz halten|halt dich kurz|schnell|ausfuhrlich",
        ),
        (
            Meaning,
            "wenn ich .. sage|wenn ich .. schreibe|wenn ich von .. rede|wenn ich von .. spreche|sag ich .. mein ich|mein ich immer|meine ich immer|meine ich damit|mein ich damit|damit meine ich|bedeutet immer|heisst bei uns|steht fur|steht fuer|bezeichnet|ist immer der|ist bei uns|heisst hier|heisst immer",
        ),
        (
            Each,
            "jedes mal wenn|jedesmal wenn|immer wenn|wann immer|bei jedem|bei jeder|nach jedem|nach jeder|vor jedem|vor jeder|alles was du|was du schreibst|alle zeitangaben|ich will alle|will ich alle|jeder code den du|alle datumsangaben|alle neuen|im zweifel|im zweifelsfall|bei zweifeln|wenn du unsicher bist|wir unterstutzen nur|wir benutzen nur|wir nehmen nur|wir verwenden nur|wir erlauben nur|wir deployen nur|fur alle neuen|fur jede neue|fur jeden neuen|jeder neue|jede neue|alles was|alles wo du|was du|bei allem|wenn du uber|bei jedem fix|nur zeilen|nur dateien die|nur dateien , die|nur zeilen , die|nur was du|nur code den|die du selbst|die du andern musst|genau einen|genau eine|pro ticket|je ticket|je feature|ein commit pro|einen commit pro|gilt noch|gilt immer noch|gilt weiterhin|^ein .. pro|^eine .. pro|^einen .. pro|^genau ein .. pro|^ein .. je|^eine .. je",
        ),
        (
            Whenever,
            "sobald|wenn du|wenn ein|wenn eine|wenn etwas|wenn was|wenn es|wenn irgendwas|falls du|falls ein|falls eine|falls etwas|falls es|falls|bevor du|bevor|ehe du|nachdem du|erst nach|erst wenn|vor dem|vor dem commit|vorm|wenn du am|wenn du an|wenn du was|wenn du etwas|wenn du unsicher|wenn du die|wenn du den|wenn du das|wenn man|wenn der|wenn die|wenn das|wenn ein test|falls der|falls die|im zweifel|beim|bei anderungen|bei aenderungen|nach dem|nach anderungen|vor dem pushen|vor dem mergen|wenn mehr|wenn zwei|wenn nichts|wenn irgendein|wenn tests|wenn theorie|wenn sich|wenn ich|wenn wir|wo es geht|wo moglich|ausser|ausserhalb|solange|vor jedem|vor jeder|nach jeder|nach jedem|bevor irgendwas|bevor etwas|bevor was|ohne dass|falls was|falls irgendwas|falls mehrere|gibt es mehrere|bei mehreren|bei unklarheiten|bei fragen|bei fehlern|bei jedem|bei jeder",
        ),
        (
            Task,
            "^fix|^fixe|^schreib|^schreibe|^mach|^mache|^bau|^baue|^erstell|^erstelle|^fug|^fuge|^fueg|^fuege|^erklar|^erklare|^erklaer|^erklaere|^zeig|^zeige|^ubersetz|^ubersetze|^uebersetz|^benenn|^benenne|^losch|^losche|^loesch|^entfern|^entferne|^verschieb|^verschiebe|^ander|^andere|^aender|^aendere|^aktualisier|^aktualisiere|^such|^suche|^find|^finde|^schau|^guck|^lies|^lauf|^lass|^starte|^start|^teste|^pruf|^prufe|^pruefe|^refactor|^refactore|^refaktorier|^repariere|^reparier|^korrigier|^korrigiere|^kannst du|^konntest du|^koenntest du|^nimm|^setz|^setze|^leg|^lege|^gib|^sag|^installier|^update|^migrier|^optimier|^merge|^rebase|^erganz|^erganze|^ergaenze|^kopier|^pack|^stell|^stelle|^implementier|^implementiere|^generier|^fass .. zusammen|^raum|^bring|^hilf|^bump|^sortier|^vereinfach|^analysier|^beschreib|^behebe|^beheb|^bitte|einbauen$|hinzufugen$|fixen$|umbenennen$",
        ),
        (
            Purpose,
            "damit|sodass|so dass|dass|der pruft|der prueft|die pruft|das pruft|die sicherstellt|um sicherzustellen|die regel|eine regel|warum|wieso|weshalb",
        ),
        (
            Question,
            "^muss ich|^muss man|^muss der|^muss die|^muss das|^mussen wir|^soll ich|^sollen wir|^sollte ich|^sollten wir|^darf ich|^darf man|^durfen wir|^kann ich|^kann man|^konnen wir|^hast du|^hat|^habe ich|^haben wir|^ist das|^ist es|^ist der|^ist die|^sind die|^war|^warum|^wieso|^weshalb|^was|^wie|^wer|^wo|^welche|^welcher|^welches|^wozu|^gibt es|^weisst du|^weist du|^erinnerst du|^kannst du|^konntest du|^koenntest du|^wurdest du|^lauft|^geht das|^funktioniert|^stimmt das|oder nicht$|oder$|stimmts$|stimmt s$|nicht wahr$|oder doch$|gell$|unterschied zwischen",
        ),
        (
            Request,
            "^kannst du|^konntest du|^koenntest du|^wurdest du|^wuerdest du|^konnen sie|^konnten sie|^magst du",
        ),
        (
            Narration,
            "ich .. immer|ich .. nie|ich hab|ich habe|ich hatte nie|ich wollte|ich war|ich dachte|ich vergesse|ich krieg|ich bekomme|es .. nie|er .. nie|das .. nie|das lief|hat nie|hat noch nie|haben nie|lief nie|ging nie|war nie|war immer|waren immer|muss wohl|muss .. sein|mussen .. gewesen|wird wohl|wird schon|immer diese|immer dieser|immer dieses|immer derselbe|immer dasselbe|immer der gleiche|immer die gleiche|immer das gleiche|immer die selbe|immer noch|noch immer|noch nie|wie immer|schon immer|nie gefunden|nie gesehen|nie gehort|nie gedacht|nie drauf gekommen|kommt nie|geht nie|endet nie|hatt ich|hatte ich|hatt s|gestern|letzte woche|letztes jahr|damals|fruher|keine ahnung|keine lust|kein problem|kein ding|keine eile|kein stress|keine sorge|kein plan|leider nicht|nicht so|nicht das|nicht die|nicht der|nicht dass|weiss nicht|weiss ich nicht|ich nicht|verstehe nicht|versteh ich nicht|geht nicht|klappt nicht|lauft nicht|du .. immer wieder|immer so|immer gleich|passiert immer|immer das|so ist das immer|vor dem refactoring|vor dem umbau|vor der migration|ich wollte nie|wir haben das .. nie|wir haben .. nie|wir hatten .. immer|hatten wir .. immer|hatten wir .. schon immer|haha|lol|wurden keine|wurde kein|wurden nicht|es wurden|es wurde|bisher|bis jetzt|ich will das nicht verlieren|keine tests ausgefuhrt|ich glaube|vermutlich|es gibt|gab es|sollte nie passieren|darf nie passieren|nie mergen sollen|hatten wir .. nie|hatten wir wohl|hatte man .. nie|hatten nie|keiner hat|niemand hat|niemand weiss|ich sehe keine|ich sehe kein|sehe nichts|sagt standig|sagt dauernd|sagt immer|sind jetzt grun|ist jetzt grun|sind grun|ist grun|passiert nichts|laufen jetzt durch|ich sehe|wir haben hier|hier ist|hier sind|ich dachte immer|immer schon wenn|immer gut wenn|immer nett wenn|es passiert nur|passiert nur|kommt nur|geht nur wenn|hattest recht|du hattest|sind weg|ist weg|ging kaputt|im letzten projekt|im alten projekt|war gut|war ok|war okay|falscher branch|falsche datei|falsch|schrieben wir|haben wir .. nie|haben wir .. immer|haben wir damals|damals haben|ich vergesse immer|nicht notig|nicht noetig|keine .. notig|keine .. noetig|brauche ich nicht mehr|brauch ich nicht mehr|vor jahren|vor monaten|ich will da nicht|ich will hier nicht|ich will das nicht mehr|aus irgendeinem grund|mein fehler|meine schuld|jedes mal wenn ich|jedesmal wenn ich|nicht nötig|das darf|muss ich das jetzt|angelegt ,|nur noch ein|nur noch eine|nur noch zwei|nur noch drei|geht nur noch|immer wenn ich klick*|immer wenn ich auf|jedes mal wenn ich klick*|jedes mal wenn ich auf|sobald ich auf|sobald ich klick*|wenn ich auf .. klick*|wenn ich speicher*|wenn ich .. starte|ist es aber nicht|tut es aber nicht|ists aber nicht|aber ist es nicht|aber tut es nicht|macht es aber nicht",
        ),
        (
            Trouble,
            "fehler|fehlschlagen|schlagt fehl|schlaegt fehl|fehlgeschlagen|absturz|sturzt ab|kaputt|haengt|hangt|langsam|exception|timeout|geht nicht|funktioniert nicht|klappt nicht|tut nicht|falsch|komisch|seltsam|spinnt|kommt nicht|problem|nervt|rot$|ist rot|sind rot|wird rot|alles rot|bleibt rot|noch rot",
        ),
        (
            Report,
            "in der doku|die doku|laut doku|der linter|linter meint|linter sagt|der compiler|compiler sagt|im ticket|das ticket|laut ticket|der kollege|die kollegin|der chef|die chefin|chef sagt|chef meint|chef schrieb|schrieb|schreibt in|sagt er|sagte|meinte|meint|steht|laut|angeblich|es heisst|git sagt|im readme|das readme|im changelog|im log|die fehlermeldung|auf stackoverflow|der test sagt|hat gesagt|haben gesagt|hat geschrieben|ich hab ihm gesagt|ich habe ihm gesagt|ich hab ihr gesagt|ich hab denen gesagt|ihm gesagt|ihr gesagt|schreibt|der anwalt|die anwaltin|der kunde schreibt|kunde schrieb|der support|die rechtsabteilung|der betriebsrat|aus dem design doc|aus der spec|aus der spezifikation|aus dem pflichtenheft|aus dem wiki|aus der doku|aus dem ticket|aus dem vertrag|aus den anforderungen|design doc|leitfaden sagt|sagt den leuten",
        ),
        (
            Suppose,
            "was ware wenn|was waere wenn|was passiert wenn|angenommen|nehmen wir an|mal angenommen|stell dir vor|gesetzt den fall|wenn wir .. wurden|wenn wir nie|wenn wir immer|wenn man nie|was wenn|ware es|waere es|theoretisch|hypothetisch|wurde .. passieren",
        ),
        (
            Idiom,
            "^passt schon|^schon gut|^macht nichts|^kein problem|^keine sorge|^keine ahnung|^nicht schlimm|^vergiss es|^keine ursache|^nicht schlecht|^kein stress|^immer gern|^nie im leben|^auf keinen fall$|^nein ,|^nee|^noch nicht|^nicht ganz|^nicht wirklich|^mach dir keine|^mach dir nichts|^ach|^ich erinnere mich nicht|^weiss ich nicht mehr|^ich weiss nicht|^ich glaube nicht|^weisst du noch|^sorry|^tut mir leid|^entschuldigung ,|^mein fehler|^keine eile|^lass das|^lass mal|^lass stecken|^nicht so wichtig|^bloss nicht aufhoren|^nicht aufgeben|^gib nicht auf|^nicht wundern|^das darf|^darf doch nicht|^ey|^nicht den zweiten|^nicht den ersten|^nicht schon wieder|vergiss die .. nicht|vergiss den .. nicht|vergiss das .. nicht|unterschied zwischen|schon wieder das gleiche|vergiss .. erstmal|vergiss .. furs erste",
        ),
        (
            Now,
            "jetzt|erstmal|erst mal|noch nicht|diesmal|dieses mal|heute|gerade|momentan|vorerst|zunachst|zunaechst|fur diesen|fuer diesen|in dieser datei|in dieser funktion|nur hier|nur diesmal|einmal|vorlaufig|gleich|kurz mal|furs erste|im moment|gerade nicht|brauch ich noch|brauche ich noch|noch gebraucht|ist nur ein demo|nur eine demo|fur jetzt|bis ich|kurz in ruhe|einen moment|fur einen moment|mal kurz|eine sekunde|ne sekunde|dies mal|fur diese antwort|ausnahmsweise|einmalig|brauche ihn noch|brauche sie noch|brauche es noch|brauch ihn noch|brauch sie noch|brauch es noch",
        ),
        (Then, "^dann|^in dem fall|^wenn ja|^falls ja"),
        (
            Aside,
            "ubrigens|uebrigens|und ubrigens|und uebrigens|ach ja|achja|ach und|nebenbei|btw|noch was|und noch was|und noch etwas|ausserdem|und ausserdem|zusatzlich|darüber hinaus|und generell|und grundsatzlich|und grundsaetzlich|und in zukunft|und ab jetzt|und ab sofort|und bitte|und denk|und merk dir|und nie|und niemals|und immer|aber nie|aber immer|ps|wenn du schon dabei bist|wo du schon dabei bist|des weiteren|im ubrigen|und vergiss nicht",
        ),
        (And, "und|sowie|aber"),
        (
            Filler,
            "bitte|ok|okay|also|so|na|ja|nein|ne|hm|hmm|und|aber|ach|ah|ey|hey|hi|hallo|danke|mal|doch|gut|alles klar|super|prima|nun|auch|einfach|eben|halt mal|du|nochmal|wie gesagt|nur|nochmal :|noch mal|und noch was|noch was|noch etwas|und noch etwas|eins noch|noch eins|ich wiederhole|wie immer|und zwar|ubrigens|kurze info",
        ),
        (
            Tag,
            "ok|okay|ja|klar|alles klar|verstanden|abgemacht|einverstanden|gell|ne|oder|bitte|recht so|passt|nicht wahr",
        ),
        (
            Once,
            "wenn du fertig bist|wenn du durch bist|sobald du fertig bist|zeile 1|zeile 2|zeile 3|zeile 4|die letzten|die letzte|den letzten|die ersten|das letzte|die andere|den anderen|das andere|die anderen|die alte|die neue|diesen ansatz|dieser ansatz|diese idee|den tippfehler|das semikolon|morgen|so nicht|das nicht so|nicht so|mach das|mach es|diesen fehler|diese datei|dieser datei|aus der datei|in der datei|aus dem readme|diesen test|variante a|variante b|option a|option b|so lassen|das mal so|lass es|lass das so|nochmal versuchen|das rueckgangig|^nimm .. hier|nimm hier|^benutze .. hier|^verwende .. hier|^setz .. hier|lies erst|lies zuerst|die ganze datei|den zweiten fehler|die kopfzeile|wenn das klappt|wenn es klappt|wenn das geht|wenn das funktioniert|wenn es geht|diese funktion|die funktion|diese klasse|in out|in zeile 1*|in zeile 2*|in zeile 3*|in zeile 4*|in zeile 5*|in zeile 6*|in zeile 7*|in zeile 8*|in zeile 9*|sag mir wenn|sag mir , wenn|sag bescheid wenn|melde dich wenn|gib bescheid wenn|die schritte|bau das ein|^warte mit|^warte noch|^warte kurz|^wart mal|^moment|nimm hier nicht|benutz hier nicht|hier nicht den|hier nicht die|hier nicht das|dieses mal|diesmal|dies mal|fur diese antwort|ausnahmsweise|einmalig",
        ),
        (
            Style,
            "kebab case|snake case|camelcase|camel case|pascalcase|kleinbuchstaben|grossbuchstaben|kleingeschrieben|im imperativ|imperativ|im prasens|in utc|als utc|gespeichert|speichern wir|liegen neben|liegt neben|neben den|neben dem|daneben|hochkommas|einfache anfuhrungszeichen|leerzeichen|tabs|alphabetisch|auf englisch|auf deutsch|englisch|deutsch|nach dem schema|heissen|stehen in|steht in|klein|kurz|atomar|schlank|flach|im iso format|iso format|eine komponente pro|eine klasse pro|frei von|kommt in|kommen in|gehort in|gehoren in|liegt in|liegen in|kleinschreiben|in cent|als integer|im iso|grossgeschrieben|feste version|mit fester version|zuerst",
        ),
        (
            Change,
            "^losch|^losche|^loesch|^loesche|^entfern|^entferne|^benenn|^benenne|^verschieb|^verschiebe|^ersetz|^ersetze|^ubersetz|^ubersetze|^uebersetz|^schreib .. um|^fix|^fixe|^korrigier|^korrigiere|^kopier|^kopiere|^revertiere|^anderst|^setz|^stell|^sortier|^aktualisier",
        ),
        (
            Reallow,
            "du darfst .. wieder|darfst du wieder|du kannst .. wieder|kannst du wieder|wieder erlaubt|wieder okay|wieder ok|geht wieder|sind wieder in ordnung|ist wieder in ordnung|darf wieder|durfen wieder|darfst wieder|kannst wieder|jetzt doch ok|jetzt doch erlaubt|doch wieder ok|sind jetzt ok|ist jetzt ok|doch erlaubt|jetzt erlaubt|ist ab jetzt ok|ist ab jetzt erlaubt|ist ab sofort erlaubt|ist ab sofort ok|sind ab sofort ok|du darfst jetzt|du kannst jetzt|jetzt darfst du|ab jetzt darfst du|ab sofort darfst du|darfst du jetzt|kannst du jetzt|ist jetzt in ordnung|sind jetzt in ordnung|du darfst ab jetzt|du darfst ab sofort|doch ok|doch okay|doch in ordnung|jetzt doch|ist jetzt freigegeben|sind jetzt freigegeben|darf jetzt|durfen jetzt|darfst jetzt",
        ),
        (
            RuleName,
            "regel|regeln|sache|vorgabe|vorgaben|einschrankung|limit|verbot|ansage|das mit|gesagt|mehr|wieder|vorhin|fruher|bezuglich|benutzen|verwenden|darfst|kannst",
        ),
        (
            Duty,
            "mussen|muessen|sollen|durfen nicht|duerfen nicht|darf nichts|durfen nur|gehoren in|gehort in|kommen in|gehoeren in",
        ),
        (
            Definite,
            "^der|^die|^das|^dieser|^diese|^dieses|^es|^er|^sie|^wir|^ich|^du|^man|^da|^jetzt|^mein|^meine|^alle|^beide|^dann",
        ),
        (
            Preface,
            "^nochmal :|^noch mal :|^noch einmal :|^noch was|^noch etwas|^eins noch|^noch eins|^ich wiederhole|^grundregel|^und noch was|^und noch etwas|^letzte sache|^erinnerung",
        ),
        (
            Cease,
            "aufhoren|aufzuhoren|aufhoeren|bleiben lassen|sein lassen|nicht mehr|unterlassen|damit aufhoren",
        ),
        (
            Head,
            "für die zukunft|fur die zukunft|fuer die zukunft|zwei dinge|2 dinge|drei dinge|ein paar dinge|zwei sachen|2 sachen|drei sachen|ein paar sachen|zwei regeln|2 regeln|drei regeln|ein paar regeln|grundregeln|spielregeln|hausregeln|unsere regeln|meine regeln|die regeln|regeln|ab jetzt|ab sofort|kunftig|konventionen|vorgaben|richtlinien|wunsche|so arbeiten wir|wie wir arbeiten|bitte beachten",
        ),
        (
            Paper,
            "mail|e mail|email|readme|wiki|doku|doc|docs|dokumentation|richtlinie|ticket|issue|changelog|ankundigung|prompt|systemprompt|^commit message :|^commit nachricht :|^nachricht :|^titel :|^betreff :|^anforderung :|^spec :|brief|beitrag|post|nachricht|folie|aushang|vorlage|beschreibung|anleitung|handbuch|abschnitt|satz|hinweis|ubersetz|ubersetze|text|seite",
        ),
        (
            Product,
            "^nutzer|^benutzer|^kunden|^admins|^besucher|nutzer mussen|nutzer durfen|nutzer sollen|benutzer mussen|benutzer durfen|benutzer sollen|kunden mussen|kunden durfen|der nutzer muss|der nutzer darf|der nutzer soll|der benutzer muss|der benutzer darf|der benutzer soll|der kunde muss|der kunde darf|der bot|der button|der knopf|die seite muss|die seite soll|das formular|das feld muss|das feld darf|die funktion muss|die funktion soll|die funktion darf|die methode muss|die methode soll|der endpunkt|die antwort muss|die app muss|die app soll|die api muss|die api soll|der server muss|der server soll|der job muss|der wert muss|der wert darf|das passwort muss|die liste muss|die liste soll|das fenster|das menu|die summe muss|das ergebnis muss|die ausgabe soll|die abfrage|der cache|die seitenleiste|der dialog|die komponente|das darf nie|das sollte nie|das muss immer|es darf nie|es sollte nie|das darf nicht|sollte eigentlich|bau die prufung ein|bau eine prufung|bau den check ein|bau das ein|fug die prufung|fuge die prufung|bau den filter|bau einen filter|warenkorb|baue die prufung|bau die validierung|prufung einbauen|mach das .. nie|sorg dafur dass der|sorg dafur dass die|sorg dafur , dass der|sorg dafur , dass die|das soll der|das soll die|die app darf|die seite darf",
        ),
        (
            Formerly,
            "in der alten firma|in der alten|im alten team|im alten projekt|im alten system|in meiner alten|bei meiner alten|beim alten|in der letzten firma|im letzten job|im letzten projekt|beim letzten|fruher|damals|durfte|durften|musste|mussten|sollte man nie|war verboten|waren verboten|war es verboten|hatten wir die regel|es gab die regel|gab es die regel|hatten eine regel|durftest|musstest|meiner vorigen|vorherigen firma|fruheren firma|im studium|an der uni",
        ),
        (
            Generic,
            "ein|eine|einen|einem|einer|jede|jeden|jeder|jedes|jedem|alle|allen|etwas|was|irgendwas|irgendein|irgendeine|mehrere|alles",
        ),
        (
            Reason,
            "weil|denn|da ich|da wir|sonst|damit|deshalb|deswegen|also|ich les|ich lese|ich kann|das ist|die sind|die ist|der ist|wir haben|so dass|sodass|den diff|das diff|ich hab|ich habe|ich bin",
        ),
        (
            Wonder,
            "komisch|seltsam|merkwurdig|hä|strange|wundert mich|ist es aber nicht|tut es aber nicht|ists aber nicht|aber ist es nicht|aber tut es nicht|macht es aber nicht|tut er aber nicht|tut sie aber nicht|das ist der bug|das ist der fehler|das ist das problem",
        ),
        (
            Relay,
            "^sag dem|^sag der|^sag ihm|^sag ihr|^sag den|^sag allen|^schreib dem|^schreib der|^schreib ihm|^schreib ihr|^schreib den|^richte|^erinner den|^erinner die|^frag den|^frag die|will der kunde|der kunde will|der chef will|sie will dass|er will dass|die kollegin will",
        ),
        (Known, "der|die|das|den|dem|diese|dieser|dieses|diesen"),
        (
            Drop,
            "vergiss|vergesst|ignorier|ignoriere|streich|streiche|losch|losche|kipp|kippe|verwirf|heb|hebe|nimm|lass|widerrufe|widerruf|aufheben|vergessen|ich nehme|nehme|entferne|entfern|setz|setze|kannst du vergessen",
        ),
        (
            RuleNoun,
            "regel|regeln|vorgabe|vorgaben|einschrankung|limit|verbot|grenze|begrenzung|ansage|anweisung|bedingung|obergrenze|vorschrift|pflicht|sache mit|das mit|zeilenlimit|wortlimit|budget",
        ),
        (
            Over,
            "gilt nicht mehr|gelten nicht mehr|ist hinfallig|ist vom tisch|ist aufgehoben|ist weg|ist gestrichen|ist passe|fallt weg|entfallt|ist erledigt|hat sich erledigt|ist uberholt|gilt nicht langer|brauchen wir nicht mehr|kann weg|ist geschichte|ist obsolet|ist tot|ist aus",
        ),
        (Halt, "hor auf|kein .. mehr|keine .. mehr|nicht mehr"),
        (
            Withdraw,
            "vergiss was ich|vergiss , was ich|vergiss die regel|vergiss meine regel|vergiss das mit|vergiss die sache mit|vergiss alles was ich|ignorier was ich|ignoriere was ich|ignorier die regel|ignoriere die regel|streich die regel|streiche die regel|streich das mit|die regel .. gilt nicht mehr|die regel .. ist aufgehoben|die regel .. fallt weg|die regel .. ist hinfallig|die regel .. ist vom tisch|die regel .. kannst du vergessen|regel .. gilt nicht langer|regel .. gilt nicht laenger|regel .. nicht mehr|gilt nicht mehr|was ich uber .. gesagt habe .. nicht mehr|was ich zu .. gesagt habe .. nicht mehr|ich nehme .. zuruck|nehme die regel .. zuruck|hebe die regel|heb die regel|lass die regel .. weg|loesch die regel|losch die regel|losche die regel|verwirf die regel|kipp die regel|die regel mit .. weg|du kannst die regel .. vergessen|kannst vergessen was ich|vergiss was ich .. gesagt habe|vergiss was ich .. gesagt hab|vergiss , was ich .. gesagt habe|vergiss , was ich .. gesagt hab|streich die .. regel|streich das|vergiss die .. regel|das mit .. gilt nicht mehr|das mit .. hat sich erledigt|hat sich erledigt|du musst nicht mehr|musst du nicht mehr|brauchst nicht mehr|brauchst du nicht mehr|musst nicht langer|nicht mehr notig|nicht mehr noetig|gilt nicht langer|gilt ab jetzt nicht mehr|ist hinfallig|ist vom tisch|ist aufgehoben|ist gestrichen|lass die .. regel|kipp die .. regel|die .. regel gilt nicht mehr|die .. regel ist|regel gilt nicht mehr|ich hab mir das mit .. anders|ich habe mir das mit .. anders|was ich uber .. gesagt hab|muss nicht mehr|mussen nicht mehr|nicht mehr gultig|die .. regel kannst du vergessen|regel kannst du vergessen|limit kannst du vergessen|kannst du vergessen|kannst du ab jetzt lassen|kannst du jetzt lassen|kannst du ab sofort lassen|vergiss das limit|vergiss die grenze|vergiss die begrenzung|heb das verbot|das verbot .. aufgehoben|limit gilt nicht|musst du .. nicht mehr|du nicht mehr fragen|du musst .. nicht mehr|musst .. nicht mehr fragen|brauchst .. nicht mehr|du musst .. nicht langer|muss man nicht mehr|muss jetzt nicht mehr|meinung geandert|anders uberlegt|du kannst mit .. aufhoren|kannst du dir sparen|ich lag falsch mit|ich lag bei .. falsch|ich hab mich bei .. geirrt|ich habe mich bei .. geirrt|ich nehm .. zuruck|vergiss .. einfach|vergiss .. wieder",
        ),
        (
            Touch,
            "fass .. nicht an|fasse .. nicht an|fasst .. nicht an|nicht anfassen|nicht anruhren|nicht anzufassen|ruhr .. nicht an|ruhre .. nicht an|lass .. in ruhe|lass .. so wie|finger weg|lass die finger von|nicht andern|nicht aendern|ander .. nicht|andere .. nicht|aendere .. nicht|nicht loschen|losch .. nicht|losche .. nicht|loesche .. nicht|nicht bearbeiten|bearbeite .. nicht|bearbeit .. nicht|nicht uberschreiben|uberschreib .. nicht|nicht verschieben|verschieb .. nicht|nicht umbenennen|benenn .. nicht um|geh nicht an|geh .. nicht ran|nicht rangehen|andere nichts|ander nichts|losch nichts|losche nichts|fass nichts|fasse nichts|unberuhrt|unangetastet|bleibt wie|bleiben wie|bleibt so|nicht umformatieren|nicht formatieren|formatier .. nicht|formatiere .. nicht|formatier keine|formatiere keine|losch keine|losche keine|loesche keine|ander keine|andere keine|aendere keine|verschieb keine|benenn keine|benenne keine",
        ),
        (
            Place,
            "ordner|ordnern|verzeichnis|verzeichnisse|verzeichnissen|datei|dateien|tabelle|tabellen|modul|module|modulen|branch|branches|paket|pakete|schema|schemas|datenbank|datenbanken|db|schnittstelle|schnittstellen|config|konfig|konfiguration|pipeline|migrationen|fixtures|snapshots|server|servern|cluster|secrets|env|vendor|infra|submodul|repo|repos|bibliothek|generierte|generierten|legacy|prod|produktion|staging|ubersetzungen|unter|code der|kommentare die|tests die|nicht von dir",
        ),
        (Solely, "nur|bloss|lediglich|einfach"),
    ],
};
