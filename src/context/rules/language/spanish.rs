//! Spanish.

use super::cue::Cue::{
    Absolute, Allowed, And, Aside, AskFirst, Contrast, Each, Filler, Forbidden, Generally, Idiom,
    Lasting, Limit, Manner, Meaning, Modal, Narration, Negative, Now, Order, Prefer, Purpose,
    Question, Remember, Report, Request, Scope, Suppose, Tag, Task, Then, Topic, Trouble, We,
    Whenever, Withdraw,
};
use super::cue::{CueTable, Script};

pub(super) const TABLE: CueTable = CueTable {
    script: Script::Latin,
    common: "el|la|los|las|un|una|unos|de|del|y|o|es|son|esta|estan|yo|tu|me|te|se|le|lo|mi|mis|tus|su|que|en|con|sin|por|para|como|no|si|ya|mas|pero|al|a|muy|todo|todos|cuando|siempre|nunca|aqui|ahora|este|esto|eso|nada|hay|hacer|haz|porque|cada|solo|tambien",
    cues: &[
        (
            Lasting,
            "de ahora en adelante|de aqui en adelante|a partir de ahora|a partir de hoy|desde ahora|desde ya|en adelante|en lo sucesivo|en el futuro|a futuro|por norma general|como norma general|como norma|por norma|por regla general|como regla general|como regla|regla general|la regla es|es la regla|es norma|en este proyecto siempre|para este proyecto|para todo el proyecto|en todo el proyecto|para esta sesion|durante toda la sesion|bajo ningun concepto|bajo ninguna circunstancia|en ningun caso|de ninguna manera|de ningun modo|pase lo que pase|diga lo que diga|sin excepcion|sin excepciones|hasta nuevo aviso|hasta que te diga|hasta que yo diga|salvo que te diga|salvo que yo|a menos que te|a menos que yo|mientras no te diga|de una vez por todas|en todas tus respuestas|en todas las respuestas|en tus respuestas|en cada respuesta|por convencion|nuestra convencion|nunca mas|y en adelante|tambien en el futuro|ni un centavo mas|ni un centimo mas|vale para siempre|permanentemente|por principio",
        ),
        (
            Generally,
            "en general|generalmente|por defecto|en todas partes|en todos lados|en todo|cada|cada vez|todos los|todas las|si es posible|siempre que puedas|siempre que sea posible|en lo posible|por sesion|por dia|por semana|por mes|por commit|por archivo|por ejecucion|por run|por tarea|sistematicamente|normalmente|ya no|mas",
        ),
        (
            Absolute,
            "siempre|nunca|jamas|ningun|ninguna|nadie|ni una vez|exclusivamente|unicamente|en todo momento|nada de",
        ),
        (
            Remember,
            "recuerda que|recuerda|recuerda :|acuerdate de que|acuerdate que|acuerdate de|ten en cuenta|tenga en cuenta|ten presente|toma nota|anota|anota que|anota esto|apunta|apunta que|apunta esto|nota :|ojo :|ojo que|no olvides|no te olvides|no se te olvide|que no se te olvide|que sepas|para que sepas|para tu informacion|por si acaso :|para mas tarde|para luego :|importante :|fyi|memoriza|guarda en memoria|quedate con que|dato :|regla :|aviso :|a tener en cuenta|bueno saber|sabe que",
        ),
        (
            AskFirst,
            "preguntame|preguntame antes|pregunta antes|pregunta primero|me preguntas|preguntarme|consultame|consulta conmigo|consultalo conmigo|me consultas|consultarme|consultar conmigo|avisame antes|avisame primero|me avisas antes|me avisas|avisarme|hablalo conmigo|habla conmigo|hablar conmigo|pide permiso|pideme permiso|me pides permiso|pedirme permiso|mi permiso|mi aprobacion|mi visto bueno|mi ok|mi okay|mi confirmacion|mi autorizacion|mi consentimiento|sin mi|confirmalo conmigo|confirma conmigo|confirmar conmigo|confirmame|espera a que yo|espera mi|hasta que yo confirme|hasta que confirme|hasta que yo apruebe|hasta que te diga que si|ensename antes|muestrame antes|dime antes|pasa por mi|para y preguntame|para y me preguntas|consultamelo|*melo primero|primero conmigo|conmigo primero|conmigo antes|hablalo primero|lo consultas|me lo consultas",
        ),
        (
            Allowed,
            "puedes .. sin|podes .. sin|sin preguntar|sin preguntarme|sin pedir permiso|sin pedirme permiso|sin pedirmelo|sin consultar|sin consultarme|no hace falta que preguntes|no hace falta preguntar|no hace falta que me preguntes|no hace falta que pidas|no necesitas preguntar|no necesitas pedir|no necesitas permiso|no tienes que preguntar|no tienes que pedir|no me preguntes|no preguntes|cuando quieras|cuando te parezca|siempre que quieras|todas las veces que|tienes permiso|tienes mi permiso|tienes via libre|via libre|eres libre de|estas autorizado|esta permitido|libremente",
        ),
        (
            Forbidden,
            "prohibido|prohibida|prohibidos|prohibidas|queda prohibido|esta prohibido|no esta permitido|no se permite|vetado|abstente de|ni se te ocurra|ni toques|ni tocar|ni lo pienses|no quiero ver|no quiero que|no quiero volver a|nunca quiero|no quiero nunca|nada que hacer en|no tienes nada que|manos fuera|fuera de|intocable|alejate de|mantente lejos|es tabu|deja en paz",
        ),
        (
            Order,
            "^usa|^usar|^utiliza|^utilizar|^escribe|^escribir|^responde|^respondeme|^responder|^contesta|^contestame|^manten|^mantener|^respeta|^respetar|^sigue|^seguir|^prefiere|^procura|^asegurate|^fijate|^cuida|^pon|^poner|^da|^dame|^muestra|^muestrame|^ensename|^deja|^limita|^limitate|^se|^habla|^hablame|^tutea|^tuteame|^llamame|^trata|^tratame|^comenta|^documenta|^prueba|^ejecuta|^corre|^verifica|^agrega|^anade|^menciona|^cita|^explica|^firma|^formatea|^indenta|^gasta|^evita|^pregunta|^nombra|^salta|^termina|^empieza|^considera|^nada de|^solo|^haz|^revisa|^pasa|^actualiza|^commitea|^pushea|^despliega|^sube|^lleva|^ve|^ten|^mata|matalo",
        ),
        (
            Negative,
            "no|ni|nunca|jamas|sin|nada|ningun|ninguna|nadie|tampoco|nada de|no toques|evita|evitar|eviten|deja de|dejate de",
        ),
        (
            Modal,
            "debe|deben|debes|deberia|deberian|deberias|tiene que|tienen que|tienes que|hay que|habria que|ha de|han de|es obligatorio|obligatorio|obligatoria|es necesario|hace falta|quiero|quisiera|quiero que|me gusta|me gustaria|espero|espero que|necesito que|odio|detesto|puede|pueden|no puede|no pueden|va en|van en|va a|se escribe|se escriben|se pone|se usa|se usan|se hace|lleva|llevan|debera|deberan|usas|escribes|respondes|haces|pones|me dices",
        ),
        (
            Limit,
            "max|maximo|como maximo|como mucho|a lo sumo|no mas de|mas de|menos de|hasta|tope|limite|presupuesto|minimo|al menos|como minimo|no superar|supere|superen|superar|exceda|exceder|pase de|pasen de|mayor que|mayor de|menor de|mas largo|mas larga|mas largas|mas largos|por debajo de|pasar de|pasar las",
        ),
        (
            Prefer,
            "prefiero|preferiria|prefiero que|mejor que|mi preferencia|preferimos|preferiblemente|de preferencia|me gusta mas|mas bien|me quedo con|soy mas de|mejor .. que|te agradeceria|agradeceria|seria mejor|estaria bien|me gustaria que|si puedes|te rogaria|a ser posible",
        ),
        (
            Scope,
            "en este proyecto|en este repo|en este repositorio|en esta base de codigo|en nuestro codigo|en nuestro proyecto|nuestro codigo|nuestro proyecto|en el codigo|en el repo|en mi codigo|en mi proyecto|aqui|aca|por aqui|en esta maquina|en este servidor|en este equipo|en main|a main|en master|en produccion|a produccion|en prod|la rama release|la rama de release|en nuestro equipo|en esta sesion|en esta casa|entre nosotros|de nuestro lado",
        ),
        (
            We,
            "usamos|nosotros usamos|indentamos|se indenta|se usa|se usan|escribimos|ponemos|nosotros|nos tuteamos|commiteamos|desplegamos|todo el mundo|todos los commits|todas las funciones|todos los archivos|cada commit|cada funcion|cada archivo|cada bugfix|cada fix|cada cambio|cada pr|cada test|cada arreglo|convencion|las funciones|los commits|las fechas|los mensajes de commit|un pr|un commit|las variables|los nombres|los comentarios|los tests|todo bugfix|todo el codigo|ningun pr|ningun comando|ninguna funcion|ningun archivo|politica|los pr|las pr|los prs|los archivos",
        ),
        (
            Contrast,
            ", no|y no|, nunca|en vez de|en lugar de|, jamas|pero no|antes que|, ni",
        ),
        (
            Manner,
            "tus respuestas|tu respuesta|tus mensajes|tus comentarios|tus explicaciones|responde en|respondeme en|responde siempre|contesta en|contestame en|respuestas cortas|respuestas breves|frases cortas|frases breves|oraciones cortas|en espanol|en castellano|en ingles|en frances|en aleman|en italiano|emojis|emoji|disculpas|disculparte|disculpes|te disculpes|perdon|pidas perdon|pedir perdon|halagos|cumplidos|tuteame|tutea|tutear|tratame de tu|de usted|hablame de|sin rodeos|se directo|se breve|se conciso|se honesto|se educado|vinetas|titulos|negritas|negrita|tablas|diffs|archivos enteros|archivo entero|archivos completos|solo el diff|solo los diffs|solo diffs|resumen al final|resumenes|resumas|resumir|tono|jerga|lenguaje sencillo|lenguaje claro|llamame|por mi nombre|mensajes de commit|mensaje de commit|paso a paso|una pregunta a la vez|sin relleno|relleno|explicaciones",
        ),
        (
            Topic,
            "se breve|breve|brevemente|en breve|corto|cortito|en corto|rapido|resumido|en una frase|conciso",
        ),
        (
            Meaning,
            "cuando digo|cuando yo diga|cuando diga|cuando escribo|cuando hablo de|si digo|me refiero siempre|me refiero a|siempre me refiero|significa siempre|es siempre|siempre es|se refiere a|quiero decir",
        ),
        (Each, "cada vez que|siempre que|tras cada"),
        (
            Whenever,
            "en cuanto|cuando tu|cuando cambies|cuando hagas|cuando toques|cuando termines|si un|si una|si algo|si hay|si tocas|si necesitas|si cambias|si el|si la|si vas a|si quieres|si falta|si pasa|antes de|antes del|despues de|en caso de|en caso de que|a la hora de|al terminar|al cambiar|solo despues|solo cuando|solo si|una vez que",
        ),
        (
            Task,
            "^arregla|^corrige|^agrega|^anade|^escribe|^haz|^crea|^construye|^renombra|^borra|^elimina|^quita|^refactoriza|^explica|^explicame|^muestra|^muestrame|^traduce|^mueve|^pon|^mete|^ejecuta|^corre|^busca|^encuentra|^mira|^lee|^abre|^revisa|^cambia|^modifica|^reemplaza|^instala|^genera|^convierte|^implementa|^optimiza|^limpia|^prueba|^resume|^puedes|^podrias|^usa|^dame|^dime|^repara|^sigue|^continua|^ayuda|^ayudame|^compara|^analiza|^describe|^fusiona|^migra|^simplifica|^extrae|^pasa|^reescribe|^despliega|^commitea|^sube|^necesito|^hay que|^actualiza|^ahora|^monta|^prepara|^termina|^ve|^verifica",
        ),
        (
            Purpose,
            "para que|de modo que|de forma que|asi que|que verifique|que compruebe|que valide|que garantice|para asegurar|para evitar|una regla|una validacion|un test que|diciendo|que el|que la",
        ),
        (
            Question,
            "^puedo|^podemos|^se puede|^debo|^debemos|^deberia|^deberiamos|^tengo que|^tenemos que|^hay que|^por que|^donde|^quien|^cual|^cuales|^cuanto|^son|^esta|^estan|^has|^ha|^tienes|^sabes|^te acuerdas|^recuerdas|^puedes|^podrias|^hace falta|^vale la pena|o no$|o basta$|^acaso|^que significa|^que es|^que hace|^que pasa|^como funciona|^como se",
        ),
        (
            Request,
            "^puedes|^podrias|^me puedes|^puede|^podria|^me harias el favor|^te importaria",
        ),
        (
            Narration,
            "yo siempre|yo nunca|siempre se me|siempre me|nunca me|no lo habria|no habria|habria|nunca habia|nunca he|nunca lo|siempre he|siempre lo mismo|siempre el mismo|siempre la misma|el mismo error|la misma|como siempre|desde siempre|nunca funciono|nunca funciona|nunca termina|nunca devuelve|nunca vuelve|nunca llega|siempre falla|siempre da|siempre ha|siempre fue|fue siempre|debe ser|debe de|debio|debia|tiene que ser|tiene que haber|tuvo que|tenia que|habra|ayer|la semana pasada|el ano pasado|antes|no entiendo|no tengo idea|no importa|no pasa nada|no hay problema|no hay prisa|no funciona|no era|no fue|no esa|no ese|no esta|no es|todavia no|aun no|no ahora|casi nunca|quise|queria|solo queria|pense|siempre pasa|siempre ocurre|siempre igual|siempre es|siempre sale|pasa siempre|siempre hay|no se que|no se como|no se si|no se por|no lo se",
        ),
        (
            Trouble,
            "error|errores|falla|fallaba|fallo|fallan|rompe|roto|excepcion|timeout|lento|cuelga|colgado|rojo|no funciona|no va|problema|raro|desde el|desde la|crashea|peta",
        ),
        (
            Report,
            "la documentacion|la documentacion dice|la doc|las docs|el linter|linter dice|el compilador|el ticket|el jefe|la jefa|mi jefe|dice que|dicen que|dijo|dijeron|escribio|segun|el readme|git dice|el mensaje dice|el log dice|stackoverflow|parece que|el test dice|pone que|ponia|mi colega|el companero",
        ),
        (
            Suppose,
            "y si|que pasaria|que pasa si|supongamos|supon que|imagina|imaginemos|digamos que|en teoria|hipoteticamente|si nunca|si no cerramos|si siempre|si fuera",
        ),
        (
            Idiom,
            "^no importa|^da igual|^olvidalo|^no te preocupes|^no pasa nada|^no hay problema|^nada nada|^de nada|^no ,|^todavia no|^ahora no|^no es nada|^dejalo|^tranquilo|^tranquila|^nunca es tarde|^no hay prisa|^siempre igual|^nada ,",
        ),
        (
            Now,
            "ahora|por ahora|de momento|por el momento|esta vez|todavia|aun|hoy|solo aqui|en este archivo|en esta funcion|para este pr|para este commit|solo esta vez|ahora mismo|por hoy",
        ),
        (Then, "^entonces|^en ese caso|^si es asi|^si si"),
        (
            Aside,
            "por cierto|y por cierto|de paso|y de paso|ya que estas|ademas|y ademas|y tambien|otra cosa|y otra cosa|y como norma|y por norma|y como regla|y en general|y de ahora en adelante|y en adelante|y recuerda|y no olvides|y nunca|y siempre|pero nunca|pero siempre|btw|ps|pd|aparte|y por favor|y a partir de ahora|una cosa mas|y una cosa",
        ),
        (And, "y|e|pero|ademas de"),
        (
            Filler,
            "por favor|porfa|porfavor|ok|vale|bueno|pues|y|pero|ah|oh|oye|hola|si|no|gracias|solo|entonces|tambien|mira|eh|venga|dale|a ver|listo|otra vez|como dije|che",
        ),
        (
            Tag,
            "ok|vale|si|no|entendido|de acuerdo|claro|esta claro|por favor|verdad|te parece|listo|eh",
        ),
        (
            Withdraw,
            "olvida lo que dije|olvida lo que te dije|olvidate de lo que dije|olvida lo que he dicho|olvida la regla|olvidate de la regla|olvida mi regla|olvida todo lo que|ignora lo que dije|ignora la regla|descarta la regla|descarta lo que dije|anula la regla|cancela la regla|quita la regla|elimina la regla|borra la regla|retiro lo que dije|retiro lo dicho|retiro la regla|deja de lado la regla|la regla .. ya no|la regla .. queda anulada|la regla .. no vale|la regla .. no aplica|lo que dije .. ya no|lo de .. ya no|puedes olvidar lo que|puedes olvidar la regla|sin efecto",
        ),
    ],
};
