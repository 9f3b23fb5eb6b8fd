//! French.

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
    common: "le|la|les|un|une|des|du|de|et|ou|est|sont|je|tu|il|elle|on|nous|vous|me|te|se|ce|cette|ces|mon|ma|mes|ton|ta|tes|dans|sur|pour|avec|sans|pas|ne|que|qui|quoi|au|aux|par|plus|tout|tous|toujours|jamais|mais|donc|fais|c|d|j|l|n|s|t|qu|quand|chez|aussi|etre|avoir|sauf",
    hasty: "stp=s il te plait|svp=s il vous plait|pk=pourquoi|pq=pourquoi|pcq=parce que|tt=tout|tjs=toujours|tjr=toujours|tjrs=toujours|qd=quand|qqch=quelque chose|qqn=quelqu un|ds=dans|ms=mais|pr=pour|ac=avec|jms=jamais|jamai=jamais|bcp=beaucoup|c=c est|g=j ai|nn=non|dsl=desole|rep=reponds|msg=message|msgs=messages|faut=il faut",
    clitics: "j-|c-|n-|l-|d-|s-|t-|m-|qu-",
    cues: &[
        (
            Lasting,
            "a partir de maintenant|a partir d aujourd hui|a partir de la|dorenavant|desormais|a l avenir|dans le futur|par la suite|pour la suite|en regle generale|regle generale|en principe|par principe|la regle c est|c est la regle|pour ce projet|pour tout le projet|sur tout le projet|pour cette session|pour toute la session|en aucun cas|sous aucun pretexte|en aucune circonstance|quoi qu il arrive|quoi que je|peu importe ce que|sans exception|jusqu a nouvel ordre|sauf si je|sauf indication contraire|a moins que je|tant que je|une fois pour toutes|definitivement|dans toutes tes reponses|dans tes reponses|a chaque reponse|dans chaque reponse|comme convention|par convention|notre convention|plus jamais|et meme plus tard|a tout moment|pas un centime de plus|valable partout|c est valable|la source de verite|la reference c est|c est la reference|la reference est|fait foi|font foi|prends l habitude|dans ce chat|sauf si je te|tant que je ne|a compter de maintenant|la prochaine fois|seulement si je|uniquement si je|que si je|doit rester|doivent rester|jusqu a la fin|le reste de|pour le reste|quoi que tu fasses|ni maintenant ni|systematiquement|pour toujours|ca vaut pour|valable pour|pour toute la|pour tout le|sur tout le|dans tout le|tout le long|comme regle|c est comme ca ici|on fait comme ca|assure toi de toujours|assure toi de ne jamais|assurez vous de toujours|veille a toujours|veille a ne jamais|fais toujours en sorte|pense toujours a",
        ),
        (
            Generally,
            "en general|generalement|par defaut|partout|nulle part|chaque fois|a chaque fois|chaque|tous les|toutes les|tout le|si possible|autant que possible|dans la mesure du possible|par session|par jour|par semaine|par mois|par commit|par fichier|par run|par requete|par execution|systematiquement|de maniere generale|d une maniere generale|plus|sauf si c est|sauf si vraiment|sauf necessite|sauf si necessaire|si vraiment necessaire|quand c est possible|des que possible|tout ce qui|toute modification",
        ),
        (
            Absolute,
            "toujours|jamais|aucun|aucune|personne|uniquement|exclusivement|systematiquement|seulement et toujours|en permanence|absolument",
        ),
        (
            Remember,
            "a retenir|retiens|retiens que|souviens toi que|souviens toi|rappelle toi|n oublie pas|n oublie jamais|oublie pas que|note que|note :|note bien|notez|notez que|nb|n b|garde en tete|gardez en tete|garde a l esprit|garde en memoire|pour info|pour information|pour memoire|pour plus tard|pour rappel|rappel :|sache que|a savoir|bon a savoir|important :|attention :|fyi|je te signale que|prends note|memorise|regle :|pour ta gouverne|retiens le|note le|garde le en tete|souviens t en|retiens ca|retiens bien",
        ),
        (
            AskFirst,
            "demande moi|demande avant|demande d abord|demandez moi|me demander|m en parler|en parler avec moi|parle m en|parles en avec moi|previens moi|previens avant|me prevenir|consulte moi|me consulter|verifie avec moi|voir avec moi|vois avec moi|valide avec moi|faire valider|mon accord|mon feu vert|mon ok|ma permission|mon autorisation|mon approbation|ma validation|sans mon|sans ma|attends mon|attends que je|que je valide|que j aie valide|que je confirme|que je dise|confirme avec moi|montre moi avant|montre moi d abord|dis moi avant|dis le moi avant|tu me demandes|tu m en parles|tu me previens|passe par moi|passer par moi|poser la question|d abord me|d abord avec moi|voir .. avec moi|vois .. avec moi|vois ca avec moi|parle .. avec moi|valide .. avec moi|demandes moi|avant de .. demande|avant de .. , demande|avant .. demande|appelle moi d abord|appelle moi avant|previens moi avant|en cas de doute .. demande|dans le doute .. demande|dans le doute demande|demande mon accord|demande mon|demandent mon|necessite mon|necessitent mon|requiert mon|avec mon accord|dis le moi tout de suite|dis le moi|dis moi tout de suite|sans que je|sans que j|avant que j|avant que je|tant que je n ai|sans mon regard|je veux voir .. avant|je voudrais voir .. avant|montre .. avant de|laisse moi voir .. avant|laisse moi relire|demande si quelque|demande si|arrete toi et demande|arrete et demande|stop et demande|sans mon accord|sans accord|sans me demander|sans me prevenir|sans me le dire|sans m en parler|sans demander|sans validation|sans mon aval|sans mon feu vert|feu vert|dis le|n invente pas|invente pas|n invente rien|ne devine pas|devine pas|previens|tu demandes|tu me le signales|tu me le dis|c est moi qui decide|je decide|laisse moi choisir|laisse moi decider|quand je te le dis|quand je le dis|si je te le demande|si je le demande|que si je|avant que je dise|avant que j aie dit|tant que je n ai pas dit|tant que j ai pas dit|il faut mon ok|faut mon ok|faut mon accord|avant que je valide|tant que j ai pas valide|apres mon ok|pas sur , demande|pas sur demande|pas sure , demande|si tu doutes|en cas de doute|dans le doute|pas clair , demande|si tu sais pas",
        ),
        (
            Allowed,
            "tu peux .. sans|vous pouvez .. sans|sans demander|sans me demander|sans me le demander|sans autorisation|sans ma permission|pas besoin de demander|pas besoin de me demander|pas la peine de demander|pas la peine de me|inutile de demander|inutile de me|quand tu veux|quand tu voudras|autant que tu veux|tu as le droit|t as le droit|tu es autorise|tu as ma permission|n hesite pas a|libre a toi|ne demande pas|me demande pas|pas obligé de demander|pas oblige de demander|je t autorise|pas besoin de mon accord|inutile de me demander|tu peux .. mais ne|tu peux .. mais pas|tu peux .. mais sans|c est ok pour|ok pour|tu peux .. mais jamais|tu n as pas besoin de mon|t as pas besoin de mon|n as pas besoin de mon accord|carte blanche|fais comme tu veux|comme bon te semble|de ton cote|tout seul",
        ),
        (
            Forbidden,
            "interdit|interdite|interdits|interdiction|defense de|defendu|pas le droit|hors de question|proscrit|a proscrire|a bannir|banni|n y touche pas|abstiens toi|s abstenir|tu n as rien a faire|rien a faire dans|je ne veux pas voir|je veux pas voir|je ne veux plus|je veux plus|je ne veux jamais|je veux jamais|on ne veut pas|tabou|laisse .. tranquille|ne t avise pas|je ne veux pas que|je veux pas que|je ne veux pas de|je veux pas de|je ne voudrais pas que|je prefererais que tu ne|je preferais que tu ne|je prefere que tu ne|j aimerais que tu ne|j aimerais mieux que tu ne|bas les pattes|intouchable|intouchables|arrete de t|arrete d|arrete de|arretes de|arrete s il te plait|arrete avec|cesse de|ca suffit avec|ca suffit les|marre des|assez des|stop aux|stop avec les|n est pas pour toi|tu ne touches pas a|tu touches pas a|evite a tout prix|je ne veux .. pas que|je veux .. pas que|je n ai .. pas envie que|tu n as pas a|on ne touche pas|ca ne se touche pas|ne se touche pas|ne se modifie pas|ne me propose pas|ne me proposez pas|n .. de toi meme|ne .. tout seul|n .. tout seul|ne .. de ta propre initiative|reste en dehors|restez en dehors|tiens toi a l ecart|je ne supporte pas|je supporte pas|ne supporte pas|arretez de|evite de|evite les|evite d|epargne moi|epargne nous|lache|fous la paix|on ne touche|on touche pas|on y touche pas|interdit de|fini les|finis les|stop les|plus de .. dans|basta|assez de|c est moi qui|toi jamais|toi non|pas toi|moi seul|que moi|pas de .. sans|sans .. pas de|aucun .. sans|est sacre|est confidentiel|pas a toi|touche pas a|je t ai dit de ne pas|je t ai dit de pas|je t avais dit de ne pas|je t avais dit de pas|je t ai demande de ne pas|je veux plus que|je ne veux plus que|je veux plus de|je ne veux plus de|je veux plus voir|je ne veux plus voir|j ai dit pas de",
        ),
        (
            Order,
            "^utilise|^utilisez|^utiliser|^ecris|^ecrivez|^ecrire|^reponds|^repondez|^repondre|^garde|^gardez|^garder|^respecte|^respecter|^suis|^suivre|^prefere|^preferer|^privilegie|^privilegier|^pense a|^penser a|^veille|^assure toi|^fais en sorte|^fais attention|^fais|^faire|^mets|^mettre|^donne|^donner|^montre|^montrer|^laisse|^laisser|^limite|^limiter|^sois|^soyez|^parle|^parlez|^parler|^tutoie|^tutoyer|^vouvoie|^appelle|^commente|^documente|^teste|^lance|^verifie|^ajoute|^mentionne|^precise|^cite|^explique|^signe|^formate|^indente|^depense|^reste|^passe|^prends|^evite|^arrete|^demande|^nomme|^saute|^termine|^commence|^traite|^considere|^pas de|^pas d|^plus de|^jamais de|^commit|^push|^deploie|^range|^previens|^appelle moi|^regroupe|^separe|^trie|^arrondis|^bosse|^travaille|^note|^envoie|^n utilise|^ne fais|^ne mets|^ne touche|^dis|^dis le|^dis moi|^raccourcis|^epingle|^va|^vas|^enregistre|^fixe|^cesse|^abstiens|^attends|^signale|^choisis|^contente toi|^borne toi|^tiens toi|^indique|^justifie|^numerote|^sauvegarde|^chiffre|^masque|^logge|^log|^mock|^mocke|^simule|^place|^stocke|^squash|^rebase|^decoupe|^merci de|^merci d|^il faut|^faut|^veille a|^pensez a|^essaie|^touche|^marque|^montre moi",
        ),
        (
            Negative,
            "ne|n|pas|jamais|aucun|aucune|sans|ni|rien|plus de|personne|non|touche pas|ne touche pas|evite|eviter|evitez|arrete de|arretez de|cesse de|cessez de|pas touche|y touche pas|^evite|evite de",
        ),
        (
            Modal,
            "doit|doivent|devrait|devraient|dois|devez|devras|il faut|il faudrait|faut|faudra|ne faut|obligatoire|obligatoirement|imperatif|imperativement|necessaire|tu vas|tu feras|tu mettras|tu utiliseras|je veux|je voudrais|j aimerais|je souhaite|j exige|j attends|je deteste|j aime pas|je n aime pas|j ai horreur|est a|sont a|peut pas|peuvent pas|peux pas|merci de|s ecrit|s ecrivent|se met|se mettent|va dans|vont dans|tu mets|tu utilises|tu fais|tu ecris|tu reponds|tu commits|tu pushes|tu touches|tu ne|tu n|tu les|tu le|tu la|tu lances",
        ),
        (
            Limit,
            "max|maximum|au maximum|au max|au plus|pas plus de|pas plus que|moins de|plus de|jusqu a|depasser|depasse|depassent|depassez|limite|limite a|budget|plafond|minimum|au moins|au minimum|pas au dela|superieur a|inferieur a|plus longue|plus long|plus longs|plus longues|plus grand|plus gros|plus d une|plus d un|de plus d|uniquement par|uniquement via|uniquement pour|uniquement avec|seulement par|seulement via|seulement pour|seulement avec|que par|colonnes|caracteres|nulle part ailleurs|et nulle part|tu modifies seulement|tu modifies uniquement|par reponse|par message|suffisent|suffit|rien au dessus|lignes max|phrases max|mots max|grand max|par lots de",
        ),
        (
            Prefer,
            "je prefere|je prefererais|je preferes|j aimerais mieux|je preferais que|ma preference|de preference|plutot que|je suis plutot|mieux vaut|j aime mieux|on prefere|nous preferons|je veux plutot|merci de|je te serais reconnaissant|ce serait bien|ca serait bien|ca m arrangerait|si tu pouvais|je serais content|idealement|autant que possible evite|il est important que|c est important que|il est important de|j insiste|je tiens a ce que|prends l habitude|habitue toi|je deteste|j attends que|j attends de|ca me tient a coeur|^prefere|^privilegie|tiens t en|tiens toi en|reste sur|restez sur|je me fiche de|je m en fiche de|peu importe|seuls .. comptent|seules .. comptent|ce qui compte|j apprecierais|j aimerais que|je serais content si|ca me ferait plaisir|j aime bien quand|j ai horreur|ca m enerve|m enerve|m agace|je veux|je voudrais|j aimerais|des chiffres|pas des adjectifs|ecris comme ca|ecris ainsi|fais comme ca|reste en|ce qui m enerve|ce qui me gene",
        ),
        (
            Scope,
            "dans ce projet|sur ce projet|dans ce repo|dans ce depot|dans cette base de code|dans notre code|dans le code|dans notre projet|dans nos|notre code|notre projet|chez nous|ici on|nous ici|sur cette machine|sur ce serveur|sur ce poste|sur main|sur master|en prod|en production|la prod|sur la branche release|dans mon code|dans mes|dans cette session|dans l equipe|ici c est|dans tout le projet|dans tout le code|en sql|dans sql|en python|dans python|en go|dans go|en rust|dans rust|en typescript|dans typescript|en javascript|dans javascript|en css|dans css|en html|dans html|en yaml|dans yaml|en json|dans json|en bash|dans bash|en java|dans java|en kotlin|dans kotlin|en swift|dans swift|en markdown|dans markdown|en latex|dans latex|en terraform|dans terraform|en docker|dans docker",
        ),
        (
            We,
            "on utilise|on indente|on ecrit|on met|on fait|on ne|on n|on commit|on push|on nomme|on se tutoie|on se vouvoie|nous utilisons|nous ecrivons|tout le monde|tous les commits|toutes les fonctions|tous les fichiers|tous les tests|chaque commit|chaque fonction|chaque fichier|chaque bugfix|chaque correctif|chaque pr|chaque test|convention|les fonctions|les commits|les dates|les messages de commit|un commit|une pr|une fonction|les variables|les noms|le code|les commentaires|les tests|^des tabs|^tabs|^des espaces|^les noms|^les messages|^les tests|^les branches|^les fichiers|^les erreurs|^les logs|^les dates|^les prix|^les montants|^les imports|^noms de branches|^tests|^commits|^prs|les dates sont|^les commentaires|^les pr|n est jamais|ne sont jamais|ne se .. jamais|ne va jamais|ne vont jamais|se fait toujours|se font toujours|est toujours signe|sont toujours signes|va toujours|vont toujours|chez nous on|chez nous .. on|ici on|on squash*|on merge|on rebase|on deploie|on travaille|^noms de|^noms des|^les tests d abord|^notre|^nos|^l argent|^le sql|^le css|notre base|^logs|^messages|^les textes|^textes|^noms|^nouveaux fichiers|^les nouveaux|^les nouvelles|^dates|^les fonctions|^les methodes|^les classes|^les modules|^les migrations|^les secrets|^les mots de passe|^les cles|^les commits|^branches|^les requetes|^les colonnes|^les tables|^les constantes|^chaque|^toute|^tout|^tous|^toutes",
        ),
        (
            Contrast,
            ", pas|, et pas|et pas|et non|, non|plutot que|au lieu de|a la place de|, jamais|mais pas|pas des espaces|pas des tabs|pas d espaces|pas dans",
        ),
        (
            Manner,
            "tes reponses|ta reponse|tes messages|tes commentaires|tes explications|reponds en|reponds moi|repondre en|reponds toujours|reponses courtes|phrases courtes|reponse courte|en francais|en anglais|en allemand|en espagnol|en italien|emojis|emoji|excuses|excuser|t excuser|t excuse|t excuses|desole|flatterie|compliments|tutoie|tutoyer|tutoie moi|tutoiement|vouvoie|vouvoyer|vouvoiement|sois direct|sois franc|sois bref|sois concis|sois poli|sois honnete|sans blabla|blabla|listes a puces|gros titres|titres|en gras|le gras|tableaux|diffs|fichiers entiers|fichier entier|fichier complet|le diff|que les diffs|resume a la fin|resumes|resumer|recapitulatif|recap|ton|jargon|langage simple|langage clair|appelle moi|par mon prenom|messages de commit|message de commit|pas a pas|etape par etape|une question a la fois|explications|dis moi tu|pas vous|me dire tu|me tutoyer|longues reponses|reponses longues|les longues reponses|plus court|plus courtes|parle moi en|parle moi|de longs textes|pavé|paves|on se tutoie|on se vouvoie|stack traces|traite moi|version courte|les bases|metrique|details seulement|tirets|droit au but|va a l essentiel|a l essentiel|fais court|fais simple|intro|introduction|introductions|conclusion|politesse|politesses|formules de politesse|prose|dissertation|resumer a la fin|pense a voix haute|moins de texte|plus de details|tes plans|ton code|tes questions|tes propositions|abreviations|le resultat d abord|juste le code|que le code|que le diff|tes|moins .. plus|parle moins|sur une ligne|en une ligne|sur une seule ligne|oui ou non",
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
            "chaque fois que|a chaque fois que|toutes les fois|a chaque|avant chaque|apres chaque|tout ce que tu ecris|tout ce que tu fais|tout le code que tu|je veux toutes|je veux tous|toutes les dates|tous les noms|tous les messages|dans le doute|en cas de doute|si tu hesites|si tu doutes|on ne supporte que|on n utilise que|on n accepte que|on ne deploie que|on n autorise que|pour tous les nouveaux|pour toutes les nouvelles|pour tout nouveau|pour toute nouvelle|tous les nouveaux|toutes les nouvelles|tout ce que tu|tout ce qui|quand tu parles|quand tu ecris|pour tout ce|que les lignes que tu|que les fichiers que tu|seulement les lignes|seulement les fichiers que|que tu as cree toi|un commit par|une pr par|par ticket|exactement un|toujours valable|ca tient toujours|^un .. par|^une .. par|^un seul .. par|^une seule .. par",
        ),
        (
            Whenever,
            "des que|quand tu|lorsque tu|si tu|si un|si une|si ca|si quelque chose|s il faut|s il y a|si jamais|si besoin|avant de|avant tout|avant d|apres avoir|apres|en cas de|au cas ou|seulement apres|seulement si|uniquement si|une fois que|quand on|quand un|quand une|quand il|lorsqu|si le|si la|si les|si l|si un test|dans le doute|en cas de doute|lors de|lors d|a chaque|pour toute|pour tout|chaque fois que tu|avant chaque|apres chaque|apres toute|avant toute|si t es pas|si tu n es pas|si tu sais pas|si tu ne sais|si tu doutes|si plusieurs|s il y a plusieurs|quand il y a plusieurs|quand un test|sauf si|a moins que|tant que|ou c est possible|quand c est possible|a chaque fois que tu|pour chaque|lorsque|en dehors de",
        ),
        (
            Task,
            "^corrige|^corriger|^ajoute|^ajouter|^ecris|^fais|^cree|^creer|^construis|^renomme|^supprime|^enleve|^retire|^refactorise|^refactore|^explique|^explique moi|^montre|^montre moi|^traduis|^deplace|^mets|^met|^lance|^relance|^trouve|^cherche|^regarde|^lis|^ouvre|^verifie|^change|^modifie|^remplace|^installe|^genere|^convertis|^implemente|^optimise|^nettoie|^range|^teste|^resume|^peux tu|^tu peux|^pourrais tu|^prends|^utilise|^donne|^donne moi|^dis moi|^repare|^continue|^aide|^compare|^analyse|^decris|^fusionne|^rebase|^migre|^simplifie|^extrais|^passe|^reecris|^deploie|^commit|^push|^j ai besoin|^il faut|^maintenant|^rajoute|^bump|^enregistre|^prepare|^finis|^colle",
        ),
        (
            Purpose,
            "pour que|afin que|de sorte que|de facon a|de maniere a|qui verifie|qui garantit|pour garantir|pour eviter|pour verifier|pour s assurer|une regle|une validation|un test qui|disant|que le|que la|pourquoi",
        ),
        (
            Question,
            "^est ce|^est ce que|^qu est ce|^pourquoi|^comment|^quand est ce|^ou est|^quel|^quelle|^quels|^combien|^on est oblige|^on doit|^on peut|^doit on|^faut il|^je dois|^je peux|^dois je|^puis je|^peut on|^peux tu|^pourrais tu|^as tu|^tu as|^tu te souviens|^t as|^c est normal|^ca marche|^y a t il|^y a|^tu sais|^tu peux|ou pas$|ou non$|ou quoi$|^que se passe|^que veut|^que fait|hein$|pas vrai$|n est ce pas$|^c est quoi|^c est qui|^c est ou|difference entre",
        ),
        (
            Request,
            "^peux tu|^tu peux|^pourrais tu|^pourriez vous|^pouvez vous|^tu pourrais|^veux tu|^est ce que tu peux|^est ce que tu pourrais|merci de|^tu as le droit|^t as le droit",
        ),
        (
            Narration,
            "je .. toujours|je .. jamais|j oublie|j ai toujours|j ai jamais|je n ai jamais|j aurais jamais|j aurais|j avais|j etais|je voulais|je pensais|ca n a jamais|ca a toujours|ca marche jamais|ca ne marche jamais|n a jamais|ont toujours|ont jamais|il ne .. jamais|elle ne .. jamais|toujours la meme|toujours le meme|toujours les memes|toujours pas|comme toujours|depuis toujours|jamais vu|jamais trouve|jamais marche|jamais entendu|jamais pense|devait|devaient|doit y avoir|doit etre un|doit etre une|doit etre le|doit etre la|doit venir|a du|ont du|il doit|ca doit|hier|la semaine derniere|l an dernier|avant ca|pas grave|pas de probleme|pas de souci|pas de soucis|pas mal|pas encore|pas sur|pas ca|pas celui|pas comme ca|aucune idee|ca marche pas|marche pas|je sais pas|je ne sais pas|je comprends pas|personne ne sait|ne revient jamais|revient jamais|plus tard|il est revenu|c est revenu|toujours pareil|c est toujours|toujours comme ca|ca arrive toujours|avant le refactor|avant la refonte|avant la migration|on a toujours|on avait toujours|on n a jamais|on a jamais|n a ete lance|a ete lance|n a ete|aucun test n|ne devrait jamais arriver|devrait jamais arriver|mdr|lol|jusqu ici|jusqu a present|a l epoque|je crois|peut etre|il y avait|je n ai jamais voulu|aucun .. n a|aucune .. n a|n aurait jamais|aurait jamais du|aurait pas du|n aurait pas|on aurait|n aurions|personne ne m|personne m a|personne n a|je ne vois aucun|je vois aucun|je ne vois|je vois pas|ne cesse de dire|repete que|n arrete pas de dire|passent maintenant|sont verts|est vert|rien ne se passe|il ne se passe|passe maintenant|je vois|voici|voila|toujours agreable|toujours bien|toujours sympa|n arrive que|arrive que quand|avais raison|ont disparu|a disparu|tout a casse|que quand je|dans le dernier projet|dans l ancien projet|mauvaise branche|mauvais fichier|etait bien|etait bon|on utilisait|on ecrivait|on faisait|on avait|aucun .. necessaire|aucune .. necessaire|pas necessaire|je n ai plus besoin|j ai plus besoin|il y a des annees|il y a longtemps|plus qu un|plus qu une|ne reste que|je ne veux pas y|je veux pas y|je ne veux plus y|je n ai pas envie de|pour une raison|je ne sais pas pourquoi|je sais pas pourquoi|ma faute|a chaque fois que je|a chaque fois que j|chaque fois que je|chaque fois que j|je commence toujours|aucun fichier cree|chaque fois que je clique|a chaque fois que je clique|des que je clique|quand je clique|des que j ouvre|chaque fois que j ouvre|chaque fois que je lance|quand je lance|mais c est pas le cas|mais ce n est pas le cas|mais ca le fait pas|mais ca marche pas|mais non$",
        ),
        (
            Trouble,
            "erreur|echoue|echouent|echec|plante|casse|exception|timeout|lent|bloque|rouge|marche pas|fonctionne pas|crash|probleme|souci|bizarre|depuis la|depuis le",
        ),
        (
            Report,
            "la doc dit|la doc|la documentation|le linter|linter dit|le compilateur|le ticket|le chef|la cheffe|mon chef|mon boss|mon collegue|le collegue|dit que|disent que|a dit|a ecrit|ont dit|ecrit que|parait il|il parait|selon|d apres|le readme|le message dit|git dit|stackoverflow|le log dit|il dit|elle dit|le test dit|je lui ai dit|je leur ai dit|je lui avais dit|l avocat|le juridique|le client ecrit|le support|ecrit :|ont ecrit|est ecrit|m ecrit|nous ecrit|dans la spec|de la spec|extrait de la|du cahier des charges|du design doc|design doc|du wiki|de la doc :|du ticket :|dit aux gens",
        ),
        (
            Suppose,
            "et si|que se passe t il si|imagine|imaginons|supposons|suppose|admettons|en supposant|si on ne|si on n|si on faisait|ca ferait quoi|qu est ce qui se passe|en theorie|hypothetiquement|si jamais on",
        ),
        (
            Idiom,
            "^pas grave|^t inquiete|^ne t inquiete|^t en fais pas|^ne t en fais|^pas de souci|^pas de probleme|^pas mal|^laisse tomber|^peu importe|^jamais de la vie|^toujours pas|^pas encore|^pas ca|^non ,|^ca va|^c est rien|^aucun souci|^aucun probleme|^oublie$|^oublie ca$|^laisse$|^je ne me souviens|^je me souviens|^je ne sais pas|^je sais pas|^je ne pense pas|^je pense pas|^tu te souviens|^je ne crois pas|^desole|^pardon|^excuse|^c est ma faute|^pas de soucis|^pas besoin de t excuser|^aucune idee|^n abandonne pas|^t arrete pas|^ne t arrete pas|^pas celui|^pas celle|^jamais vu|^connais pas|^je comprends pas|^comprends pas|difference entre|oublie .. pour l instant|n oublie pas le|n oublie pas la|n oublie pas les",
        ),
        (
            Now,
            "maintenant|pour l instant|pour le moment|cette fois|cette fois ci|tout de suite|pas encore|aujourd hui|juste ici|dans ce fichier|dans cette fonction|pour cette pr|pour ce commit|encore|encore besoin|la maintenant|c est une demo|juste une demo|en attendant|dans un premier temps|si possible|deux minutes|une seconde|un instant|pour cette fois|pour cette reponse|exceptionnellement|j en ai encore|sert encore",
        ),
        (Then, "^alors|^dans ce cas|^si oui|^si c est le cas"),
        (
            Aside,
            "au fait|et au fait|au passage|en passant|d ailleurs|et d ailleurs|et aussi|autre chose|et autre chose|en plus|et en plus|par ailleurs|btw|ps|pendant que tu y es|tant que tu y es|tant qu on y est|et en general|et de maniere generale|et a l avenir|et desormais|et dorenavant|et surtout|et n oublie pas|et retiens|et jamais|et toujours|mais toujours|mais jamais|et ne|et en regle generale|et s il te plait|et comme regle",
        ),
        (And, "et|ainsi que|mais"),
        (
            Filler,
            "s il te plait|s il vous plait|stp|svp|ok|bon|alors|donc|et|mais|ah|oh|oui|non|euh|hein|merci|aussi|salut|bonjour|juste|encore|surtout|voila|d accord|bref|sinon|comme je disais|allez|je repete|je le repete|autre chose|une autre chose|encore une chose|une chose encore|derniere chose|et aussi|au fait|et puis|rappel|petite regle|comme toujours",
        ),
        (
            Tag,
            "ok|d accord|compris|c est clair|hein|non|oui|stp|s il te plait|ca marche|entendu|ca te va",
        ),
        (
            Once,
            "quand tu as fini|quand tu auras fini|des que tu as fini|une fois fini|a la ligne|en ligne|ligne 1|ligne 2|ligne 3|ligne 4|les derniers|les dernieres|la derniere|le dernier|les premiers|l autre|la seconde|le second|le deuxieme|la deuxieme|cette approche|cette idee|ce fichier|du fichier|dans le fichier|demain|comme ca|fais ca|ce bug|ce test|cette erreur|la faute|option a|option b|le point virgule|l ancien|l ancienne|le nouveau|du readme|reessaie|^utilise .. ici|^prends .. ici|^mets .. ici|tout le fichier|le fichier entier|la deuxieme erreur|ne mets pas l|ne mets pas le|ne mets pas la|n ajoute pas le|n ajoute pas la|n ajoute pas l|n inclus pas|si ca marche|si ca passe|si c est bon|cette fonction|cette classe|ce module|mauvaise branche|la reponse dans|cette branche|dis moi quand|previens moi quand|les etapes|ajoute la verification|ajoute le controle|supprime la|^attends|^attends pour|^une seconde|n utilise pas le .. ici|utilise pas le .. ici|n utilise pas la .. ici|cette fois|cette fois ci|pour cette fois|pour cette reponse|exceptionnellement",
        ),
        (
            Style,
            "kebab case|snake case|camelcase|minuscules|majuscules|a l imperatif|imperatif|au present|en utc|sont stockees|sont stockes|stockees en|a cote du|a cote de|guillemets simples|espaces|tabs|tabulations|ordre alphabetique|en anglais|en francais|s appellent|sont nommes|sont nommees|vont dans|vont a cote|petits|petit|petites|courts|courtes|atomiques|format iso|au format|un composant par|une classe par|sans jquery|avec des tirets|d abord|va dans|va en|va avec|au format iso|en centimes|en minuscules|en majuscules|version fixe",
        ),
        (
            Change,
            "^supprime|^enleve|^retire|^efface|^renomme|^deplace|^remplace|^traduis|^convertis|^corrige|^reecris|^copie|^fusionne|^annule",
        ),
        (
            Reallow,
            "tu peux de nouveau|tu peux a nouveau|tu as de nouveau le droit|de nouveau autorise*|a nouveau autorise*|de nouveau permis|a nouveau permis|tu peux re utiliser|tu peux reutiliser|tu peux recommencer a|c est de nouveau ok|de nouveau ok|a nouveau ok|de nouveau bon|est de nouveau|tu peux maintenant|maintenant tu peux|tu peux desormais|desormais tu peux|est ok maintenant|sont ok maintenant|est autorise maintenant|sont de nouveau|a nouveau autorise|c est ok maintenant|c est permis maintenant|est permis desormais|tu peux .. a nouveau|tu peux .. de nouveau|finalement .. ok|finalement c est bon|en fait .. ok|maintenant autorise|c est bon pour",
        ),
        (
            RuleName,
            "regle|regles|consigne|consignes|histoire|truc|limite|interdiction|dit|plus|nouveau|avant|utiliser|concernant|propos",
        ),
        (
            Duty,
            "doivent|ont a|sont a|ne doivent pas|ne doivent|vont dans|vont en|se mettent dans",
        ),
        (
            Definite,
            "^le|^la|^l|^ce|^cette|^cet|^ces|^il|^elle|^ils|^elles|^on|^nous|^je|^tu|^ca|^c|^mon|^ma|^mes|^y",
        ),
        (
            Preface,
            "^encore une fois :|^je repete|^autre chose|^une autre chose|^encore une chose|^et aussi :|^derniere chose|^rappel|^regle|^une derniere chose|^et une chose",
        ),
        (
            Cease,
            "arreter de|arreter d|cesser de|cesser d|eviter de|ne plus",
        ),
        (
            Head,
            "pour la suite|pour l avenir|a l avenir|pour plus tard|deux choses|2 choses|trois choses|3 choses|quelques choses|quelques points|deux regles|2 regles|trois regles|quelques regles|les regles|nos regles|mes regles|regles|dorenavant|desormais|a partir de maintenant|conventions|nos conventions|consignes|principes|rappels|preferences|mes preferences|comment on bosse|bon a savoir",
        ),
        (
            Paper,
            "mail|e mail|courriel|readme|wiki|doc|docs|documentation|politique|ticket|note de version|notes de version|changelog|annonce|prompt|prompt systeme|^message de commit :|^message :|^titre :|^sujet :|^exigence :|^spec :|la spec :|lettre|article|message|slack|diapo|affiche|modele|description|guide|manuel|section|phrase|traduis|texte|page",
        ),
        (
            Product,
            "^les utilisateurs|^les clients|les utilisateurs doivent|les utilisateurs ne doivent|les clients doivent|l utilisateur doit|l utilisateur ne doit|l utilisateur peut|les utilisateurs peuvent|le client doit|le bot doit|le bot ne doit|le bouton doit|le bouton ne doit|la page doit|le formulaire doit|le champ doit|la fonction doit|la methode doit|l endpoint doit|la reponse doit|l appli doit|l api doit|le serveur doit|le job doit|la valeur doit|le mot de passe doit|la liste doit|le menu|la fenetre|le total doit|le resultat doit|la sortie doit|la requete doit|le cache doit|le composant|les admins|les visiteurs|il faut que l utilisateur|il faut que le|ca devrait|cela devrait|ca doit toujours|ca ne doit jamais|ca doit jamais|il devrait|elle devrait|devrait jamais|ajoute le controle|ajoute un controle|ajoute la verif|ajoute la verification|ajoute une verification|ajoute le filtre|ajoute un filtre|ajoute la validation|le panier|implemente ce filtre|masque le|masque les|l appli ne doit|l app ne doit|l application ne doit|la page ne doit",
        ),
        (
            Formerly,
            "dans mon ancienne|dans mon ancien|dans l ancienne|dans l ancien|ancienne boite|ancien boulot|ancienne equipe|ancien projet|ancien systeme|a l epoque|autrefois|avant il fallait|avant on|fallait toujours|avait le droit|avaient le droit|n avait le droit|devait|devaient|devais|devions|pouvait|pouvaient|il fallait|etait interdit|etaient interdits|on avait une regle|il y avait une regle|la boite d avant|a la fac|mon dernier job|mon dernier boulot",
        ),
        (
            Generic,
            "un|une|tout|toute|tous|toutes|chaque|quelque chose|un truc|quoi que ce soit|n importe quel|n importe quelle|plusieurs|des",
        ),
        (
            Reason,
            "parce que|parce qu|car|donc|sinon|puisque|comme ca|je lis|je peux|je l ai|j ai|c est|ce sont|on a|il est|elle est|vu que|pour que|c pour ca",
        ),
        (
            Wonder,
            "bizarre|etrange|curieux|chelou|etonnant|mais c est pas le cas|mais ce n est pas le cas|mais ca le fait pas|mais ca marche pas|mais il le fait pas|c est ca le bug|c est ca le probleme|c est le bug",
        ),
        (
            Relay,
            "^dis au|^dis aux|^dis a|^dis lui|^dis leur|^previens le|^previens les|^rappelle au|^rappelle aux|^demande au|^demande a|le client veut|le chef veut|elle veut|il veut|ils veulent",
        ),
        (
            Drop,
            "oublie|oubliez|laisse tomber|ignore|annule|supprime|retire|leve|enleve|abandonne|vire|raye|je retire|j annule|je leve|efface",
        ),
        (
            RuleNoun,
            "regle|regles|limite|interdiction|restriction|contrainte|consigne|consignes|exigence|politique|truc sur|truc des|plafond|budget|histoire de|obligation",
        ),
        (
            Over,
            "ne s applique plus|s applique plus|n est plus valable|est plus valable|ne vaut plus|vaut plus|ne tient plus|tient plus|est levee|est annulee|est caduque|est supprimee|c est fini|est morte|saute|n existe plus|existe plus|plus besoin|est abandonnee|est perimee",
        ),
        (Halt, "arrete de|arrete|cesse de|plus de|plus besoin de"),
        (
            Withdraw,
            "oublie ce que j ai dit|oublie ce que je t ai dit|oublie ce que j avais dit|oublie la regle|oublie ma regle|oublie l histoire|oublie tout ce que|oublier ce que j ai dit|laisse tomber la regle|laisse tomber ce que j ai dit|annule la regle|annule ce que j ai dit|ignore ce que j ai dit|ignore la regle|supprime la regle|retire la regle|enleve la regle|abandonne la regle|je retire ce que|je reviens sur|je leve la regle|la regle .. ne s applique plus|la regle .. n est plus valable|la regle .. ne vaut plus|la regle .. est annulee|la regle .. est levee|la regle .. s applique plus|la regle .. est morte|la regle .. tombe|la regle .. c est fini|ce que j ai dit .. ne vaut plus|ce que j ai dit .. n est plus|tu peux oublier la regle|tu peux oublier ce que|la regle .. ne tient plus|ne tient plus|n est plus valable|ne s applique plus|ne vaut plus|n est plus d actualite|n est plus necessaire|tu n es plus oblige|tu n as plus besoin|t as plus besoin|plus besoin de|tu n as plus a|plus la peine de|laisse tomber l histoire|laisse tomber les|laisse tomber le|oublie les|oublie la consigne|annule la consigne|leve la regle|j ai change d avis sur|plus obligatoire|tu n es plus tenu|oublie la limite|oublie l interdiction|leve l interdiction|leve la limite|oublie la contrainte|laisse tomber la limite|tu peux oublier la limite|tu peux laisser tomber|t as plus a|plus besoin de me|plus la peine|plus oblige|j ai change d avis|c est plus la peine|tu peux arreter avec|tu peux arreter les|je me suis trompe sur|j avais tort sur|j avais tort pour|oublie le truc|oublie le|oublie la|laisse tomber la|j annule|je retire|^oublie|^oubliez",
        ),
        (
            Touch,
            "touche pas|ne touche pas|touchez pas|ne touchez pas|pas toucher|ne touche a rien|touche a rien|touche plus|ne touche plus|ne modifie pas|modifie pas|ne modifiez pas|pas modifier|ne change pas|change pas|pas changer|n efface pas|efface pas|ne supprime pas|supprime pas|pas supprimer|n edite pas|edite pas|n ecrase pas|ecrase pas|ne deplace pas|deplace pas|ne renomme pas|renomme pas|laisse .. tranquille|laisse .. tel quel|laisse .. comme|bas les pattes|intact|intacte|intacts|intouche|reste comme|restent comme|n y touche|on n y touche|ne reformate pas|reformate pas|ne reformatez pas",
        ),
        (
            Place,
            "dossier|dossiers|repertoire|repertoires|fichier|fichiers|table|tables|module|modules|branche|branches|paquet|schema|schemas|base|bdd|db|interface|interfaces|config|configuration|pipeline|migrations|fixtures|snapshots|serveur|serveurs|cluster|secrets|env|vendor|infra|depot|repo|librairie|legacy|prod|production|staging|traductions|generes|genere|code que|commentaires qui",
        ),
        (Solely, "juste|seulement|uniquement|simplement"),
    ],
};
