//! Spanish.

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
    common: "el|la|los|las|un|una|unos|de|del|y|o|es|son|esta|estan|yo|tu|me|te|se|le|lo|mi|mis|tus|su|que|en|con|sin|por|para|como|no|si|ya|mas|pero|al|a|muy|todo|todos|cuando|siempre|nunca|aqui|ahora|este|esto|eso|nada|hay|hacer|haz|porque|cada|solo|tambien",
    hasty: "q=que|xq=porque|pq=porque|porq=porque|tb=tambien|tmb=tambien|x=por|xfa=por favor|porfa=por favor|pf=por favor|pls=por favor|d=de|k=que|nunk=nunca|simpre=siempre|siemrpe=siempre|msj=mensaje|msjs=mensajes|info=informacion|aki=aqui|toy=estoy",
    clitics: "",
    cues: &[
        (
            Lasting,
            "de ahora en adelante|de aqui en adelante|a partir de ahora|a partir de hoy|desde ahora|desde ya|en adelante|en lo sucesivo|en el futuro|a futuro|por norma general|como norma general|como norma|por norma|por regla general|como regla general|como regla|regla general|la regla es|es la regla|es norma|en este proyecto siempre|para este proyecto|para todo el proyecto|en todo el proyecto|para esta sesion|durante toda la sesion|bajo ningun concepto|bajo ninguna circunstancia|en ningun caso|de ninguna manera|de ningun modo|pase lo que pase|diga lo que diga|sin excepcion|sin excepciones|hasta nuevo aviso|hasta que te diga|hasta que yo diga|salvo que te diga|salvo que yo|a menos que te|a menos que yo|mientras no te diga|de una vez por todas|en todas tus respuestas|en todas las respuestas|en tus respuestas|en cada respuesta|por convencion|nuestra convencion|nunca mas|y en adelante|tambien en el futuro|ni un centavo mas|ni un centimo mas|vale para siempre|permanentemente|por principio|fuente de verdad|la fuente de la verdad|es la referencia|acostumbrate a|coge la costumbre|en este chat|salvo que te|mientras no te|mientras yo no|apartir de ahora|apartir de hoy|a partir de ya|la proxima vez|proxima vez|solo si los pido|solo si lo pido|solo si te lo pido|solo si te|solo cuando te|solo cuando lo pida|tiene que seguir|tienen que seguir|debe seguir|debe permanecer|tiene que quedar|el resto de la|resto de la sesion|hasta el final|hagas lo que hagas|ni ahora ni nunca|siempre y en|para siempre|vale para|aplica a|en toda la|en todo el|asi lo hacemos|es lo que hacemos|acuerdate siempre|asegurate de siempre|asegurate siempre|asegurate de que siempre|asegurate de no|procura siempre",
        ),
        (
            Generally,
            "en general|generalmente|por defecto|en todas partes|en todos lados|en todo|cada|cada vez|todos los|todas las|si es posible|siempre que puedas|siempre que sea posible|en lo posible|por sesion|por dia|por semana|por mes|por commit|por archivo|por ejecucion|por run|por tarea|sistematicamente|normalmente|ya no|mas|salvo que|a menos que|a no ser que|si no es necesario|salvo necesidad|cuando puedas|todo lo que hay|todo lo que este|cualquier cosa",
        ),
        (
            Absolute,
            "siempre|nunca|jamas|ningun|ninguna|nadie|ni una vez|exclusivamente|unicamente|en todo momento|nada de",
        ),
        (
            Remember,
            "recuerda que|recuerda|recuerda :|acuerdate de que|acuerdate que|acuerdate de|ten en cuenta|tenga en cuenta|ten presente|toma nota|anota que|anota esto|apunta que|apunta esto|nota :|ojo :|ojo que|no olvides|no te olvides|no se te olvide|que no se te olvide|que sepas|para que sepas|para tu informacion|por si acaso :|para mas tarde|para luego :|importante :|fyi|memoriza|guarda en memoria|quedate con que|dato :|regla :|aviso :|a tener en cuenta|bueno saber|sabe que|tenlo en cuenta|tenlo presente|recuerdalo|apuntalo|anotalo|apunta$|apunta :|anota$|anota :",
        ),
        (
            AskFirst,
            "preguntame|preguntame antes|pregunta antes|pregunta primero|me preguntas|preguntarme|consultame|consulta conmigo|consultalo conmigo|me consultas|consultarme|consultar conmigo|avisame antes|avisame primero|me avisas antes|me avisas|avisarme|hablalo conmigo|habla conmigo|hablar conmigo|pide permiso|pideme permiso|me pides permiso|pedirme permiso|mi permiso|mi aprobacion|mi visto bueno|mi ok|mi okay|mi confirmacion|mi autorizacion|mi consentimiento|sin mi|confirmalo conmigo|confirma conmigo|confirmar conmigo|confirmame|espera a que yo|espera mi|hasta que yo confirme|hasta que confirme|hasta que yo apruebe|hasta que te diga que si|ensename antes|muestrame antes|dime antes|pasa por mi|para y preguntame|para y me preguntas|consultamelo|*melo primero|primero conmigo|conmigo primero|conmigo antes|hablalo primero|lo consultas|me lo consultas|antes de .. pregunta|antes de .. , pregunta|antes .. pregunta|llamame antes|llamame primero|en caso de duda .. pregunta|en la duda pregunta|ante la duda .. pregunta|ante la duda pregunta|necesita mi|necesitan mi|requiere mi|requieren mi|visto bueno|dimelo enseguida|dimelo|sin que yo|sin que lo vea|sin que vea|hasta que yo|hasta que vea|antes de que yo|antes de que vea|quiero ver .. antes|quisiera ver .. antes|dejame ver .. antes|dejame revisar .. antes|pregunta si|pregunta cuando|preguntame si|para y pregunta|detente y pregunta|sin mi permiso|sin permiso|sin mi ok|sin avisarme|sin consultarme|sin preguntarme|sin preguntar|sin mi aprobacion|con mi permiso|avisame|dilo|no inventes|no te inventes|no adivines|no supongas|no asumas|si te lo pido|si te lo digo|cuando te lo pida|cuando te lo diga|cuando yo|luz verde|espera a que|dejame elegir|dejame decidir|yo decido|yo elijo|antes de hacerlo dime|necesita un si|necesita mi ok|necesita mi si|hasta que yo diga|hasta que te diga|antes de que diga|antes de que te diga|hasta que lo apruebe|sin que yo lo apruebe|hasta que de el ok|no estas seguro pregunta|no estas seguro , pregunta|en caso de duda|si dudas|ante la duda|si no sabes",
        ),
        (
            Allowed,
            "puedes .. sin|podes .. sin|sin preguntar|sin preguntarme|sin pedir permiso|sin pedirme permiso|sin pedirmelo|sin consultar|sin consultarme|no hace falta que preguntes|no hace falta preguntar|no hace falta que me preguntes|no hace falta que pidas|no necesitas preguntar|no necesitas pedir|no necesitas permiso|no tienes que preguntar|no tienes que pedir|no me preguntes|no preguntes|cuando quieras|cuando te parezca|siempre que quieras|todas las veces que|tienes permiso|tienes mi permiso|tienes via libre|via libre|eres libre de|estas autorizado|esta permitido|libremente|no necesitas preguntarme|puedes .. pero no|puedes .. pero nunca|puedes .. sin cambiar|esta bien para|ok para|no necesitas mi|no necesitas que yo|como quieras|a tu criterio|por tu cuenta",
        ),
        (
            Forbidden,
            "prohibido|prohibida|prohibidos|prohibidas|queda prohibido|esta prohibido|no esta permitido|no se permite|vetado|abstente de|ni se te ocurra|ni toques|ni tocar|ni lo pienses|no quiero ver|no quiero que|no quiero volver a|nunca quiero|no quiero nunca|nada que hacer en|no tienes nada que|manos fuera|fuera de|intocable|alejate de|mantente lejos|es tabu|deja en paz|preferiria que no|prefiero que no|me gustaria que no|te agradeceria que no|agradeceria que no|no me gustaria que|no se toca|no se tocan|no lo hagas mas|no lo hagas nunca|no vuelvas a|deja de|dejate de|basta de|ya basta|basta con|para de|las manos fuera|manos quietas|no es para ti|no metas mano|no quiero .. que|de verdad no quiero que|realmente no quiero que|no se modifica|no se modifican|no se cambia|no se cambian|no se edita|no se usa|no se hace|no me propongas|no me sugieras|deja ya|no .. por tu cuenta|nunca .. por tu cuenta|no te metas|mantente fuera|quedate fuera|no soporto|corta con|ahorrate|ahorrate las|ahorrate los|nada de|quita las manos|evita|ni loco|fuera de tu|no quiero mas|no quiero ningun|no quiero ninguna|no quiero nuevas|lo lanzo yo|los lanzo yo|las lanzo yo|tu no|vos no|solo yo|sin .. no hay|sin .. nada de|no hay .. sin|ningun .. sin|nada de .. sin|es sagrado|es sagrada|es confidencial|no es tuyo|no es tuya|no te toca|te dije que no|te he dicho que no|ya te dije que no|te pedi que no|ya no quiero",
        ),
        (
            Order,
            "^usa|^usar|^utiliza|^utilizar|^escribe|^escribir|^responde|^respondeme|^responder|^contesta|^contestame|^manten|^mantener|^respeta|^respetar|^sigue|^seguir|^prefiere|^procura|^asegurate|^fijate|^cuida|^pon|^poner|^da|^dame|^muestra|^muestrame|^ensename|^deja|^limita|^limitate|^habla|^hablame|^tutea|^tuteame|^llamame|^trata|^tratame|^comenta|^documenta|^prueba|^ejecuta|^corre|^verifica|^agrega|^anade|^menciona|^cita|^explica|^firma|^formatea|^indenta|^gasta|^evita|^pregunta|^nombra|^salta|^termina|^empieza|^considera|^nada de|^solo|^haz|^revisa|^pasa|^actualiza|^commitea|^pushea|^despliega|^sube|^lleva|^ve|^ten|^mata|matalo|^avisame|^agrupa|^separa|^ordena|^redondea|^trabaja|^toma|^coge|^quedate|^no uses|^no hagas|^no pongas|^no toques|avisame|ejecuta|^llama|^dime|^lanzalos|lanzalos|dimelo|salta|^crea|no crees|^fija|^guarda|^ahorrate|^ahorrame|^anda|^espera|^preguntame|^avisa|^dilo|^di|^elige|^escoge|^cinete|^indica|^numera|^comienza|^respalda|^cifra|^enmascara|^registra|^simula|^mockea|^coloca|^intenta|^trate|^acuerdate|^recuerda|^para|^dejate|^corta|^traduce|^anota|^use|^utilice|^responda|^evite|^mantenga|^escriba|^marca",
        ),
        (
            Negative,
            "no|ni|nunca|jamas|sin|nada|ningun|ninguna|nadie|tampoco|nada de|no toques|evita|evitar|eviten|deja de|dejate de|^evita",
        ),
        (
            Modal,
            "debe|deben|debes|deberia|deberian|deberias|tiene que|tienen que|tienes que|hay que|habria que|ha de|han de|es obligatorio|obligatorio|obligatoria|es necesario|hace falta|quiero|quisiera|quiero que|me gusta|me gustaria|espero|espero que|necesito que|odio|detesto|puede|pueden|no puede|no pueden|va en|van en|va a|se escribe|se escriben|se pone|se usa|se usan|se hace|lleva|llevan|debera|deberan|usas|escribes|respondes|haces|pones|me dices",
        ),
        (
            Limit,
            "max|maximo|como maximo|como mucho|a lo sumo|no mas de|mas de|menos de|hasta|tope|limite|presupuesto|minimo|al menos|como minimo|no superar|supere|superen|superar|exceda|exceder|pase de|pasen de|mayor que|mayor de|menor de|mas largo|mas larga|mas largas|mas largos|por debajo de|pasar de|pasar las|solo por|solo a traves|solo para|solo con|solo mediante|solo via|solamente por|columnas|caracteres|en ningun otro sitio|en ninguna otra parte|en ningun otro lado|tu solo edita*|tu solo toca*|tu solo escrib*|por respuesta|por mensaje|bastan|basta con|nada por encima|lineas max|lineas maximo|en lotes de",
        ),
        (
            Prefer,
            "prefiero|preferiria|prefiero que|mejor que|mi preferencia|preferimos|preferiblemente|de preferencia|me gusta mas|mas bien|me quedo con|soy mas de|mejor .. que|te agradeceria|agradeceria|seria mejor|estaria bien|me gustaria que|si puedes|te rogaria|a ser posible|es importante que|es muy importante que|me importa que|insisto|insisto en que|acostumbrate a|coge la costumbre|odio|detesto|espero que|exijo|quiero que siempre|^prefiere|^prioriza|cinete a|ajustate a|quedate con|limitate a|me da igual|me dan igual|no me importa|solo importa|solo importan|solo cuenta*|preferiria que|me molesta|me molestan|me gustaria|quiero que|mas vale|y no adjetivos|escribe asi|hazlo asi|programa asi|quedate en|mantente en|lo que me molesta",
        ),
        (
            Scope,
            "en este proyecto|en este repo|en este repositorio|en esta base de codigo|en nuestro codigo|en nuestro proyecto|nuestro codigo|nuestro proyecto|en el codigo|en el repo|en mi codigo|en mi proyecto|por aqui|en esta maquina|en este servidor|en este equipo|en main|a main|en master|en produccion|a produccion|en prod|la rama release|la rama de release|en nuestro equipo|en esta sesion|en esta casa|entre nosotros|de nuestro lado|^aqui|^aca|en sql|en python|en go|en rust|en typescript|en javascript|en css|en html|en yaml|en json|en bash|en java|en kotlin|en swift|en markdown|en latex|en terraform|en docker",
        ),
        (
            We,
            "usamos|nosotros usamos|indentamos|se indenta|se usa|se usan|escribimos|ponemos|nosotros|nos tuteamos|commiteamos|desplegamos|todo el mundo|todos los commits|todas las funciones|todos los archivos|cada commit|cada funcion|cada archivo|cada bugfix|cada fix|cada cambio|cada pr|cada test|cada arreglo|convencion|las funciones|los commits|las fechas|los mensajes de commit|un pr|un commit|las variables|los nombres|los comentarios|los tests|todo bugfix|todo el codigo|ningun pr|ningun comando|ninguna funcion|ningun archivo|politica|los pr|las pr|los prs|los archivos|^tabs|^espacios|^los nombres|^los mensajes|^los tests|^las ramas|^los archivos|^los errores|^los logs|^las fechas|^los precios|^los importes|^los imports|^nombres de ramas|^tests|^commits|^prs|las fechas se|^los comentarios|nadie edita|nadie toca|nadie hace|nadie|nunca se|siempre se|jamas se|se .. siempre|siempre van|siempre va|nunca va|nunca van|aqui hacemos|aqui usamos|aqui no|aqui siempre|aqui nunca|aqui se|hacemos squash|mergeamos|rebaseamos|trabajamos|^nombres de|^nuestra|^nuestro|^nuestros|^el dinero|^el sql|^el css|^logs|^mensajes|^los textos|^textos|^nombres|^los archivos nuevos|^archivos nuevos|^los nuevos|^las nuevas|^fechas|^las funciones|^funciones|^los metodos|^las clases|^los modulos|^las migraciones|^los secretos|^las claves|^las contraseñas|^los commits|^las consultas|^las columnas|^las tablas|^cada|^toda|^todo|^todos|^todas",
        ),
        (
            Contrast,
            ", no|y no|, nunca|en vez de|en lugar de|, jamas|pero no|antes que|, ni|no espacios|no tabs|no en",
        ),
        (
            Manner,
            "tus respuestas|tu respuesta|tus mensajes|tus comentarios|tus explicaciones|responde en|respondeme en|responde siempre|contesta en|contestame en|respuestas cortas|respuestas breves|frases cortas|frases breves|oraciones cortas|en espanol|en castellano|en ingles|en frances|en aleman|en italiano|emojis|emoji|disculpas|disculparte|disculpes|te disculpes|perdon|pidas perdon|pedir perdon|halagos|cumplidos|tuteame|tutea|tutear|tratame de tu|de usted|hablame de|sin rodeos|se directo|se breve|se conciso|se honesto|se educado|vinetas|titulos|negritas|negrita|tablas|diffs|archivos enteros|archivo entero|archivos completos|solo el diff|solo los diffs|solo diffs|resumen al final|resumenes|resumas|resumir|tono|jerga|lenguaje sencillo|lenguaje claro|llamame|por mi nombre|mensajes de commit|mensaje de commit|paso a paso|una pregunta a la vez|sin relleno|relleno|explicaciones|respuestas largas|las respuestas largas|mas corto|mas cortas|mas breve|hablame en|hablame de tu|de tu|textos largos|parrafadas|stack traces|rollos|tratame|version corta|lo basico|metrico|detalles solo|ve al grano|al grano|introduccion|introducciones|despedida|rodeos|cortesia|prosa|piensa en voz alta|menos texto|mas detalle|mas detalles|tus planes|tu codigo|tus preguntas|tus propuestas|abreviaturas|el resultado primero|solo el codigo|contestame|tus|menos .. mas|en una linea|en una sola linea|si o no",
        ),
        (
            Topic,
            "se breve|breve|brevemente|en breve|corto|cortito|en corto|rapido|resumido|en una frase|conciso",
        ),
        (
            Meaning,
            "cuando digo|cuando yo diga|cuando diga|cuando escribo|cuando hablo de|si digo|me refiero siempre|me refiero a|siempre me refiero|significa siempre|es siempre|siempre es|se refiere a|quiero decir",
        ),
        (
            Each,
            "cada vez que|siempre que|tras cada|todo lo que escribas|todo lo que hagas|todo el codigo que|quiero todas|quiero todos|todas las fechas|todos los nombres|todos los mensajes|en la duda|ante la duda|en caso de duda|si dudas|si tienes dudas|solo soportamos|solo usamos|solo aceptamos|solo damos soporte|solo desplegamos|solo permitimos|para todos los .. nuevos|para todas las .. nuevas|para todo .. nuevo|todos los nuevos|todas las nuevas|para cada nuevo|que agregues|que añadas|que anadas|que crees|que escribas|que uses|que toques|que cambies|que hagas|que edites|que generes|que borres|que pushees|que instales|todo lo que|cuando hables|cuando escribas|para todo lo|solo las lineas que|solo lineas que|solo los archivos que|solo los ficheros que|solo en archivos que|un commit por|una pr por|por ticket|exactamente un|sigue vigente|sigue en pie|sigue valiendo|^un .. por|^una .. por|^un solo .. por|^una sola .. por|antes de cada|despues de cada",
        ),
        (
            Whenever,
            "en cuanto|cuando tu|cuando cambies|cuando hagas|cuando toques|cuando termines|si un|si una|si algo|si hay|si tocas|si necesitas|si cambias|si el|si la|si vas a|si quieres|si falta|si pasa|antes de|antes del|despues de|en caso de|en caso de que|a la hora de|al terminar|al cambiar|solo despues|solo cuando|solo si|una vez que|cuando edites|cuando anadas|cuando crees|cuando escribas|cuando un|cuando una|cuando el|cuando la|si los|si las|si tienes dudas|ante la duda|en caso de duda|para cualquier|para todo|cada vez que|antes de cada|despues de cada|tras cada|al editar|al tocar|al anadir|al crear|cuando se pueda|siempre que puedas|siempre que se pueda|si no estas|si no sabes|si dudas|si hay varias|si hay mas de|cuando haya|si un test|cuando un test|salvo que|a menos que|mientras|cada vez que cambies|cada vez que edites|cada vez que toques|para cada|para toda|fuera de",
        ),
        (
            Task,
            "^arregla|^corrige|^agrega|^anade|^escribe|^haz|^crea|^construye|^renombra|^borra|^elimina|^quita|^refactoriza|^explica|^explicame|^muestra|^muestrame|^traduce|^mueve|^pon|^mete|^ejecuta|^corre|^busca|^encuentra|^mira|^lee|^abre|^revisa|^cambia|^modifica|^reemplaza|^instala|^genera|^convierte|^implementa|^optimiza|^limpia|^prueba|^resume|^puedes|^podrias|^usa|^dame|^dime|^repara|^sigue|^continua|^ayuda|^ayudame|^compara|^analiza|^describe|^fusiona|^migra|^simplifica|^extrae|^pasa|^reescribe|^despliega|^commitea|^sube|^necesito|^hay que|^actualiza|^ahora|^monta|^prepara|^termina|^ve|^verifica",
        ),
        (
            Purpose,
            "para que|de modo que|de forma que|asi que|que verifique|que compruebe|que valide|que garantice|para asegurar|para evitar|una regla|una validacion|un test que|diciendo|que el|que la|por que",
        ),
        (
            Question,
            "^puedo|^podemos|^se puede|^debo|^debemos|^deberia|^deberiamos|^tengo que|^tenemos que|^hay que|^por que|^donde|^quien|^cual|^cuales|^cuanto|^son|^esta|^estan|^has|^ha|^tienes|^sabes|^te acuerdas|^recuerdas|^puedes|^podrias|^hace falta|^vale la pena|o no$|o basta$|^acaso|^que significa|^que es|^que hace|^que pasa|^como funciona|^como se|verdad$|cierto$|no es cierto$|diferencia entre",
        ),
        (
            Request,
            "^puedes|^podrias|^me puedes|^puede|^podria|^me harias el favor|^te importaria|^podeis",
        ),
        (
            Narration,
            "yo siempre|yo nunca|siempre se me|siempre me|nunca me|no lo habria|no habria|habria|nunca habia|nunca he|nunca lo|siempre he|siempre lo mismo|siempre el mismo|siempre la misma|el mismo error|la misma|como siempre|desde siempre|nunca funciono|nunca funciona|nunca termina|nunca devuelve|nunca vuelve|nunca llega|siempre falla|siempre da|siempre ha|siempre fue|fue siempre|debe ser|debe de|debio|debia|tiene que ser|tiene que haber|tuvo que|tenia que|habra|ayer|la semana pasada|el ano pasado|no entiendo|no tengo idea|no importa|no pasa nada|no hay problema|no hay prisa|no funciona|no era|no fue|no esa|no ese|no esta|no es|todavia no|aun no|no ahora|casi nunca|quise|queria|solo queria|pense|siempre pasa|siempre ocurre|siempre igual|siempre es|siempre sale|pasa siempre|siempre hay|no se que|no se como|no se si|no se por|no lo se|antes del refactor|antes de la migracion|antes del cambio|siempre tuvimos|siempre teniamos|nunca cacheamos|nunca tuvimos|nunca usamos|nunca hicimos|nunca quise|nunca lo hicimos|no se ejecuto|no se ejecutaron|no se encontro|ningun test|nunca deberia pasar|nunca deberia ocurrir|jaja|lol|hasta ahora|hasta ayer|en aquel entonces|creo que|quiza|quizas|hay un|hay una|no quiero perder|no quiero perderlo|no quiero perder esto|antes funcionaba|antes iba|antes era|antes no|antes habia|antes estaba|antes tenia|deberiamos haber|deberia haber|nunca deberia haber|nunca debimos|nadie me|nadie sabe|nadie ha|nadie dijo|no veo|no tengo|no puedo|no encuentro|no hay|no sale|no aparece|no carga|no me sale|no me deja|insiste en que|sigue diciendo|no para de decir|pasan ahora|estan en verde|nunca dije|nunca hice|nunca pense|siempre pense|siempre crei|veo|siempre da gusto|siempre es bueno|siempre esta bien|siempre mola|solo pasa|solo ocurre|solo sucede|tenias razon|han desaparecido|ha desaparecido|se rompio|en el ultimo proyecto|en el proyecto anterior|en aquella epoca|*abamos|*iamos|rama equivocada|estaba bien|estuvo bien|siempre olvido|siempre se me olvida|nunca recuerdo|equivocad*|no hacen falta|no hace falta .. cambi*|ya no necesito|no necesito|hace anos|hace meses|solo queda|solo quedan|se te olvido|ningun cambio|no quiero dedicar*|no quiero perder*|no quiero gastar*|no quiero seguir|no quiero hacer*|por alguna razon|no se por que|culpa mia|mi culpa|cada vez que abro|cada vez que yo|cada vez que entro|me hablaron|me dijeron|no quiero gastar|siempre empiezo|siempre uso|siempre hago|siempre pongo|no se creo|se creo ningun|cada vez que hago clic|cada vez que pulso|cada vez que guardo|cada vez que lanzo|cuando hago clic|cuando pulso|al hacer clic|pero no lo hace|pero no lo esta|pero no es asi|pero no funciona",
        ),
        (
            Trouble,
            "error|errores|falla|fallaba|fallo|fallan|rompe|roto|excepcion|timeout|lento|cuelga|colgado|rojo|no funciona|no va|problema|raro|desde el|desde la|crashea|peta",
        ),
        (
            Report,
            "la documentacion dice|la doc|las docs|el linter|linter dice|el compilador|el ticket|el jefe|la jefa|mi jefe|dice que|dicen que|dijo|dijeron|escribio|segun|el readme|git dice|el mensaje dice|el log dice|stackoverflow|parece que|el test dice|pone que|ponia|mi colega|el companero|segun la documentacion|en la documentacion dice|en la documentacion pone|la documentacion pone|le dije que|le dije|les dije|le he dicho|el abogado|la abogada|legal dice|el cliente escribio|soporte dice|de la spec|de la especificacion|del documento de diseno|design doc|del wiki|de la wiki|del ticket :|de los requisitos|dice a la gente",
        ),
        (
            Suppose,
            "y si|que pasaria|que pasa si|supongamos|supon que|imagina|imaginemos|digamos que|en teoria|hipoteticamente|si nunca|si no cerramos|si siempre|si fuera",
        ),
        (
            Idiom,
            "^no importa|^da igual|^olvidalo|^no te preocupes|^no pasa nada|^no hay problema|^nada nada|^de nada|^no ,|^todavia no|^ahora no|^no es nada|^tranquilo|^tranquila|^nunca es tarde|^no hay prisa|^siempre igual|^nada ,|^no recuerdo|^no me acuerdo|^recuerdo|^no creo|^te acuerdas|^ni idea|^me acuerdo|^perdon|^lo siento|^disculpa|^fue culpa|^no esta mal|^no te rindas|^no pares|^no hace falta que te disculpes|^nunca mas me|^nunca habia|^nunca vi|^no lo entiendo|^no entiendo|^no lo se|^no se que|diferencia entre|olvida .. por ahora|olvidate .. por ahora",
        ),
        (
            Now,
            "ahora|por ahora|de momento|por el momento|esta vez|todavia|aun|hoy|solo aqui|en este archivo|en esta funcion|para este pr|para este commit|solo esta vez|ahora mismo|por hoy|todavia no|aun no|es una demo|solo una demo|mientras tanto|si es posible|un momento|un segundo|un rato|por esta vez|por una vez|solo por hoy|en esta respuesta|todavia la necesito|todavia lo necesito|aun la necesito|aun lo necesito|todavia hace falta|aun hace falta",
        ),
        (Then, "^entonces|^en ese caso|^si es asi|^si si"),
        (
            Aside,
            "por cierto|y por cierto|de paso|y de paso|ya que estas|ademas|y ademas|y tambien|otra cosa|y otra cosa|y como norma|y por norma|y como regla|y en general|y de ahora en adelante|y en adelante|y recuerda|y no olvides|y nunca|y siempre|pero nunca|pero siempre|btw|ps|pd|aparte|y por favor|y a partir de ahora|una cosa mas|y una cosa",
        ),
        (And, "y|e|pero|ademas de"),
        (
            Filler,
            "por favor|porfa|porfavor|ok|vale|bueno|pues|y|pero|ah|oh|oye|hola|si|no|gracias|solo|entonces|tambien|mira|eh|venga|dale|a ver|listo|otra vez|como dije|che|repito|lo repito|otra cosa|una cosa mas|una ultima cosa|por cierto|de paso|ademas|recordatorio|como siempre digo|insisto|y otra cosa",
        ),
        (
            Tag,
            "ok|vale|si|no|entendido|de acuerdo|claro|esta claro|por favor|verdad|te parece|listo|eh",
        ),
        (
            Once,
            "cuando termines|cuando acabes|al acabar|cuando hayas terminado|en la linea|de la linea|la linea|linea 1|linea 2|linea 3|linea 4|las ultimas|los ultimos|la ultima|el ultimo|la otra|el otro|la segunda|el segundo|este enfoque|esta idea|este archivo|del archivo|en el archivo|manana|asi no|hazlo asi|lo hagas asi|dejalo asi|este bug|este test|este error|la errata|opcion a|opcion b|el punto y coma|punto y coma|el viejo|la vieja|el nuevo|la nueva|del readme|intentalo|^usa .. aqui|^pon .. aqui|usa aqui|el archivo entero|archivo completo|el segundo error|no incluyas el|no incluyas la|no anadas el|no anadas la|no pongas el|no pongas la|si funciona|si va bien|si esto funciona|esta funcion|esta clase|este modulo|rama equivocada|la respuesta en|esa rama|dime cuando|avisame cuando|los pasos|anade la comprobacion|anade el chequeo|^espera con|^espera un|^espera que|^aguanta|no uses el .. aqui|no uses la .. aqui|aqui no uses|^cuanto|cuanto llevamos|dime cuanto|dime que|dime cual|dime como|dime si|esta vez|por esta vez|por una vez|solo por hoy|en esta respuesta",
        ),
        (
            Style,
            "kebab case|snake case|camelcase|minusculas|mayusculas|en imperativo|imperativo|en presente|en utc|se guardan|se almacenan|guardadas en|junto al|junto a|al lado de|al lado del|comillas simples|espacios|tabs|tabuladores|orden alfabetico|en ingles|en espanol|se llaman|van en|van junto|pequenos|pequeno|pequenas|cortos|cortas|atomicos|formato iso|en formato|un componente por|una clase por|sin jquery|con guiones|primero|va en|va dentro|en iso|en centavos|en centimos|en minusculas|en mayusculas|en español|version fija|la version de cada",
        ),
        (
            Change,
            "^borra|^elimina|^quita|^renombra|^mueve|^reemplaza|^sustituye|^traduce|^convierte|^corrige|^arregla|^reescribe|^copia|^fusiona|^revierte|^deshaz",
        ),
        (
            Reallow,
            "ya puedes volver a|puedes volver a|ya puedes .. otra vez|puedes .. de nuevo|puedes .. otra vez|vuelve a estar permitido|vuelven a estar permitid*|esta permitido de nuevo|estan permitid* de nuevo|de nuevo permitid*|vuelven a estar|vuelve a estar|otra vez permitid*|de nuevo ok|ya puedes|ahora puedes|ahora si puedes|desde ahora puedes|ya se puede|ahora se puede|ya esta permitido|ya estan permitidos|al final si|al final .. vale|esta permitido ya|se puede ya|al final .. bien",
        ),
        (
            RuleName,
            "regla|reglas|norma|cosa|limite|restriccion|prohibicion|dije|dicho|mas|nuevo|otra vez|antes|usar|sobre|respecto|ya",
        ),
        (
            Duty,
            "tienen que|deben|han de|no deben|no pueden|no puede cambiar*|puede cambiarse|van en|van dentro",
        ),
        (
            Definite,
            "^el|^la|^lo|^este|^esta|^esto|^ese|^esa|^eso|^estos|^estas|^ella|^ellos|^nosotros|^yo|^tu|^mi|^mis|^hay|^aquel",
        ),
        (
            Preface,
            "^otra vez :|^repito|^otra cosa|^una cosa mas|^y una cosa mas|^una ultima cosa|^recordatorio|^regla|^y otra cosa|^de nuevo :",
        ),
        (Cease, "dejar de|parar de|no volver a|evitar"),
        (
            Head,
            "de cara al futuro|para el futuro|en el futuro|para despues|dos cosas|2 cosas|tres cosas|3 cosas|un par de cosas|algunas cosas|dos reglas|2 reglas|tres reglas|algunas reglas|unas reglas|las reglas|mis reglas|nuestras reglas|reglas|de ahora en adelante|a partir de ahora|convenciones|pautas|normas|preferencias|como trabajamos",
        ),
        (
            Paper,
            "mail|correo|email|e mail|readme|wiki|doc|docs|documentacion|politica|ticket|changelog|anuncio|prompt|^mensaje de commit :|^mensaje del commit :|^msg del commit :|^mensaje :|^titulo :|^asunto :|^requisito :|carta|articulo|post|mensaje|slack|diapositiva|cartel|plantilla|descripcion|guia|manual|seccion|frase|traduce|texto|nota",
        ),
        (
            Product,
            "los usuarios deben|los usuarios no deben|los usuarios pueden|los clientes deben|el usuario debe|el usuario no debe|el usuario puede|el cliente debe|el bot debe|el bot no debe|el boton debe|el boton tiene|la pagina debe|el formulario|el campo debe|la funcion debe|la funcion tiene|el metodo debe|el endpoint debe|la respuesta debe|la app debe|la api debe|el servidor debe|el job debe|el valor debe|la contraseña debe|la contrasena debe|la lista debe|el menu|la ventana|el total debe|el resultado debe|la salida debe|la consulta debe|el cache debe|el componente|los admins|los visitantes|nunca deberia|no deberia|deberia siempre|siempre deberia|deberia tardar|esto nunca debe|anade el control|anade la comprobacion|anade una comprobacion|anade la validacion|anade validacion|agrega la validacion|agrega el control|agrega un filtro|anade un filtro|implementa ese filtro|el carrito|mete la validacion|pon la validacion|la app nunca|la app no debe|la aplicacion nunca|la aplicacion no debe|la pagina nunca|el usuario nunca|los usuarios nunca",
        ),
        (
            Formerly,
            "en mi antigua|en mi antiguo|en la antigua|en el antiguo|antigua empresa|antiguo trabajo|viejo trabajo|vieja empresa|empresa anterior|empresa de antes|trabajo anterior|proyecto anterior|proyecto viejo|antes habia que|habia que|antes teniamos|teniamos que|tenian que|podian|podiamos|debian|estaba prohibido|estaban prohibidos|teniamos una regla|habia una regla|en aquella epoca|en la uni|en la universidad|cuando trabajaba",
        ),
        (
            Generic,
            "un|una|algun|alguna|algo|cada|todo|toda|todos|todas|cualquier|varios|varias|unos|unas",
        ),
        (
            Reason,
            "porque|xq|pq|ya que|asi que|si no|sino|pues|que leo|q leo|puedo|el diff|lo leo|es que|para que|estan|esta en|son|tenemos|ya tenemos|ya lo",
        ),
        (
            Wonder,
            "raro|que raro|extraño|extrano|curioso|pero no lo hace|pero no lo esta|pero no es asi|pero no lo es|pero no pasa|ese es el bug|ese es el problema|ahi esta el bug",
        ),
        (
            Relay,
            "^dile|^diles|^avisale|^avisales|^recuerdale|^recuerdales|^preguntale|^cuentale|el cliente quiere|el jefe quiere|ella quiere|el quiere|ellos quieren",
        ),
        (
            Drop,
            "olvida|olvidate de|olvidate|ignora|cancela|anula|quita|elimina|borra|descarta|levanta|retiro|retira|tacha|deja|suprime",
        ),
        (
            RuleNoun,
            "regla|reglas|limite|prohibicion|restriccion|requisito|instruccion|norma|politica|lo de|tope|presupuesto|obligacion|condicion",
        ),
        (
            Over,
            "ya no aplica|ya no vale|ya no rige|ya no cuenta|no aplica mas|queda anulada|queda cancelada|queda sin efecto|se acabo|esta cancelada|caduco|ya no hace falta|ya no existe|ya no es necesario|ya no es necesaria|no sirve mas|fuera",
        ),
        (Halt, "deja de|no mas|basta de|ya no"),
        (
            Withdraw,
            "olvida lo que dije|olvida lo que te dije|olvidate de lo que dije|olvida lo que he dicho|olvida la regla|olvidate de la regla|olvida mi regla|olvida todo lo que|ignora lo que dije|ignora la regla|descarta la regla|descarta lo que dije|anula la regla|cancela la regla|quita la regla|elimina la regla|borra la regla|retiro lo que dije|retiro lo dicho|retiro la regla|deja de lado la regla|la regla .. ya no|la regla .. queda anulada|la regla .. no vale|la regla .. no aplica|lo que dije .. ya no|lo de .. ya no|puedes olvidar lo que|puedes olvidar la regla|sin efecto|ya no aplica|ya no vale|ya no rige|ya no es necesario|ya no hace falta|ya no tienes que|ya no necesitas|ya no es obligatorio|ya no hay que|no hace falta que .. mas|olvidate de lo de|olvida lo de|olvidate de|deja lo de|quita lo de|anula lo de|cancela lo de|descarta lo de|cambie de opinion sobre|he cambiado de opinion sobre|levanta la regla|la regla .. se acabo|se acabo la regla|se acabo lo de|olvida el limite|olvida la restriccion|quita el limite|levanta la restriccion|puedes olvidar el limite|puedes dejar de|olvida la prohibicion|no tienes que .. mas|cambie de idea|cambie de opinion|ya puedes dejar|me equivoque con|me equivoque sobre|estaba equivocado con|olvidate del|olvida el|olvida la|olvida los|retiro lo de|retiro lo|anulo lo|^olvida|^olvidate",
        ),
        (
            Touch,
            "no toques|no toque|no tocar|ni tocar|ni tocarla|ni tocarlo|ni tocarlas|ni tocarlos|ni la toques|ni lo toques|ni los toques|ni las toques|no se toca|no se tocan|no me toques|no modifiques|no modificar|no cambies|no cambiar|no borres|no borrar|no elimines|no eliminar|no edites|no editar|no sobrescribas|no muevas|no mover|no renombres|deja .. en paz|no metas mano|no te metas|no te metas con|no toquetees|intacta|intacto|intactos|se queda como|se quedan como|tal cual|no reformatees|no reformatear|no formatees",
        ),
        (
            Place,
            "carpeta|carpetas|directorio|directorios|fichero|ficheros|archivo|archivos|tabla|tablas|modulo|modulos|rama|ramas|paquete|paquetes|esquema|esquemas|base|bbdd|bd|db|interfaz|config|configuracion|pipeline|migraciones|fixtures|snapshots|servidor|servidores|cluster|secretos|env|vendor|infra|repo|repositorio|libreria|legacy|prod|produccion|staging|traducciones|generados|generado|que no sea|que no sean",
        ),
        (Solely, "solo|solamente|unicamente|nada mas"),
    ],
};
