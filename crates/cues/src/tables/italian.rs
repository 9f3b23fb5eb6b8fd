//! Italian.

use crate::cue::Cue::{
    Absolute, Allowed, And, Aside, AskFirst, Cease, Change, Contrast, Definite, Drop, Duty, Each,
    Filler, Forbidden, Formerly, Generally, Generic, Halt, Head, Idiom, Lasting, Limit, Manner,
    Meaning, Modal, Narration, Negative, Now, Once, Order, Over, Paper, Place, Preface, Prefer,
    Product, Purpose, Question, Reallow, Reason, Relay, Remember, Report, Request, RuleName,
    RuleNoun, Scope, Solely, Style, Suppose, Tag, Task, Then, Topic, Touch, Trouble, We, Whenever,
    Withdraw, Wonder,
};
use crate::cue::{CueTable, Script};

pub(crate) const TABLE: CueTable = CueTable {
    script: Script::Latin,
    is_verb_last: false,
    common: "il|lo|la|i|gli|le|un|uno|una|di|del|della|dei|delle|e|o|io|tu|mi|ti|si|ci|mio|mia|tuo|tua|che|in|nel|nella|con|senza|per|su|sul|come|non|gia|piu|ma|al|alla|molto|tutto|tutti|quando|sempre|mai|qui|ora|adesso|questo|questa|quello|quella|niente|c|l|d|e|sono|fare|fai|perche|ogni|solo|anche|da|dal|se|poi",
    hasty: "nn=non|cmq=comunque|xke=perche|xche=perche|perke=perche|x=per|ke=che|qlc=qualche|qlcs=qualcosa|qnd=quando|tt=tutto|sn=sono|grz=grazie|pls=per favore|plz=per favore|smp=sempre|nnt=niente|msg=messaggio",
    clitics: "l-|c-|d-|n-|un-|dell-|all-|nell-|quest-",
    cues: &[
        (
            Lasting,
            "d ora in poi|da ora in poi|da adesso in poi|d ora in avanti|da ora in avanti|da oggi in poi|a partire da ora|a partire da adesso|a partire da oggi|in futuro|per il futuro|di regola|come regola|come regola generale|regola generale|per regola|la regola e|e la regola|per principio|per questo progetto|per tutto il progetto|in tutto il progetto|per questa sessione|in nessun caso|in nessuna circostanza|per nessun motivo|per nessuna ragione|in alcun caso|qualunque cosa succeda|qualsiasi cosa|costi quel che costi|senza eccezioni|senza eccezione|fino a nuovo ordine|finche non ti dico|finche non dico|a meno che non|salvo che io|salvo diversa|una volta per tutte|in tutte le risposte|in tutte le tue risposte|nelle tue risposte|nelle risposte|in ogni risposta|per convenzione|la nostra convenzione|mai piu|vale sempre|vale per|vale anche|anche in futuro|anche dopo|non un centesimo di piu|permanentemente|in ogni caso|e anche in futuro|fonte di verita|la fonte di verita|fa fede|fanno fede|e il riferimento|il riferimento e|prendi l abitudine|abituati a|in questa chat|a meno che io|a meno che non te|se non te lo|salvo che te|finche non te|dora in poi|la prossima volta|qualsiasi cosa succeda|qualunque cosa tu faccia|solo se li chiedo|solo se te lo chiedo|solo se lo chiedo|solo se chiedo|deve restare|devono restare|deve rimanere|il resto della|per il resto|fino alla fine|per sempre|in tutto il|in tutta la|si fa cosi|facciamo cosi|assicurati sempre|assicurati di fare sempre|assicurati di non|fai sempre in modo|fai in modo di sempre|ricordati sempre",
        ),
        (
            Generally,
            "in generale|generalmente|di norma|normalmente|ovunque|dappertutto|da nessuna parte|ogni|ogni volta|tutti i|tutte le|tutto il|se possibile|quando possibile|per quanto possibile|per sessione|al giorno|per settimana|al mese|per commit|per file|per esecuzione|per run|sistematicamente|di default|piu|se non serve davvero|se non serve|se non strettamente|a meno che|salvo che|se non necessario|quando puoi|ogni volta che puoi|dove possibile|tutto quello che sta|qualsiasi cosa in|tutto cio che",
        ),
        (
            Absolute,
            "sempre|mai|nessun|nessuno|nessuna|neanche una volta|esclusivamente|unicamente|in ogni momento|assolutamente",
        ),
        (
            Remember,
            "ricorda che|ricordati che|ricordati di|ricordati|ricorda di|ricorda :|tieni a mente|tieni presente|tenete presente|tieni conto|prendi nota|segnati|segnati che|annota che|nota :|nota che|nota bene|nb|non dimenticare|non dimenticarti|non scordare|non scordarti|non ti dimenticare|sappi che|per tua informazione|per informazione|per dopo|per il seguito|importante :|attenzione :|fyi|memorizza|occhio che|da sapere|regola :|promemoria|da ricordare|giusto perche tu sappia|buono a sapersi|tienilo a mente|tienilo presente|ricordatelo|segnatelo|annotalo|annota$|annota :",
        ),
        (
            AskFirst,
            "chiedimi|chiedi prima|chiedi a me|prima chiedi|chiedermi|chiederlo a me|mi chiedi|parlane con me|parlarne con me|parla con me|ne parli con me|avvisami prima|avvisami|avvertimi|mi avvisi|avvisarmi|consultami|consultarmi|concorda con me|concordalo con me|concordare con me|verifica con me|conferma con me|confermare con me|senti me|prima senti me|sentimi prima|il mio ok|il mio okay|il mio permesso|il mio consenso|la mia approvazione|la mia conferma|la mia autorizzazione|mio via libera|mio benestare|mio ok|mia approvazione|mia conferma|mio permesso|senza il mio|senza la mia|aspetta che io|aspetta il mio|aspetta la mia|finche non confermo|finche non approvo|fammi vedere prima|mostrami prima|dimmi prima|dimmelo prima|passa da me|prima passa da me|fermati e chiedi|chiedi conferma|chiedi il permesso|chiedimi conferma|prima mi|prima .. con me|con me prima|ne parliamo prima|prima di .. chiedi|prima di .. , chiedi|prima .. chiedi|chiamami prima|nel dubbio .. chiedi|nel dubbio chiedi|in caso di dubbio .. chiedi|richiede il mio|richiedono il mio|ha bisogno del mio|serve il mio ok|il mio benestare|dimmelo subito|dimmelo|senza che io|senza che lo|finche non ho visto|finche non vedo|prima che io|prima che lo veda|voglio vedere .. prima|vorrei vedere .. prima|fammi vedere .. prima|fammi rivedere .. prima|chiedi se|chiedimi se|fermati e chiedimi|senza il mio permesso|senza permesso|senza il mio ok|senza avvisarmi|senza consultarmi|senza chiedermi|senza chiedere|senza la mia approvazione|col mio permesso|dillo|non inventare|non tirare a indovinare|non indovinare|non supporre|se te lo chiedo|se te lo dico|quando te lo chiedo|quando te lo dico|quando lo dico io|luce verde|via libera|aspetta che|fammi scegliere|fammi decidere|decido io|scelgo io|chiedi due volte|hai dubbi|se hai dubbi|serve il mio|serve un mio|prima che io dica|finche non dico|finche non ti dico|dopo il mio ok|solo dopo il mio|non sei sicuro chiedi|non sei sicuro , chiedi|nel dubbio|in caso di dubbio|se non sai",
        ),
        (
            Allowed,
            "puoi .. senza|senza chiedere|senza chiedermi|senza chiedermelo|senza chiedere permesso|senza permesso|senza avvisarmi|non serve che chiedi|non serve chiedere|non c e bisogno di chiedere|non c e bisogno che|non devi chiedere|non devi chiedermi|non occorre chiedere|non chiedere|non chiedermi|quando vuoi|quando ti pare|ogni volta che vuoi|quanto vuoi|tutte le volte che vuoi|hai il permesso|hai via libera|hai carta bianca|carta bianca|sei autorizzato|sei libero di|e permesso|liberamente|fai pure|non serve chiedermelo|non serve il mio|puoi .. ma non|puoi .. ma mai|puoi .. pero non|vanno bene per|va bene per|non ti serve il mio|hai il mio permesso|come vuoi|a tua discrezione|per conto tuo|da solo",
        ),
        (
            Forbidden,
            "vietato|vietata|vietati|vietate|e vietato|proibito|proibita|proibiti|non e permesso|non sono permessi|non e consentito|divieto|astieniti|non ti azzardare|non azzardarti|guai a te|non voglio vedere|non voglio che|non voglio piu|non voglio mai|mai voglio|giu le mani|stai lontano|stai alla larga|alla larga da|tabu|intoccabile|lascia stare|lascia in pace|niente da fare in|preferirei che non|preferisco che non|preferirei non|vorrei che non|mi piacerebbe che non|apprezzerei che non|gradirei che non|non voglio che tu|smettila|smettila di|smetti di|piantala|piantala di|finiscila|basta con|basta|non toccare mai piu|non farlo piu|non farlo mai|non e affar tuo|stai fuori da|fuori dalla|non voglio .. che|davvero non voglio che|basta componenti|da adesso basta|non si modifica|non si modificano|non si tocca|non si toccano|non si cambia|non si usa|non si fa|non propormi|non suggerirmi|basta con gli|basta con le|basta con i|non .. di tua iniziativa|mai .. di tua iniziativa|non .. da solo|stai fuori|non sopporto|smettila con|risparmiami|risparmiami le|risparmiami i|risparmiaci|niente|evita|evita i|evita le|fuori discussione|sta lontano|neanche per sogno|non voglio nessun|non voglio nessuna|non voglio nuove|lo lancio io|la lancio io|tu no|solo io|senza .. niente|senza .. nessun|senza .. non si|niente .. senza|nessun .. senza|e sacro|e sacra|e confidenziale|e riservato|non e tuo|non e tua|non spetta a te|ti ho detto di non|ti avevo detto di non|ti ho gia detto di non|ti ho chiesto di non",
        ),
        (
            Order,
            "^usa|^usare|^usate|^utilizza|^utilizzare|^scrivi|^scrivere|^scrivimi|^rispondi|^rispondere|^rispondimi|^mantieni|^mantenere|^tieni|^rispetta|^rispettare|^segui|^seguire|^preferisci|^cerca di|^assicurati|^fai in modo|^fai attenzione|^cura|^metti|^mettere|^dai|^dammi|^mostra|^mostrami|^fammi|^fammi vedere|^lascia|^lasciare|^limita|^limitati|^sii|^parla|^parlami|^chiamami|^dammi del|^dai del|^tratta|^commenta|^documenta|^testa|^lancia|^verifica|^aggiungi|^menziona|^cita|^spiega|^firma|^formatta|^indenta|^spendi|^evita|^chiedi|^nomina|^salta|^finisci|^inizia|^considera|^niente|^solo|^fai|^fare|^rivedi|^passa|^aggiorna|^committa|^pusha|^deploya|^uccidi|uccidilo|lanciali|^vai|^resta|^avvisami|^raggruppa|^separa|^ordina|^arrotonda|^lavora|^prendi|^non usare|^non fare|^non mettere|^non toccare|avvisami|lancia|^smettila|^fermati|^dimmi|dimmelo|salta|^non creare|^fissa|^tocca|^vacci|^aspetta|^chiedimi|^avvisa|^dillo|^scegli|^attieniti|^indica|^numera|^comincia|^cifra|^maschera|^logga|^mocka|^simula|^prova|^trattami|^risparmiami|^risparmia|^ricorda|^ricordati|^smetti|^taglia|^annota|^usi|^utilizzi|^risponda|^eviti|^mantenga|^scriva|^conserva|^salva|^segna",
        ),
        (
            Negative,
            "non|ne|mai|senza|niente|nulla|nessun|nessuno|nessuna|neanche|nemmeno|neppure|non toccare|evita|evitare|evitate|smettila di|smetti di|basta con|basta|^evita",
        ),
        (
            Modal,
            "deve|devono|devi|dovrebbe|dovrebbero|dovresti|bisogna|occorre|si deve|si devono|e obbligatorio|obbligatorio|obbligatoria|obbligatori|e necessario|serve|voglio|vorrei|voglio che|mi piace|mi piacerebbe|mi aspetto|pretendo|odio|detesto|puo|possono|non puo|non possono|va in|vanno in|va nel|vanno nel|va scritto|vanno scritti|vanno scritte|va fatto|vanno fatti|si scrive|si scrivono|si usa|si usano|si mette|si fa|si indenta|sono da|e da|dovra|dovranno|usi|scrivi|rispondi|fai|metti|mi dai",
        ),
        (
            Limit,
            "max|massimo|al massimo|al piu|non piu di|piu di|meno di|fino a|tetto|limite|budget|minimo|almeno|come minimo|oltre|superare|superi|superino|superare le|supera|eccedere|maggiore di|minore di|piu lungo|piu lunga|piu lunghe|piu lunghi|sotto i|sopra i|oltre il minuto|oltre un|sopra le|solo tramite|solo via|solo per|solo con|solo da|solo attraverso|soltanto per|soltanto tramite|colonne|caratteri|da nessun altra parte|in nessun altro|tu modifica solo|tu tocca solo|tu scrivi solo|per risposta|per messaggio|bastano|basta|niente sopra|righe max|frasi max|in blocchi da|a lotti di",
        ),
        (
            Prefer,
            "preferisco|preferirei|preferisco che|la mia preferenza|preferiamo|preferibilmente|di preferenza|meglio usare|mi piace di piu|sono piu per|meglio .. che|piuttosto che|ti sarei grato|sarei grato|sarebbe meglio|sarebbe bello|mi piacerebbe che|vorrei che|se possibile|gradirei|apprezzerei|e importante che|e molto importante che|ci tengo che|ci tengo|insisto|prendi l abitudine|abituati a|odio|detesto|mi aspetto che|mi aspetto|pretendo|^preferisci|^privilegia|attieniti|limitati a|resta su|rimani su|non mi importa|non mi interessa|me ne frego|contano solo|conta solo|importa solo|apprezzerei se|mi farebbe piacere|mi da fastidio|mi danno fastidio|vorrei|voglio che|e non aggettivi|scrivi cosi|fai cosi|resta alla|resta sulla|quello che mi da fastidio",
        ),
        (
            Scope,
            "in questo progetto|in questo repo|in questo repository|in questo codebase|in questa codebase|nel nostro codice|nel nostro progetto|nostro codice|nostro progetto|nel codice|nel repo|nel mio codice|nel mio progetto|qui da noi|da noi|qui si|su questa macchina|su questo server|su questo computer|su main|sul main|su master|in produzione|in prod|sul branch release|branch release|branch di release|nel team|nel nostro team|in questa sessione|in casa|^qui|in sql|nel sql|in python|nel python|in go|nel go|in rust|nel rust|in typescript|nel typescript|in javascript|nel javascript|in css|nel css|in html|nel html|in yaml|nel yaml|in json|nel json|in bash|nel bash|in java|nel java|in kotlin|nel kotlin|in swift|nel swift|in markdown|nel markdown|in latex|nel latex|in terraform|nel terraform|in docker|nel docker",
        ),
        (
            We,
            "usiamo|noi usiamo|indentiamo|si indenta|si usa|si usano|scriviamo|mettiamo|noi|ci diamo del tu|committiamo|facciamo|tutti i commit|tutte le funzioni|tutti i file|ogni commit|ogni funzione|ogni file|ogni bugfix|ogni fix|ogni pr|ogni test|ogni modifica|ogni correzione|convenzione|le funzioni|i commit|le date|i messaggi di commit|una pr|un commit|nessun comando|nessuna funzione|nessuna pr|nessun file|le variabili|i commenti|i test|i nomi|tutto il codice|policy|le pr|i file|^tab|^spazi|^i nomi|^nomi|^i messaggi|^i test|^i branch|^gli errori|^i log|^le date|^i prezzi|^gli import|^test|^commit|^pr|le date si|nessuno modifica|nessuno tocca|^i commenti|non si .. mai|si .. sempre|mai si|non va mai|non vanno mai|va sempre|vanno sempre|non viene mai|non vengono mai|da noi si|qui si|qui usiamo|qui facciamo|qui non si|facciamo squash|lavoriamo|mergiamo|^nomi dei|^nomi di|^nomi delle|^il nostro|^la nostra|^i nostri|^i soldi|^il css|^sql|^log|^messaggi|^i testi|^nei testi|^testi|^file nuovi|^i nuovi|^le nuove|^date|^gli importi|^le funzioni|^funzioni|^i metodi|^le classi|^i moduli|^le migrazioni|^i segreti|^le password|^le chiavi|^i commit|^le query|^le colonne|^le tabelle|^ogni|^tutti|^tutte|^tutto",
        ),
        (
            Contrast,
            ", non|e non|, mai|invece di|invece che|al posto di|, niente|ma non|piuttosto che|anziche|non spazi|non tab|non in",
        ),
        (
            Manner,
            "le tue risposte|tue risposte|la tua risposta|i tuoi messaggi|i tuoi commenti|le tue spiegazioni|rispondi in|rispondimi in|rispondi sempre|risposte brevi|risposte corte|frasi brevi|frasi corte|in italiano|in inglese|in francese|in tedesco|in spagnolo|emoji|emojis|faccine|scuse|scusarti|scusati|ti scusi|chiedere scusa|complimenti|adulazione|dammi del tu|dammi del lei|del tu|del lei|sii diretto|sii breve|sii conciso|sii onesto|sii educato|senza giri di parole|elenchi puntati|titoli|grassetto|tabelle|diff|file interi|file intero|tutto il file|solo il diff|solo i diff|solo diff|riassunto alla fine|riassunti|riassumere|tono|gergo|linguaggio semplice|linguaggio chiaro|chiamami|per nome|messaggi di commit|messaggio di commit|passo passo|passo per passo|una domanda alla volta|chiacchiere|spiegazioni|risposte lunghe|le risposte lunghe|piu breve|piu brevi|piu corto|piu corte|parlami in|dai del tu|diamoci del tu|diamoci del lei|testi lunghi|papiri|stack trace|trattami|versione breve|le basi|metrico|dettagli solo|dritto al punto|al punto|introduzione|introduzioni|riassunti finali|saluti|giri di parole|cortesia|prosa|pensa ad alta voce|meno testo|piu dettagli|i tuoi piani|il tuo codice|le tue domande|abbreviazioni|prima il risultato|solo il codice|dammi del|le tue|i tuoi|meno .. piu|in una riga|su una riga|in una sola riga|si o no",
        ),
        (
            Topic,
            "in breve|breve|brevemente|corto|veloce|velocemente|in una frase|in due parole|conciso|sinteticamente|sintetico",
        ),
        (
            Meaning,
            "quando dico|quando scrivo|quando parlo di|se dico|intendo sempre|intendo|si intende|mi riferisco sempre|mi riferisco a|significa sempre|e sempre il|e sempre la|si riferisce a|voglio dire",
        ),
        (
            Each,
            "ogni volta che|tutte le volte che|dopo ogni|tutto quello che scrivi|tutto cio che scrivi|tutto quello che fai|tutto il codice che|voglio tutte|voglio tutti|tutte le date|tutti i nomi|tutti i messaggi|nel dubbio|in caso di dubbio|se hai dubbi|se sei in dubbio|supportiamo solo|usiamo solo|accettiamo solo|permettiamo solo|prima di ogni|ad ogni|per tutti i nuovi|per tutte le nuove|per ogni nuov*|tutti i nuovi|tutte le nuove|che aggiungi|che crei|che scrivi|che usi|che tocchi|che cambi|che fai|che modifichi|che generi|che cancelli|che installi|tutto quello che|tutto cio che|quando parli|quando scrivi|solo le righe che|solo i file che|solo righe che|solo sui file che|un commit per|una pr per|per ticket|per ogni ticket|esattamente un|vale ancora|vale sempre|^un .. per|^una .. per|^un solo .. per|^una sola .. per",
        ),
        (
            Whenever,
            "non appena|appena|quando tu|quando cambi|quando tocchi|quando fai|quando finisci|quando modifichi|se un|se una|se qualcosa|se c e|se tocchi|se tocca|se serve|se ti serve|se cambi|se devi|se vuoi|se il|se la|se manca|prima di|prima del|prima della|dopo aver|dopo|in caso di|nel caso|al termine|solo dopo|solo quando|solo se|una volta che|quando aggiungi|quando crei|quando scrivi|quando un|quando una|quando il|quando la|quando lavori|quando apri|se i|se le|se hai dubbi|nel dubbio|in caso di dubbio|per qualsiasi|per ogni|ogni volta che|prima di ogni|dopo ogni|se un test|quando metti|quando basta|quando si puo|appena puoi|se non sei|se nn sei|se non sai|se hai|se ci sono piu|quando ci sono piu|quando un test|a meno che|finche|ogni volta che modifichi|ogni volta che tocchi|ogni volta che cambi|fuori da|che servono|dove serve|quando serve",
        ),
        (
            Task,
            "^sistema|^correggi|^aggiungi|^scrivi|^fai|^crea|^costruisci|^rinomina|^cancella|^elimina|^togli|^rimuovi|^rifattorizza|^refactora|^spiega|^spiegami|^mostra|^mostrami|^traduci|^sposta|^metti|^lancia|^esegui|^cerca|^trova|^guarda|^leggi|^apri|^controlla|^cambia|^modifica|^sostituisci|^installa|^genera|^converti|^implementa|^ottimizza|^pulisci|^testa|^prova|^riassumi|^puoi|^potresti|^usa|^dammi|^dimmi|^ripara|^continua|^aiuta|^aiutami|^confronta|^analizza|^descrivi|^unisci|^migra|^semplifica|^estrai|^passa|^passiamo|^riscrivi|^fammi|^ho bisogno|^bisogna|^aggiorna|^adesso|^ora|^prepara|^finisci|^verifica|^bumpa|^incolla|^fixa|^rilancia|^aggiusta",
        ),
        (
            Purpose,
            "cosi|cosi che|in modo che|in modo da|affinche|perche|che verifichi|che controlli|che garantisca|per garantire|per evitare|per assicurare|una regola|una validazione|un test che|dicendo|che il|che la",
        ),
        (
            Question,
            "^posso|^possiamo|^si puo|^devo|^dobbiamo|^dovrei|^dovremmo|^bisogna|^cosa|^dove|^chi|^quale|^quali|^quanto|^hai|^ha|^sai|^ti ricordi|^ricordi|^puoi|^potresti|^c e|^serve|^vale|o no$|o basta|^che cosa|^cos e|^funziona|^che vuol dire|^che significa|^cosa vuol|^come si|^come mai|vero$|giusto$|eh$|differenza tra|differenza fra",
        ),
        (
            Request,
            "^puoi|^potresti|^mi puoi|^riesci a|^potrebbe|^mi faresti",
        ),
        (
            Narration,
            "io sempre|io non|non ho mai|ho sempre|mi dimentico|non l avrei mai|avrei|avrebbe|mai visto|mai sentito|mai trovato|mai funzionato|non ha mai|ha sempre|non funziona mai|non torna mai|non finisce mai|fallisce sempre|da sempre|sempre lo stesso|sempre la stessa|sempre gli stessi|lo stesso errore|la stessa|come sempre|come al solito|deve essere|deve per forza|deve esserci|dev essere|doveva|dovevano|deve aver|sara|ieri|settimana scorsa|anno scorso|non so|non capisco|non ho idea|non importa|non fa niente|nessun problema|non c e problema|niente fretta|nessuna fretta|non funziona|non era|non e|non quello|non quella|non ancora|non ora|non adesso|quasi mai|volevo|pensavo|l ha fatto|succede sempre|sempre cosi|sempre uguale|capita sempre|prima del refactor|prima della migrazione|prima della modifica|abbiamo sempre avuto|avevamo sempre|non l abbiamo mai|non abbiamo mai|mai messo|mai usato|mai voluto|nessun test e stato|nessun .. e stato|nessuna .. e stata|non dovrebbe mai succedere|dovrebbe mai|ahah|haha|lol|finora|fino a ieri|all epoca|credo che|forse|c e un|c e una|non voglio perder*|non avremmo|avremmo mai|avremmo dovuto|mai dovuto|nessuno mi|nessuno sa|nessuno ha|non vedo|non ho|non posso|non riesco|non trovo|non c e|non appare|non carica|non succede|continua a dire|insiste che|passano adesso|passano ora|sono verdi|non l ho mai|mai detto|ho sempre pensato|pensavo fosse|vedo|e sempre bello|sempre bello|sempre piacevole|succede solo|capita solo|solo quando lo|avevi ragione|sono spariti|e sparito|si e rotto|nell ultimo progetto|nel progetto precedente|*avamo|*evamo|*ivamo|sbagliat*|andava bene|era ok|dimentico sempre|scordo sempre|nessuna .. necessaria|nessun .. necessario|non mi serve piu|non mi serve|anni fa|mesi fa|manca solo|mancano solo|hai dimenticato|non voglio fare|non voglio continuare|non voglio spender*|per qualche motivo|non so perche|colpa mia|mia colpa|ogni volta che apro|ogni volta che io|mai vista una|mai visto un|succede niente|comincio sempre|inizio sempre|uso sempre|nessun file|non dovrebbe mai|ogni volta che clicco|quando clicco|appena clicco|ogni volta che salvo|ogni volta che lancio|ogni volta che premo|ma non lo e|ma non lo fa|ma non e cosi|ma non funziona",
        ),
        (
            Trouble,
            "errore|errori|fallisce|falliscono|fallito|crasha|rotto|rompe|eccezione|timeout|lento|bloccato|si blocca|rosso|non funziona|non va|problema|strano|da quando|dal",
        ),
        (
            Report,
            "la documentazione|documentazione dice|i docs|il linter|linter dice|il compilatore|il ticket|il capo|la capa|il mio capo|dice che|dicono che|ha detto|ha scritto|hanno detto|secondo|il readme|git dice|il messaggio dice|il log dice|stackoverflow|pare che|il test dice|c e scritto|il collega|il mio collega|gli ho detto|le ho detto|ho detto loro|la doc dice|nella doc|la doc parla|dalla doc|l avvocato|il legale|il cliente scrive|il supporto|dalla specifica|dalle specifiche|dalla spec|dal design doc|design doc|dal documento|dal wiki|dal ticket :|dai requisiti|dice alla gente",
        ),
        (
            Suppose,
            "e se|cosa succede se|cosa succederebbe|supponiamo|supponi|immagina|immaginiamo|mettiamo che|diciamo che|in teoria|ipoteticamente|se non usassimo|se non chiudessimo|se usassimo|se fosse|se avessimo",
        ),
        (
            Idiom,
            "^non importa|^non fa niente|^fa niente|^lascia perdere|^lascia stare$|^non ti preoccupare|^non preoccuparti|^nessun problema|^di niente|^no ,|^non ancora|^non ora|^non e niente|^tranquillo|^tranquilla|^meglio tardi|^figurati|^mai dire mai|^non fa nulla|^non ricordo|^non mi ricordo|^ricordo|^non credo|^ti ricordi|^mi ricordo|^non ho idea|^scusa|^scusami|^mi dispiace|^colpa mia|^lascia stare|^non e male|^nessuna idea|^non ne ho idea|^non mollare|^non fermarti|^mai vista|^mai visto|^mai successo|^lascia ,|^lascia che|^niente ,|^niente$|^niente da fare|^non capisco|^non lo so|differenza tra|differenza fra|dimentica .. per ora|lascia perdere .. per ora|lascia stare .. per ora|non dimenticare il|non dimenticare la",
        ),
        (
            Now,
            "ora|adesso|per ora|per adesso|al momento|per il momento|stavolta|questa volta|ancora|oggi|solo qui|in questo file|in questa funzione|per questa pr|per questo commit|solo stavolta|non ancora|e una demo|solo una demo|se possibile|mi serve ancora|un attimo|un momento|un secondo|per questa volta|in questa risposta|eccezionalmente|ci serve ancora|serve ancora|ancora bisogno",
        ),
        (Then, "^allora|^in quel caso|^in tal caso|^se si"),
        (
            Aside,
            "a proposito|e a proposito|tra l altro|e tra l altro|inoltre|e inoltre|e anche|altra cosa|e un altra cosa|un altra cosa|gia che ci sei|visto che ci sei|e come regola|e in generale|e d ora in poi|e ricorda|e ricordati|e non dimenticare|e mai|e sempre|ma mai|ma sempre|btw|ps|e per favore|e poi|e da ora in poi|e comunque|e tra parentesi|tra parentesi",
        ),
        (And, "e|ed|ma"),
        (
            Filler,
            "per favore|perfavore|per piacere|ok|va bene|bene|allora|e|ma|ah|oh|ehi|ciao|si|no|grazie|solo|poi|anche|senti|eh|dai|beh|guarda|ancora|come dicevo|pure|quindi|ripeto|lo ripeto|un altra cosa|altra cosa|ancora una cosa|un ultima cosa|a proposito|tra parentesi|fra parentesi|inoltre|promemoria|e un altra cosa|tra l altro",
        ),
        (
            Tag,
            "ok|va bene|si|no|capito|chiaro|d accordo|intesi|vero|giusto|per favore|grazie|eh",
        ),
        (
            Once,
            "quando hai finito|quando finisci|appena hai finito|alla riga|nella riga|riga 1|riga 2|riga 3|riga 4|le ultime|gli ultimi|l ultima|l ultimo|l altra|l altro|la seconda|il secondo|questo approccio|questa idea|questo file|dal file|nel file|domani|non cosi|fallo cosi|farlo cosi|lascialo cosi|questo bug|questo test|questo errore|errore di battitura|opzione a|opzione b|punto e virgola|il vecchio|la vecchia|il nuovo|la nuova|dal readme|riprova|^usa .. qui|^metti .. qui|tutto il file|il file intero|il secondo errore|non includere l|non includere il|non includere la|non aggiungere il|non aggiungere la|non mettere il|non mettere la|se funziona|se va bene|se va|questa funzione|questa classe|questo modulo|branch sbagliato|la risposta in|quel branch|dimmi quando|avvisami quando|i passi|aggiungi il controllo|aggiungi la verifica|^aspetta col|^aspetta con|^aspetta un|^aspetta che|non usare il .. qui|non usare la .. qui|qui non usare|stavolta|questa volta|per questa volta|in questa risposta|eccezionalmente",
        ),
        (
            Style,
            "kebab case|snake case|camelcase|minuscolo|minuscole|maiuscolo|all imperativo|imperativo|al presente|in utc|si salvano|sono salvate|salvate in|vanno accanto|accanto al|accanto alla|vicino al|apici singoli|spazi|tab|ordine alfabetico|in inglese|in italiano|si chiamano|vanno in|vanno nella|piccoli|piccolo|piccole|corti|corte|atomici|formato iso|in formato|un componente per|una classe per|senza jquery|con i trattini|prima i|va nei|va in|vanno nei|va nella|in iso|in centesimi|in minuscolo|in maiuscolo|versione fissa|forma di cortesia",
        ),
        (
            Change,
            "^cancella|^elimina|^rimuovi|^rinomina|^sposta|^sostituisci|^traduci|^converti|^correggi|^sistema|^riscrivi|^copia|^unisci|^annulla|^togli|^ripristina",
        ),
        (
            Reallow,
            "puoi di nuovo|puoi .. di nuovo|puoi tornare a|puoi riprendere a|di nuovo permesso|di nuovo permessi|di nuovo consentito|sono di nuovo ok|va di nuovo bene|vanno di nuovo bene|ora puoi|adesso puoi|d ora in poi puoi|ora si puo|adesso si puo|e di nuovo permesso|sono di nuovo permessi|ora e permesso|ora va bene|adesso va bene|alla fine .. ok|alla fine va bene|alla fine vanno bene|ormai puoi|alla fine .. bene",
        ),
        (
            RuleName,
            "regola|regole|storia|faccenda|limite|divieto|restrizione|detto|piu|nuovo|prima|usare|riguardo",
        ),
        (
            Duty,
            "devono|non devono|non possono|non si deve|non si devono|si deve|si devono|vanno nel*|vanno in|vanno nell|vanno sul*",
        ),
        (
            Definite,
            "^il|^lo|^la|^l|^questo|^questa|^questi|^queste|^quel|^quello|^quella|^esso|^noi|^io|^tu|^mio|^mia|^c|^ci|^egli|^lui|^lei|^loro",
        ),
        (
            Preface,
            "^di nuovo :|^ripeto|^un altra cosa|^altra cosa|^ancora una cosa|^e ancora una cosa|^un ultima cosa|^promemoria|^regola|^e un altra cosa",
        ),
        (
            Cease,
            "smettere di|smetterla di|smetterla|evitare di|piantarla",
        ),
        (
            Head,
            "per il futuro|in futuro|per dopo|due cose|2 cose|tre cose|3 cose|un paio di cose|alcune cose|due regole|2 regole|tre regole|alcune regole|le regole|le mie regole|le nostre regole|regole|d ora in poi|da ora in poi|convenzioni|linee guida|norme|preferenze|promemoria|come lavoriamo",
        ),
        (
            Paper,
            "mail|email|e mail|readme|wiki|doc|docs|documentazione|policy|ticket|changelog|annuncio|prompt|^messaggio di commit :|^messaggio del commit :|^messaggio :|^titolo :|^oggetto :|^requisito :|lettera|articolo|post|messaggio|slack|slide|cartello|modello|descrizione|guida|manuale|sezione|frase|traduci|testo|nota",
        ),
        (
            Product,
            "^gli utenti|^i clienti|gli utenti devono|gli utenti non devono|gli utenti possono|i clienti devono|l utente deve|l utente non deve|l utente puo|il cliente deve|il bot deve|il bot non|il bottone deve|il pulsante deve|la pagina deve|il form deve|il campo deve|la funzione deve|il metodo deve|l endpoint deve|la risposta deve|l app deve|l api deve|il server deve|il job deve|il valore deve|la password deve|la lista deve|il menu|la finestra|il totale deve|il risultato deve|l output deve|la query deve|la cache deve|il componente|gli admin|i visitatori|non dovrebbe|dovrebbe sempre|dovrebbe mai|aggiungi il controllo|aggiungi un controllo|metti il controllo|metti un controllo|aggiungi la validazione|aggiungi una verifica|aggiungi la verifica|aggiungi un filtro|implementa il filtro|implementa quel filtro|il carrello|metti un filtro|l app non deve|l applicazione non deve|la pagina non deve",
        ),
        (
            Formerly,
            "nella vecchia azienda|nella vecchia|nel vecchio|nella mia vecchia|nel mio vecchio|vecchia azienda|vecchio lavoro|azienda precedente|lavoro precedente|progetto precedente|prima bisognava|bisognava|una volta si doveva|dovevamo|doveva|dovevano|dovevo|poteva|potevano|potevamo|era vietato|erano vietati|avevamo una regola|c era una regola|a quei tempi|all universita",
        ),
        (
            Generic,
            "un|una|uno|qualche|qualcosa|ogni|tutto|tutta|tutti|tutte|qualsiasi|qualunque|vari|varie|dei|delle|degli",
        ),
        (
            Reason,
            "perche|xche|xke|visto che|quindi|altrimenti|senno|se no|poiche|dato che|cosi|leggo|posso|il diff|tanto|che tanto|abbiamo|ne abbiamo|sono|ce l ho",
        ),
        (
            Wonder,
            "strano|che strano|curioso|boh|ma non lo e|ma non lo fa|ma non e cosi|ma non succede|e quello il bug|quello e il bug|e questo il problema",
        ),
        (
            Relay,
            "^di al|^di ai|^di alla|^digli|^dille|^dì al|^avvisa il|^avvisa i|^avvisa la|^ricorda al|^ricorda ai|^chiedi al|^chiedi a|il cliente vuole|il capo vuole|lei vuole|lui vuole|vogliono",
        ),
        (
            Drop,
            "dimentica|dimenticati|lascia perdere|ignora|annulla|cancella|togli|elimina|rimuovi|abolisci|ritiro|ritira|scarta|leva|molla|scordati",
        ),
        (
            RuleNoun,
            "regola|regole|limite|divieto|restrizione|requisito|istruzione|norma|politica|storia|cosa del|cosa dei|tetto|budget|obbligo|condizione|vincolo",
        ),
        (
            Over,
            "non vale piu|non si applica piu|non serve piu|e annullata|e saltata|e decaduta|e finita|e cancellata|e superata|e abolita|e caduta|decade|non esiste piu|e storia|salta",
        ),
        (Halt, "smetti di|smettila di|basta|non .. piu"),
        (
            Withdraw,
            "dimentica quello che ho detto|dimentica cio che ho detto|dimentica quanto ho detto|dimentica quello che ti ho detto|dimentica la regola|dimenticati della regola|dimenticati di quello che ho detto|scordati quello che ho detto|scorda quello che ho detto|scordati la regola|lascia perdere la regola|lascia perdere quello che ho detto|lascia stare la regola|ignora quello che ho detto|ignora la regola|annulla la regola|cancella la regola|elimina la regola|togli la regola|ritiro quello che ho detto|ritiro la regola|rimangio quello|abbandona la regola|la regola .. non vale|la regola .. non si applica|la regola .. e annullata|la regola .. decade|la regola .. non c e piu|quello che ho detto .. non vale|puoi dimenticare quello che|puoi dimenticare la regola|la regola .. e sospesa|la regola .. non serve|non vale piu|non valgono piu|non si applica piu|non serve piu|non e piu necessario|non e piu valida|non devi piu|non sei piu obbligato|non c e piu bisogno|non occorre piu|lascia perdere la storia|lascia perdere i|lascia perdere il|lascia perdere le|lascia stare la storia|dimentica la storia|dimentica la faccenda|annulla la storia|togli la storia|ho cambiato idea su*|non e piu obbligatorio|scordati la storia|scordati il limite|dimentica il limite|togli il limite|dimentica la restrizione|puoi dimenticare il limite|puoi smettere di|lascia perdere il limite|ho cambiato idea|non devi .. piu|non serve .. piu|puoi smettere con|puoi smetterla con|mi sbagliavo su|mi ero sbagliato su|dimentica il|dimentica la|dimentica i|dimentica le|lascia perdere la|scordati|ritiro quello|ritiro la|annullo|^dimentica|^scordati",
        ),
        (
            Touch,
            "non toccare|non toccarlo|non toccarla|non toccarli|non toccarle|non tocchi|non mettere mano|non metterci mano|non modificare|non modificarlo|non cambiare|non cancellare|non eliminare|non rimuovere|non editare|non sovrascrivere|non spostare|non rinominare|lascia stare|lascia in pace|giu le mani|non si tocca|non si toccano|non va toccato|non va toccata|non vanno toccati|non vanno toccate|non mi toccare|intatta|intatto|intatti|resta com|restano come|cosi com|non riformattare|non formattare",
        ),
        (
            Place,
            "cartella|cartelle|directory|file|tabella|tabelle|modulo|moduli|branch|ramo|pacchetto|pacchetti|schema|schemi|database|db|interfaccia|config|configurazione|pipeline|migrazioni|fixture|snapshot|server|cluster|segreti|env|vendor|infra|repo|repository|libreria|legacy|prod|produzione|staging|traduzioni|generati|generato|che non sono|che non e",
        ),
        (Solely, "solo|soltanto|solamente|unicamente"),
    ],
};
