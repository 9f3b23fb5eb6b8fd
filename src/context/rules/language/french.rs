//! French.

use super::cue::Cue::{
    Absolute, Allowed, And, Aside, AskFirst, Contrast, Each, Filler, Forbidden, Generally, Idiom,
    Lasting, Limit, Manner, Meaning, Modal, Narration, Negative, Now, Order, Prefer, Purpose,
    Question, Remember, Report, Request, Scope, Suppose, Tag, Task, Then, Topic, Trouble, We,
    Whenever, Withdraw,
};
use super::cue::{CueTable, Script};

pub(super) const TABLE: CueTable = CueTable {
    script: Script::Latin,
    common: "le|la|les|un|une|des|du|de|et|ou|est|sont|je|tu|il|elle|on|nous|vous|me|te|se|ce|cette|ces|mon|ma|mes|ton|ta|tes|dans|sur|pour|avec|sans|pas|ne|que|qui|quoi|au|aux|par|plus|tout|tous|toujours|jamais|mais|donc|fais|c|d|j|l|n|s|t|qu|quand|chez|aussi|etre|avoir|sauf",
    cues: &[
        (
            Lasting,
            "a partir de maintenant|a partir d aujourd hui|a partir de la|dorenavant|desormais|a l avenir|dans le futur|par la suite|pour la suite|en regle generale|regle generale|en principe|par principe|la regle c est|c est la regle|pour ce projet|pour tout le projet|sur tout le projet|pour cette session|pour toute la session|en aucun cas|sous aucun pretexte|en aucune circonstance|quoi qu il arrive|quoi que je|peu importe ce que|sans exception|jusqu a nouvel ordre|sauf si je|sauf indication contraire|a moins que je|tant que je|une fois pour toutes|definitivement|dans toutes tes reponses|dans tes reponses|a chaque reponse|dans chaque reponse|comme convention|par convention|notre convention|plus jamais|et meme plus tard|a tout moment|pas un centime de plus|valable partout|c est valable",
        ),
        (
            Generally,
            "en general|generalement|par defaut|partout|nulle part|chaque fois|a chaque fois|chaque|tous les|toutes les|tout le|si possible|autant que possible|dans la mesure du possible|par session|par jour|par semaine|par mois|par commit|par fichier|par run|par requete|par execution|systematiquement|de maniere generale|d une maniere generale|plus",
        ),
        (
            Absolute,
            "toujours|jamais|aucun|aucune|personne|uniquement|exclusivement|systematiquement|seulement et toujours|en permanence|absolument",
        ),
        (
            Remember,
            "a retenir|retiens|retiens que|souviens toi que|souviens toi|rappelle toi|n oublie pas|n oublie jamais|oublie pas que|note que|note :|note bien|notez|notez que|nb|n b|garde en tete|gardez en tete|garde a l esprit|garde en memoire|pour info|pour information|pour memoire|pour plus tard|pour rappel|rappel :|sache que|a savoir|bon a savoir|important :|attention :|fyi|je te signale que|prends note|memorise|regle :|pour ta gouverne",
        ),
        (
            AskFirst,
            "demande moi|demande avant|demande d abord|demandez moi|me demander|m en parler|en parler avec moi|parle m en|parles en avec moi|previens moi|previens avant|me prevenir|consulte moi|me consulter|verifie avec moi|voir avec moi|vois avec moi|valide avec moi|faire valider|mon accord|mon feu vert|mon ok|ma permission|mon autorisation|mon approbation|ma validation|sans mon|sans ma|attends mon|attends que je|que je valide|que j aie valide|que je confirme|que je dise|confirme avec moi|montre moi avant|montre moi d abord|dis moi avant|dis le moi avant|tu me demandes|tu m en parles|tu me previens|passe par moi|passer par moi|poser la question|d abord me|d abord avec moi|voir .. avec moi|vois .. avec moi|vois ca avec moi|parle .. avec moi|valide .. avec moi|demandes moi",
        ),
        (
            Allowed,
            "tu peux .. sans|vous pouvez .. sans|sans demander|sans me demander|sans me le demander|sans autorisation|sans ma permission|pas besoin de demander|pas besoin de me demander|pas la peine de demander|pas la peine de me|inutile de demander|inutile de me|quand tu veux|quand tu voudras|autant que tu veux|tu as le droit|t as le droit|tu es autorise|tu as ma permission|n hesite pas a|libre a toi|ne demande pas|me demande pas|pas obligé de demander|pas oblige de demander|je t autorise",
        ),
        (
            Forbidden,
            "interdit|interdite|interdits|interdiction|defense de|defendu|pas le droit|hors de question|proscrit|a proscrire|a bannir|banni|n y touche pas|abstiens toi|s abstenir|pas touche|tu n as rien a faire|rien a faire dans|je ne veux pas voir|je veux pas voir|je ne veux plus|je veux plus|je ne veux jamais|je veux jamais|on ne veut pas|tabou|laisse .. tranquille|ne t avise pas",
        ),
        (
            Order,
            "^utilise|^utilisez|^utiliser|^ecris|^ecrivez|^ecrire|^reponds|^repondez|^repondre|^garde|^gardez|^garder|^respecte|^respecter|^suis|^suivre|^prefere|^preferer|^privilegie|^privilegier|^pense a|^penser a|^veille|^assure toi|^fais en sorte|^fais attention|^fais|^faire|^mets|^mettre|^donne|^donner|^montre|^montrer|^laisse|^laisser|^limite|^limiter|^sois|^soyez|^parle|^parlez|^parler|^tutoie|^tutoyer|^vouvoie|^appelle|^commente|^documente|^teste|^lance|^verifie|^ajoute|^mentionne|^precise|^cite|^explique|^signe|^formate|^indente|^depense|^reste|^passe|^prends|^evite|^arrete|^demande|^nomme|^saute|^termine|^commence|^traite|^considere|^pas de|^pas d|^plus de|^jamais de|^commit|^push|^deploie|^range",
        ),
        (
            Negative,
            "ne|n|pas|jamais|aucun|aucune|sans|ni|rien|plus de|personne|non|touche pas|ne touche pas|evite|eviter|evitez|arrete de|arretez de|cesse de|cessez de",
        ),
        (
            Modal,
            "doit|doivent|devrait|devraient|dois|devez|devras|il faut|il faudrait|faut|faudra|ne faut|obligatoire|obligatoirement|imperatif|imperativement|necessaire|tu vas|tu feras|tu mettras|tu utiliseras|je veux|je voudrais|j aimerais|je souhaite|j exige|j attends|je deteste|j aime pas|je n aime pas|j ai horreur|est a|sont a|peut pas|peuvent pas|peux pas|merci de|s ecrit|s ecrivent|se met|se mettent|va dans|vont dans|tu mets|tu utilises|tu fais|tu ecris|tu reponds|tu commits|tu pushes|tu touches|tu ne|tu n",
        ),
        (
            Limit,
            "max|maximum|au maximum|au max|au plus|pas plus de|pas plus que|moins de|plus de|jusqu a|depasser|depasse|depassent|depassez|limite|limite a|budget|plafond|minimum|au moins|au minimum|pas au dela|superieur a|inferieur a|plus longue|plus long|plus longs|plus longues|plus grand|plus gros",
        ),
        (
            Prefer,
            "je prefere|je prefererais|je preferes|j aimerais mieux|je preferais que|ma preference|de preference|plutot que|je suis plutot|mieux vaut|j aime mieux|on prefere|nous preferons|je veux plutot|merci de|je te serais reconnaissant|ce serait bien|ca serait bien|ca m arrangerait|si tu pouvais|je serais content|idealement|autant que possible evite",
        ),
        (
            Scope,
            "dans ce projet|sur ce projet|dans ce repo|dans ce depot|dans cette base de code|dans notre code|dans le code|dans notre projet|dans nos|notre code|notre projet|chez nous|ici on|nous ici|sur cette machine|sur ce serveur|sur ce poste|sur main|sur master|en prod|en production|la prod|sur la branche release|dans mon code|dans mes|dans cette session|dans l equipe|ici c est|dans tout le projet|dans tout le code",
        ),
        (
            We,
            "on utilise|on indente|on ecrit|on met|on fait|on ne|on n|on commit|on push|on nomme|on se tutoie|on se vouvoie|nous utilisons|nous ecrivons|tout le monde|tous les commits|toutes les fonctions|tous les fichiers|tous les tests|chaque commit|chaque fonction|chaque fichier|chaque bugfix|chaque correctif|chaque pr|chaque test|convention|les fonctions|les commits|les dates|les messages de commit|un commit|une pr|une fonction|les variables|les noms|le code|les commentaires|les tests",
        ),
        (
            Contrast,
            ", pas|, et pas|et pas|et non|, non|plutot que|au lieu de|a la place de|, jamais|mais pas",
        ),
        (
            Manner,
            "tes reponses|ta reponse|tes messages|tes commentaires|tes explications|reponds en|reponds moi|repondre en|reponds toujours|reponses courtes|phrases courtes|reponse courte|en francais|en anglais|en allemand|en espagnol|en italien|emojis|emoji|excuses|excuser|t excuser|t excuse|t excuses|desole|flatterie|compliments|tutoie|tutoyer|tutoie moi|tutoiement|vouvoie|vouvoyer|vouvoiement|sois direct|sois franc|sois bref|sois concis|sois poli|sois honnete|sans blabla|blabla|listes a puces|gros titres|titres|en gras|le gras|tableaux|diffs|fichiers entiers|fichier entier|fichier complet|le diff|que les diffs|resume a la fin|resumes|resumer|recapitulatif|recap|ton|jargon|langage simple|langage clair|appelle moi|par mon prenom|messages de commit|message de commit|pas a pas|etape par etape|une question a la fois|explications|dis moi tu|pas vous|me dire tu|me tutoyer",
        ),
        (
            Topic,
            "fais court|court|bref|en bref|brievement|vite fait|rapidement|en une phrase|sois bref|en deux mots|simple",
        ),
        (
            Meaning,
            "quand je dis|quand j ecris|quand je parle de|si je dis|si j ecris|lorsque je dis|veut toujours dire|signifie toujours|designe toujours|designe|fait reference|je parle de|j entends par|je veux dire|par .. j entends",
        ),
        (
            Each,
            "chaque fois que|a chaque fois que|toutes les fois|a chaque|avant chaque|apres chaque",
        ),
        (
            Whenever,
            "des que|quand tu|lorsque tu|si tu|si un|si une|si ca|si quelque chose|s il faut|s il y a|si jamais|si besoin|avant de|avant tout|avant d|apres avoir|apres|en cas de|au cas ou|seulement apres|seulement si|uniquement si|une fois que",
        ),
        (
            Task,
            "^corrige|^corriger|^ajoute|^ajouter|^ecris|^fais|^cree|^creer|^construis|^renomme|^supprime|^enleve|^retire|^refactorise|^refactore|^explique|^explique moi|^montre|^montre moi|^traduis|^deplace|^mets|^met|^lance|^relance|^trouve|^cherche|^regarde|^lis|^ouvre|^verifie|^change|^modifie|^remplace|^installe|^genere|^convertis|^implemente|^optimise|^nettoie|^range|^teste|^resume|^peux tu|^tu peux|^pourrais tu|^prends|^utilise|^donne|^donne moi|^dis moi|^repare|^continue|^aide|^compare|^analyse|^decris|^fusionne|^rebase|^migre|^simplifie|^extrais|^passe|^reecris|^deploie|^commit|^push|^j ai besoin|^il faut|^maintenant|^rajoute|^bump|^enregistre|^prepare|^finis|^colle",
        ),
        (
            Purpose,
            "pour que|afin que|de sorte que|de facon a|de maniere a|qui verifie|qui garantit|pour garantir|pour eviter|pour verifier|pour s assurer|une regle|une validation|un test qui|disant|que le|que la",
        ),
        (
            Question,
            "^est ce|^est ce que|^qu est ce|^pourquoi|^comment|^quand est ce|^ou est|^quel|^quelle|^quels|^combien|^on est oblige|^on doit|^on peut|^doit on|^faut il|^je dois|^je peux|^dois je|^puis je|^peut on|^peux tu|^pourrais tu|^as tu|^tu as|^tu te souviens|^t as|^c est normal|^ca marche|^y a t il|^y a|^tu sais|^tu peux|ou pas$|ou non$|ou quoi$|^que se passe|^que veut|^que fait",
        ),
        (
            Request,
            "^peux tu|^tu peux|^pourrais tu|^pourriez vous|^pouvez vous|^tu pourrais|^veux tu|^est ce que tu peux|^est ce que tu pourrais|merci de",
        ),
        (
            Narration,
            "je .. toujours|je .. jamais|j oublie|j ai toujours|j ai jamais|je n ai jamais|j aurais jamais|j aurais|j avais|j etais|je voulais|je pensais|ca n a jamais|ca a toujours|ca marche jamais|ca ne marche jamais|n a jamais|ont toujours|ont jamais|il ne .. jamais|elle ne .. jamais|toujours la meme|toujours le meme|toujours les memes|toujours pas|comme toujours|depuis toujours|jamais vu|jamais trouve|jamais marche|jamais entendu|jamais pense|devait|devaient|doit y avoir|doit etre un|doit etre une|doit etre le|doit etre la|doit venir|a du|ont du|il doit|ca doit|hier|la semaine derniere|l an dernier|avant ca|pas grave|pas de probleme|pas de souci|pas de soucis|pas mal|pas encore|pas sur|pas ca|pas celui|pas comme ca|aucune idee|ca marche pas|marche pas|je sais pas|je ne sais pas|je comprends pas|personne ne sait|ne revient jamais|revient jamais|plus tard|il est revenu|c est revenu|toujours pareil|c est toujours|toujours comme ca|ca arrive toujours",
        ),
        (
            Trouble,
            "erreur|echoue|echouent|echec|plante|casse|exception|timeout|lent|bloque|rouge|marche pas|fonctionne pas|crash|probleme|souci|bizarre|depuis la|depuis le",
        ),
        (
            Report,
            "la doc dit|la doc|la documentation|le linter|linter dit|le compilateur|le ticket|le chef|la cheffe|mon chef|mon boss|mon collegue|le collegue|dit que|disent que|a dit|a ecrit|ont dit|ecrit que|parait il|il parait|selon|d apres|le readme|le message dit|git dit|stackoverflow|le log dit|il dit|elle dit|le test dit",
        ),
        (
            Suppose,
            "et si|que se passe t il si|imagine|imaginons|supposons|suppose|admettons|en supposant|si on ne|si on n|si on faisait|ca ferait quoi|qu est ce qui se passe|en theorie|hypothetiquement|si jamais on",
        ),
        (
            Idiom,
            "^pas grave|^t inquiete|^ne t inquiete|^t en fais pas|^ne t en fais|^pas de souci|^pas de probleme|^pas mal|^laisse tomber|^peu importe|^jamais de la vie|^toujours pas|^pas encore|^pas ca|^non ,|^ca va|^c est rien|^aucun souci|^aucun probleme|^oublie$|^oublie ca$|^laisse$",
        ),
        (
            Now,
            "maintenant|pour l instant|pour le moment|cette fois|cette fois ci|tout de suite|pas encore|aujourd hui|juste ici|dans ce fichier|dans cette fonction|pour cette pr|pour ce commit|encore",
        ),
        (Then, "^alors|^dans ce cas|^si oui|^si c est le cas"),
        (
            Aside,
            "au fait|et au fait|au passage|en passant|d ailleurs|et d ailleurs|et aussi|autre chose|et autre chose|en plus|et en plus|par ailleurs|btw|ps|pendant que tu y es|tant que tu y es|tant qu on y est|et en general|et de maniere generale|et a l avenir|et desormais|et dorenavant|et surtout|et n oublie pas|et retiens|et jamais|et toujours|mais toujours|mais jamais|et ne|et en regle generale|et s il te plait|et comme regle",
        ),
        (And, "et|ainsi que|mais"),
        (
            Filler,
            "s il te plait|s il vous plait|stp|svp|ok|bon|alors|donc|et|mais|ah|oh|oui|non|euh|hein|merci|aussi|salut|bonjour|juste|encore|surtout|voila|d accord|bref|sinon|comme je disais|allez",
        ),
        (
            Tag,
            "ok|d accord|compris|c est clair|hein|non|oui|stp|s il te plait|ca marche|entendu|ca te va",
        ),
        (
            Withdraw,
            "oublie ce que j ai dit|oublie ce que je t ai dit|oublie ce que j avais dit|oublie la regle|oublie ma regle|oublie l histoire|oublie tout ce que|oublier ce que j ai dit|laisse tomber la regle|laisse tomber ce que j ai dit|annule la regle|annule ce que j ai dit|ignore ce que j ai dit|ignore la regle|supprime la regle|retire la regle|enleve la regle|abandonne la regle|je retire ce que|je reviens sur|je leve la regle|la regle .. ne s applique plus|la regle .. n est plus valable|la regle .. ne vaut plus|la regle .. est annulee|la regle .. est levee|la regle .. s applique plus|la regle .. est morte|la regle .. tombe|la regle .. c est fini|ce que j ai dit .. ne vaut plus|ce que j ai dit .. n est plus|tu peux oublier la regle|tu peux oublier ce que",
        ),
    ],
};
