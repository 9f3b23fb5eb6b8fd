//! Portuguese.

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
    common: "o|a|os|as|um|uma|de|do|da|dos|das|e|ou|eu|tu|voce|vc|voces|me|te|se|meu|minha|seu|sua|que|em|no|na|nos|nas|com|sem|por|pra|para|pro|como|nao|sim|ja|mais|mas|ao|muito|tudo|todos|quando|sempre|nunca|aqui|agora|esse|essa|isso|este|esta|isto|nada|tem|fazer|faz|porque|cada|so|tambem|ta|pode|aquele|gente|ai",
    hasty: "q=que|pq=porque|tb=tambem|tbm=tambem|vc=voce|vcs=voces|pf=por favor|pfv=por favor|pls=por favor|n=nao|ñ=nao|naum=nao|nuca=nunca|smp=sempre|mto=muito|qdo=quando|qnd=quando|hj=hoje|blz=beleza|msg=mensagem|msgs=mensagens|td=tudo|tds=todos|ta=esta|to=estou|ve=veja|cmg=comigo",
    clitics: "",
    cues: &[
        (
            Lasting,
            "daqui pra frente|daqui para frente|daqui em diante|daqui por diante|de agora em diante|a partir de agora|a partir de hoje|desde agora|doravante|no futuro|futuramente|em regra|como regra|como regra geral|via de regra|por regra|regra geral|a regra e|e a regra|e regra|por padrao|pra esse projeto|para esse projeto|para este projeto|pro projeto todo|para todo o projeto|em todo o projeto|nesta sessao|nessa sessao toda|em hipotese alguma|em hipotese nenhuma|de jeito nenhum|em nenhuma circunstancia|sob nenhuma circunstancia|em caso algum|em nenhum caso|em nenhum momento|aconteca o que acontecer|nao importa o que|sem excecao|sem excecoes|ate segunda ordem|ate eu dizer|ate eu falar|a menos que eu|salvo se eu|a nao ser que eu|enquanto eu nao|de uma vez por todas|em todas as respostas|em todas as suas respostas|nas suas respostas|nas respostas|em cada resposta|por convencao|nossa convencao|nunca mais|e daqui|tambem no futuro|nem um centavo a mais|nem um centavo|permanentemente|por principio|de agora pra frente|fonte da verdade|fonte de verdade|e a referencia|crie o habito|pega o habito|neste chat|nesse chat|apartir de agora|apartir de hoje|a partir de ja|da proxima vez|na proxima vez|a proxima vez|so se eu|somente se eu|so quando eu|tem que continuar|deve continuar|tem que ficar|deve permanecer|resto da sessao|pelo resto|ate o fim|faca o que fizer|para sempre|pra sempre|vale para|vale pra|em toda a|em todo o|e assim que|segue esse padrao|siga esse padrao|certifica te sempre|certifique se sempre|certifique se de sempre|certifica te de que sempre|garante sempre|garanta sempre|ve la se sempre|lembra sempre",
        ),
        (
            Generally,
            "em geral|geralmente|no geral|em todo lugar|em todo canto|em toda parte|cada|cada vez|toda vez|todo|toda|todos os|todas as|se possivel|sempre que possivel|sempre que puder|na medida do possivel|por sessao|por dia|por semana|por mes|por commit|por arquivo|por execucao|por tarefa|sistematicamente|normalmente|mais|a nao ser que|a menos que|salvo se|se nao for necessario|sempre que der|quando puder|tudo em|tudo que esta|qualquer coisa em|em todos os lugares",
        ),
        (
            Absolute,
            "sempre|nunca|jamais|nenhum|nenhuma|ninguem|nem uma vez|exclusivamente|unicamente|a todo momento|nada de",
        ),
        (
            Remember,
            "lembra que|lembre que|lembre se que|lembre se de|lembra de|lembre de|lembrete :|lembrando que|tenha em mente|tem em mente|leve em conta|leva em conta|anota ai|anote ai|anota que|anota isso|toma nota|nota :|obs|obs :|nao esqueca|nao esquece|nao se esqueca|nao te esquecas|fica sabendo|saiba que|pra sua informacao|para sua informacao|so pra voce saber|so pra vc saber|pra saber|para mais tarde|importante :|atencao :|fyi|memoriza|guarda isso|guarde isso|guarda que|grava ai|regra :|aviso :|fique sabendo|bom saber|so lembrando|guarda essa|guarda essa :|guarda essa info|so pra saber|so para saber|fica a dica :|pra constar|para constar|lembra disso|lembre disso|tem isso em mente|anota$|anota :",
        ),
        (
            AskFirst,
            "me pergunta|me pergunte|pergunta pra mim|pergunte pra mim|pergunta antes|pergunte antes|pergunta primeiro|pergunte primeiro|perguntar antes|me perguntar|me consulta|me consulte|consulta comigo|me consultar|me avisa antes|me avise antes|me avisa|me avise|avisar antes|me avisar|fala comigo|fale comigo|falar comigo|conversa comigo|combina comigo|combine comigo|confirma comigo|confirme comigo|confirmar comigo|pede permissao|peca permissao|pedir permissao|minha permissao|minha aprovacao|meu ok|meu okay|minha confirmacao|minha autorizacao|meu aval|sem minha|sem meu|sem a minha|sem o meu|espera eu|espere eu|espera meu|espere meu|ate eu confirmar|ate eu aprovar|ate eu liberar|mostra pra mim antes|me mostra antes|me mostre antes|passa por mim|passe por mim|checa comigo|cheque comigo|verifica comigo|valida comigo|alinha comigo|alinhe comigo|para e pergunta|me chama antes|vc pergunta|voce pergunta|antes .. comigo|comigo antes|comigo primeiro|fala comigo antes|antes de .. pergunta|antes de .. pergunte|antes de .. , pergunta|antes .. pergunta|me liga antes|me chama primeiro|na duvida .. pergunta|na duvida pergunta|na duvida pergunte|em duvida .. pergunte|precisa do meu|precisa da minha|precisam do meu|requer meu|requer minha|exige meu|me avisa na hora|sem eu ver|sem que eu|sem eu revisar|sem eu|ate eu ver|antes de eu ver|quero ver .. antes|queria ver .. antes|me deixa ver .. antes|deixa eu ver .. antes|pergunta se|pergunte se|pare e pergunte|sem minha permissao|sem permissao|sem meu ok|sem me avisar|sem me consultar|sem me perguntar|sem perguntar|sem minha aprovacao|sem eu aprovar|sem eu mandar|sem eu pedir|sem eu saber|quando eu mandar|quando eu pedir|quando eu falar|se eu pedir|se eu mandar|nao inventa|nao invente|nao chuta|nao chute|nao adivinha|nao suponha|luz verde|sinal verde|deixa eu escolher|deixa eu decidir|eu decido|eu escolho|pergunte duas|precisa de um sim|antes de eu dizer|ate eu dizer|antes que eu diga|sem eu dizer|so depois do meu|so depois que eu|nao tiveres a certeza|nao tem certeza|nao tiver certeza|nao tens a certeza|na duvida|em caso de duvida|se nao souberes|se nao souber|nao sabe pergunta",
        ),
        (
            Allowed,
            "pode .. sem|sem perguntar|sem me perguntar|sem pedir|sem pedir permissao|sem consultar|sem avisar|nao precisa perguntar|nao precisa pedir|nao precisa me|nao precisa de permissao|nao precisa consultar|nao precisa avisar|nao pergunta|nao pergunte|nao me pergunte|nao me pergunta|quando quiser|a vontade|fique a vontade|fica a vontade|sempre que quiser|quantas vezes quiser|tem permissao|tem minha permissao|tem carta branca|carta branca|ta liberado|esta liberado|liberado pra|pode rodar sempre|voce e livre|esta autorizado|ta autorizado|nao precisa me perguntar|nao precisas de perguntar|nao tem que perguntar|pode .. mas nao|pode .. mas nunca|pode .. so nao|voce pode .. mas|tudo bem para|nao precisa do meu|nao precisa da minha|nao precisas do meu|como quiser|a seu criterio|por conta propria",
        ),
        (
            Forbidden,
            "proibido|proibida|proibidos|proibidas|fica proibido|nao e permitido|nao pode usar|nao e pra|vetado|nem pense|nem pensar|nem mexe|nem toca|nao quero ver|nao quero que|nao quero mais|nunca quero|nao quero nunca|nada de|mantenha distancia|fica longe|fique longe|longe de|intocavel|tira a mao|sem chance de|preferia que nao|prefiro que nao|preferiria que nao|gostaria que nao|queria que nao|agradeceria que nao|eu agradeceria se nao|pare com isso|para com isso|para de|pare de|parem de|chega de|basta de|tire a mao|tirem a mao|nao e pra mexer|nao se mexe|nao mexe mais|nao toque|em paz|nao e da sua conta|nao volte a|nao volta a|nao quero .. que|realmente nao quero que|nao e pra ser|nao e para ser|nao se modifica|nao se usa|nao sugere|nao sugira|nao me sugere|nao me proponha|nao .. por conta propria|nunca .. por conta propria|nao se mete|fica fora|fique fora|nao suporto|corta o|corta a|me poupe|me poupe das|me poupe dos|mao longe|evita|evite|de jeito nenhum|fora do seu|nao quero mais ver|nao quero nenhum|nao quero nenhuma|nao quero novas|sou eu|quem faz sou eu|voce nao|vc nao|tu nao|so eu|sem .. nao tem|sem .. sem|nao tem .. sem|nada de .. sem|nenhum .. sem|e sagrado|e sagrada|e confidencial|nao e seu|nao e sua|eu disse para nao|eu disse pra nao|te disse pra nao|ja disse pra nao|disse te para nao|ja te disse para nao|pedi pra nao|pedi para nao|ja nao quero|nao voltes a",
        ),
        (
            Order,
            "^usa|^use|^usar|^utiliza|^utilize|^escreve|^escreva|^escrever|^responde|^responda|^responder|^me responde|^me responda|^mantem|^mantenha|^manter|^respeita|^respeite|^segue|^siga|^seguir|^prefere|^prefira|^procura|^procure|^garante|^garanta|^certifique|^cuida|^coloca|^coloque|^poe|^bota|^da|^me da|^me de|^mostra|^mostre|^me mostra|^me mostre|^deixa|^deixe|^limita|^limite|^seja|^fala|^fale|^me chama|^me chame|^me trata|^trata|^trate|^comenta|^documenta|^testa|^teste|^roda|^rode|^verifica|^adiciona|^adicione|^menciona|^cita|^explica|^assina|^formata|^indenta|^gasta|^gaste|^evita|^evite|^pergunta|^pergunte|^nomeia|^pula|^pule|^termina|^comeca|^considera|^nada de|^so|^faz|^faca|^revisa|^passa|^atualiza|^atualize|^commita|^sobe|^deploya|^pode ser|^mata|^sem|^avisa|^me avisa|^me avise|^agrupa|^agrupe|^separa|^ordena|^arredonda|^trabalha|^pega|^fica|^fique|^nao use|^nao usa|^nao faca|^nao mexa|^nao mexe|roda|rode|pula|^cria|nao cria|nao crie|^fixa|^fixe|^vai|^va|^espera|^espere|^avise|^diz|^diga|^escolhe|^escolha|^se limita|^cite|^indica|^numera|^comece|^criptografa|^mascara|^registra|^loga|^mocka|^simula|^pegue|^tenta|^tente|^me poupe|^poupe|^poupa|^lembra|^lembre|^tenha|^para|^pare|^corta|^anota|^anote|^guarda|^guarde|^marca",
        ),
        (
            Negative,
            "nao|nem|nunca|jamais|sem|nada|nenhum|nenhuma|ninguem|tampouco|nada de|nao mexe|nao mexa|nao toca|nao toque|evita|evite|evitar|evitem|para de|pare de|chega de|^evita|^evite",
        ),
        (
            Modal,
            "deve|devem|deveria|deveriam|tem que|tem de|tem q|tenho que|precisa|precisam|precisa ser|ha que|e obrigatorio|obrigatorio|obrigatoria|e necessario|quero|queria|quero que|gosto|gostaria|espero|espero que|preciso que|odeio|detesto|pode|podem|nao pode|nao podem|vai em|vao em|vai no|vai na|vao no|vao na|fica em|ficam em|fica no|ficam no|se escreve|se usa|usa se|escreve se|vem com|vir com|e pra ser|devera|voce usa|vc usa|voce faz|vc faz|voce responde|pode ser",
        ),
        (
            Limit,
            "max|maximo|no maximo|ate|nao mais que|nao mais de|mais de|mais que|menos de|menos que|teto|limite|orcamento|minimo|no minimo|pelo menos|ultrapasse|ultrapassar|passar de|passe de|exceda|exceder|maior que|menor que|mais longa|mais longo|mais longas|acima de|abaixo de|mais de um minuto|mais de uma|so pelo|so pela|so para|so por|so com|so via|somente pelo|somente para|apenas para|apenas por|apenas pelo|colunas|caracteres|em nenhum outro lugar|e em nenhum outro|voce so edita|voce so mexe|voce so escreve|por resposta|por mensagem|bastam|basta|nada acima|linhas max|linhas no maximo|em lotes de|frases no max",
        ),
        (
            Prefer,
            "prefiro|preferia|preferiria|prefiro que|minha preferencia|preferimos|de preferencia|preferencialmente|gosto mais|melhor usar|e melhor usar|sou mais|em vez de .. prefiro|gostaria que|agradeceria|seria melhor|seria bom|queria que|se puder|ficaria feliz|eu ia preferir|e importante que|e muito importante que|faco questao|insisto|acostume se|acostuma te|pega o habito|crie o habito|odeio|detesto|espero que|exijo|quero que sempre|^prefira|^prefere|fica na|fica no|fique na|fique no|atenha se|limite se a|nao ligo pr*|nao ligo para|tanto faz|so .. importa*|so importa|eu agradeceria|agradeceria se|ficaria feliz se|me incomoda|me irrita|gostaria|quero que|melhor .. do que|e melhor|e nao adjetivos|escreve assim|escreva assim|faz assim|faca assim|o que me irrita|o que me incomoda",
        ),
        (
            Scope,
            "nesse projeto|neste projeto|nesse repo|neste repo|nesse repositorio|neste repositorio|nessa base de codigo|nesta base de codigo|no nosso codigo|no nosso projeto|nosso codigo|nosso projeto|no codigo|no repo|no meu codigo|no meu projeto|por aqui|nessa maquina|nesta maquina|nesse servidor|neste servidor|na main|pra main|na master|em producao|pra producao|em prod|na prod|branch release|branch de release|no nosso time|na nossa equipe|nessa sessao|nesta sessao|entre a gente|^aqui|em sql|no sql|em python|no python|em go|no go|em rust|no rust|em typescript|no typescript|em javascript|no javascript|em css|no css|em html|no html|em yaml|no yaml|em json|no json|em bash|no bash|em java|no java|em kotlin|no kotlin|em swift|no swift|em markdown|no markdown|em latex|no latex|em terraform|no terraform|em docker|no docker",
        ),
        (
            We,
            "a gente usa|a gente indenta|a gente escreve|a gente nao|a gente sempre|a gente nunca|a gente faz|nos usamos|usamos|indentamos|escrevemos|todo mundo|todos os commits|todas as funcoes|todos os arquivos|cada commit|cada funcao|cada arquivo|cada bugfix|cada fix|cada pr|cada teste|todo bugfix|todo commit|todo pr|toda funcao|todo codigo|todo teste|toda mudanca|convencao|as funcoes|os commits|as datas|as mensagens de commit|um pr|um commit|nenhum pr|nenhum comando|nenhuma funcao|as variaveis|os comentarios|os testes|ninguem|politica|os prs|as prs|os arquivos|os nomes|^tabs|^espacos|^os nomes|^nomes de|^as mensagens|^os testes|^as branches|^os branches|^os erros|^os logs|^as datas|^os precos|^os valores|^os imports|^testes|^commits|^prs|as datas sao|ninguem edita|ninguem mexe|^mensagens de|nunca e|nunca sao|nunca se|sempre se|nunca vai|nunca vao|sempre vai|sempre vao|aqui a gente|aqui usamos|aqui fazemos|aqui nao|aqui sempre|aqui nunca|aqui se|a gente mergeia|trabalhamos|^nosso|^nossa|^nossos|^dinheiro|^sql|^css|^logs|^mensagens|^os textos|^textos|^nomes|^arquivos novos|^os novos|^as novas|^datas|^valores|^as funcoes|^funcoes|^os metodos|^as classes|^os modulos|^as migracoes|^os segredos|^as senhas|^as chaves|^os commits|^as consultas|^as colunas|^as tabelas|^cada|^toda|^todo|^todos|^todas",
        ),
        (
            Contrast,
            ", nao|e nao|, nunca|em vez de|ao inves de|no lugar de|, nem|mas nao|, sem|nao espacos|nao tabs|nao em",
        ),
        (
            Manner,
            "suas respostas|sua resposta|tuas respostas|suas mensagens|seus comentarios|suas explicacoes|responde em|responda em|me responde em|me responda em|responda sempre|responde sempre|respostas curtas|respostas breves|frases curtas|em portugues|em ingles|em espanhol|em frances|em alemao|em italiano|emojis|emoji|desculpas|se desculpar|se desculpa|se desculpe|pede desculpa|peca desculpas|pedir desculpas|elogios|bajulacao|me chama de|me chame de|me trata por|me trate por|trata por tu|por voce|seja direto|ser direto|seja breve|seja conciso|seja honesto|seja educado|sem enrolacao|enrolacao|sem rodeios|topicos|bullet|titulos|negrito|tabelas|diffs|arquivo inteiro|arquivos inteiros|arquivo todo|so o diff|so os diffs|so diff|so diffs|resumo no final|resumo no fim|resumos|resumir|tom|jargao|linguagem simples|linguagem clara|pelo nome|mensagens de commit|mensagem de commit|passo a passo|uma pergunta por vez|explicacoes|desculpa|pedindo desculpa|toda hora|respostas longas|as respostas longas|mais curto|mais curtas|fala comigo em|fale comigo em|fala comigo|textao|textos longos|stack traces|me trata como|me trate como|versao curta|o basico|metrico|detalhes so|direto ao ponto|ao ponto|introducao|introducoes|despedida|sem enrolar|enrola|cortesia|prosa|resumir no fim|pensa alto|pense alto|menos texto|mais detalhe|mais detalhes|teus planos|seus planos|seu codigo|suas perguntas|abreviacoes|o resultado primeiro|so o codigo|me trata|tuas|teus|suas|seus|menos .. mais|em uma linha|numa linha|numa so linha|em uma so linha|sim ou nao",
        ),
        (
            Topic,
            "seja breve|breve|brevemente|curto|curtinho|rapidinho|rapido|resumido|resumidamente|em uma frase|numa frase|conciso|sucinto",
        ),
        (
            Meaning,
            "quando eu digo|quando eu falo|quando digo|quando falo|quando eu disser|quando eu falar|quando escrevo|se eu digo|se eu disser|se eu falar|me refiro sempre|me refiro a|sempre me refiro|to falando de|estou falando de|significa sempre|e sempre o|e sempre a|se refere a|quero dizer|sempre quer dizer",
        ),
        (
            Each,
            "cada vez que|toda vez que|todas as vezes que|sempre que|tudo que voce escrever|tudo o que voce|tudo que voce|tudo que vc|todo codigo que|quero todas|quero todos|todas as datas|todos os nomes|todas as mensagens|na duvida|em caso de duvida|se tiver duvida|se estiver em duvida|so suportamos|so usamos|so aceitamos|a gente so suporta|a gente so usa|so damos suporte|para todo .. novo|para toda .. nova|pra todo .. novo|pra toda .. nova|para todos os .. novos|todo endpoint novo|para cada novo|que voce adicionar|que voce criar|que voce escrever|que voce usar|que voce mexer|que voce mudar|que voce fizer|que voce editar|que voce gerar|que voce apagar|que voce instalar|que vc adicionar|que vc criar|que vc escrever|que vc usar|que vc mexer|que vc mudar|que vc fizer|tudo o que|quando falar|quando escrever|quando for|so as linhas que|apenas as linhas que|so os ficheiros que|so os arquivos que|apenas os arquivos que|um commit por|uma pr por|um pr por|por ticket|exatamente um|continua valendo|continua a valer|ainda vale|^um .. por|^uma .. por|^um so .. por|^uma so .. por|antes de cada|depois de cada|apos cada",
        ),
        (
            Whenever,
            "assim que|quando voce|quando vc|quando mudar|quando mexer|quando terminar|se voce|se vc|se um|se uma|se algo|se alguma coisa|se tiver|se houver|se precisar|se for|se mexer|se tocar|se quiser|se faltar|caso|antes de|antes do|depois de|apos|em caso de|ao terminar|ao mudar|so depois|so quando|so se|uma vez que|quando editar|quando adicionar|quando criar|quando escrever|quando um|quando uma|quando o|quando a|se o|se a|se os|se estiver em duvida|na duvida|em caso de duvida|pra qualquer|para qualquer|toda vez que|antes de cada|depois de cada|apos cada|ao editar|ao mexer|ao adicionar|ao criar|se um teste|sempre que der|sempre que puder|quando der|se nao tiver|se nao souber|se tiver duvida|se houver mais|quando houver|quando tiver mais|quando um teste|a nao ser que|enquanto|toda vez que voce|para cada|pra cada|fora de",
        ),
        (
            Task,
            "^conserta|^conserte|^corrige|^corrija|^adiciona|^adicione|^escreve|^escreva|^faz|^faca|^cria|^crie|^constroi|^renomeia|^renomeie|^apaga|^apague|^deleta|^remove|^remova|^tira|^tire|^refatora|^refatore|^explica|^explique|^me explica|^mostra|^mostre|^me mostra|^traduz|^traduza|^move|^mova|^poe|^coloca|^coloque|^bota|^roda|^rode|^procura|^procure|^acha|^ache|^olha|^olhe|^ve|^veja|^le|^leia|^abre|^abra|^revisa|^revise|^muda|^mude|^altera|^altere|^troca|^troque|^instala|^instale|^gera|^gere|^converte|^converta|^implementa|^implemente|^otimiza|^otimize|^limpa|^limpe|^testa|^teste|^resume|^resuma|^pode|^consegue|^usa|^use|^me da|^me diz|^arruma|^arrume|^continua|^continue|^ajuda|^me ajuda|^compara|^compare|^analisa|^analise|^descreve|^descreva|^faz o merge|^migra|^migre|^simplifica|^extrai|^passa|^passe|^reescreve|^reescreva|^sobe|^suba|^preciso|^atualiza|^atualize|^agora|^monta|^prepara|^termina|^verifica|^cola|^bumpa",
        ),
        (
            Purpose,
            "pra que|para que|de modo que|de forma que|pra garantir|para garantir|pra evitar|para evitar|que verifique|que valide|que garanta|uma regra|uma validacao|um teste que|dizendo|pro|que o|que a|pra o|por que|porque e que",
        ),
        (
            Question,
            "^posso|^podemos|^pode se|^da pra|^devo|^devemos|^deveria|^deveriamos|^tenho que|^temos que|^preciso|^por que|^pq|^o que|^onde|^quem|^qual|^quais|^quanto|^e se|^sao|^ta|^tem|^voce lembra|^vc lembra|^lembra do|^lembra da|^lembra daquele|^voce esqueceu|^vc esqueceu|^voce sabe|^vc sabe|^voce sempre|^pode mostrar|^voce pode|^vc pode|^consegue|ou nao$|o que e isso$|^sera|ou so|^como faz|^como funciona|^que significa|ne$|nao e$|certo$|sera$|diferenca entre",
        ),
        (
            Request,
            "^voce pode|^vc pode|^pode|^poderia|^voce poderia|^consegue|^da pra voce|^tem como|^da pra|^da para",
        ),
        (
            Narration,
            "eu sempre|eu nunca|sempre me|nunca ia|nunca iria|nunca teria|nao teria|teria|nunca tinha|nunca vi|nunca ouvi|nunca funcionou|nunca funciona|nunca termina|nunca retorna|nunca volta|sempre falha|sempre da|sempre foi|sempre o mesmo|sempre a mesma|o mesmo erro|a mesma|como sempre|desde sempre|deve ser|deve ter|devia|deviam|devia ser|tem que ser|tinha que|tem de ser|so pode ser|era pra|nao era|nao foi|nao era pra|ontem|semana passada|ano passado|nao sei|nao entendi|nao entendo|nao faco ideia|nao importa|nao tem problema|sem problema|sem problemas|sem pressa|nao funciona|nao e|nao esse|nao essa|ainda nao|agora nao|quase nunca|eu queria|so queria|pensei|eu esqueco|valeu|sempre acontece|sempre igual|acontece sempre|sempre e assim|sempre assim|antes do refactor|antes da migracao|antes da mudanca|sempre tivemos|sempre tinhamos|nunca fizemos|nunca tivemos|nunca usamos|nunca quis|nenhum teste foi|nenhum .. foi|nenhuma .. foi|nunca deveria acontecer|nao deveria|kkkk|kkk|rsrs|lol|ate agora|ate ontem|naquela epoca|acho que|talvez|tem um|tem uma|nao quero perder|nunca devia|nunca deveria|nunca deviamos|nao devia ter|deveriamos ter|ninguem me|ninguem sabe|ninguem disse|nao vejo|nao tenho|nao consigo|nao acho|nao tem|nao aparece|nao carrega|nao abre|vive dizendo|fica dizendo|insiste que|passam agora|estao verdes|nunca disse|nunca fiz|sempre achei|sempre pensei|nada acontece|nao acontece nada|vejo|sempre bom|sempre legal|sempre otimo|so acontece|acontece so|tinha razao|sumiram|sumiu|quebrou tudo|no ultimo projeto|no projeto anterior|a gente .. usava|*avamos|*iamos|usava|escrevia|fazia|tava bom|estava bom|sempre esqueco|nunca lembro|errad*|nenhuma .. necessaria|nenhum .. necessario|nao preciso mais|nao preciso|faz anos|faz meses|ha anos|so falta|so faltam|voce esqueceu|nao quero gastar|nao quero fazer|nao quero continuar|por algum motivo|nao sei por que|culpa minha|minha culpa|toda vez que abro|toda vez que eu|sempre que abro|me falaram|me disseram|sempre comeco|nenhum arquivo foi|toda vez que clico|toda vez que eu clico|sempre que clico|sempre que eu clico|sempre que eu abro|quando clico|quando eu clico|cada vez que clico|ao clicar|mas nao esta|mas nao e|mas nao funciona|mas nao faz",
        ),
        (
            Trouble,
            "erro|erros|falha|falhando|falhou|falham|quebra|quebrado|quebrou|excecao|timeout|lento|trava|travou|travando|vermelho|nao funciona|problema|estranho|desde o|desde a|desde que|crasha|sumiu|sumido",
        ),
        (
            Report,
            "a doc|a doc diz|a documentacao|documentacao diz|as docs|o linter|linter fala|linter diz|o compilador|o ticket|o chefe|a chefe|meu chefe|diz que|dizem que|disse que|falou que|falaram|disse|escreveu|segundo|o readme|git diz|a mensagem diz|o log diz|stackoverflow|parece que|o teste diz|ta escrito|meu colega|o colega|falei pra ele|falei pra ela|disse pra ele|eu disse a ele|falei para ele|o advogado|a advogada|o juridico|o cliente escreveu|o suporte|da spec|da especificacao|do design doc|design doc|do documento de|da wiki|do ticket :|dos requisitos|diz as pessoas|diz pras pessoas",
        ),
        (
            Suppose,
            "e se|o que aconteceria|o que acontece se|suponha|supondo|vamos supor|imagina|imagine|digamos que|em teoria|hipoteticamente|se a gente nunca|se nunca|se a gente sempre|se fosse",
        ),
        (
            Idiom,
            "^deixa pra la|^nao importa|^tanto faz|^esquece$|^esquece isso|^nao se preocupa|^nao se preocupe|^nao te preocupa|^nao te preocupes|^sem problema|^sem problemas|^nao tem problema|^de nada|^nao ,|^ainda nao|^agora nao|^nao e nada|^relaxa|^tranquilo|^nada nao|^nem sempre|^valeu|^sem pressa|^sem estresse|^nao esquenta|^relaxe|^nao lembro|^nao me lembro|^eu lembro|^nao acho|^lembra d|^acho que nao|^nao faco ideia|^desculpa|^foi mal|^perdao|^sinto muito|^tudo bem|^sem ideia|^nao desiste|^nao para|^nao precisa se desculpar|^nunca vi|^deixa ,|^deixa que|^deixa eu|^deixa quieto|^nao entendi|^nao entendo|^nao sei|diferenca entre|esquece .. por agora|esquece .. por enquanto|esqueca .. por enquanto",
        ),
        (
            Now,
            "agora|por agora|por enquanto|no momento|dessa vez|desta vez|ainda|hoje|so aqui|nesse arquivo|neste arquivo|nessa funcao|nesta funcao|pra esse pr|pra esse commit|so dessa vez|agora mesmo|por hoje|por ora|ainda nao|e uma demo|so uma demo|so um demo|se possivel|um momento|um pouco|um segundo|so desta vez|por esta vez|nesta resposta|ainda preciso|ainda precisamos|ainda faz falta",
        ),
        (Then, "^entao|^nesse caso|^se sim|^ai"),
        (
            Aside,
            "alias|e alias|a proposito|e a proposito|por sinal|e por sinal|ja que ta|ja que esta|alem disso|e alem disso|e tambem|outra coisa|e outra coisa|e como regra|e em geral|e no geral|e daqui pra frente|e lembra|e lembre|e nao esquece|e nunca|e sempre|mas nunca|mas sempre|btw|ps|e mais uma coisa|mais uma coisa|e por favor|e a partir de agora|e todo|e toda",
        ),
        (And, "e|mas"),
        (
            Filler,
            "por favor|pf|pfv|ok|ta|ta bom|beleza|bom|bem|entao|e|mas|ah|oh|ei|oi|ola|sim|nao|obrigado|obrigada|valeu|so|tambem|olha|eh|vai|de novo|como eu disse|ai|tipo|repito|vou repetir|outra coisa|mais uma coisa|so mais uma coisa|uma ultima coisa|alias|por sinal|alem disso|lembrete|e outra coisa|so pra saber|como sempre digo",
        ),
        (
            Tag,
            "ok|ta|ta bom|beleza|sim|nao|ne|entendeu|entendido|combinado|certo|fechado|claro|por favor|blz|pode ser|fechou",
        ),
        (
            Once,
            "quando terminar|quando acabar|quando voce terminar|ao acabar|na linha|da linha|linha 1|linha 2|linha 3|linha 4|as ultimas|os ultimos|a ultima|o ultimo|a outra|o outro|a segunda|o segundo|essa abordagem|dessa abordagem|esta abordagem|essa ideia|esse arquivo|este arquivo|do arquivo|no arquivo|amanha|assim nao|faca assim|faz assim|deixa assim|esse bug|esse teste|esse erro|erro de digitacao|opcao a|opcao b|ponto e virgula|o antigo|a antiga|o novo|a nova|do readme|tenta de novo|^usa .. aqui|^use .. aqui|^coloca .. aqui|^poe .. aqui|o arquivo inteiro|arquivo todo|o segundo erro|nao inclui o|nao inclui a|nao inclua o|nao inclua a|nao coloca o|nao coloca a|nao adiciona o|se funcionar|se der certo|se isso funcionar|essa funcao|essa classe|esse modulo|branch errada|a resposta em|essa branch|me diz quando|me avisa quando|me fala quando|os passos|adiciona a checagem|adiciona a validacao|^espera com|^espera um|^espera que|^pera|nao usa o .. aqui|nao use o .. aqui|nao uses o .. aqui|aqui nao use|desta vez|dessa vez|so desta vez|por esta vez|nesta resposta",
        ),
        (
            Style,
            "kebab case|snake case|camelcase|minusculas|maiusculas|no imperativo|imperativo|no presente|em utc|sao salvas|sao guardadas|sao armazenadas|ficam ao lado|ao lado do|ao lado da|do lado do|junto do|aspas simples|espacos|tabs|ordem alfabetica|em ingles|em portugues|se chamam|ficam em|vao em|pequenos|pequeno|pequenas|curtos|curtas|atomicos|formato iso|em formato|um componente por|uma classe por|sem jquery|com hifen|primeiro|vai em|fica em|vai no|vai na|em iso|em centavos|em minusculas|em maiusculas|versao fixa",
        ),
        (
            Change,
            "^apaga|^apague|^deleta|^delete|^remove|^remova|^renomeia|^renomeie|^move|^mova|^substitui|^substitua|^traduz|^traduza|^converte|^corrige|^corrija|^conserta|^conserte|^reescreve|^copia|^reverte|^desfaz|^tira",
        ),
        (
            Reallow,
            "pode voltar a|pode .. de novo|pode .. novamente|pode .. outra vez|podes voltar a|voltou a ser permitido|voltaram a ser permitid*|liberado de novo|liberados de novo|permitido de novo|permitidos de novo|ta liberado de novo|estao liberados|voltaram a ser|agora pode|ja pode|agora voce pode|agora vc pode|pode sim agora|ta liberado|esta liberado|ja esta permitido|pode .. agora|afinal pode|afinal podes|afinal .. ok|agora podes|ja podes|liberado agora",
        ),
        (
            RuleName,
            "regra|regras|lance|coisa|limite|restricao|proibicao|falei|disse|mais|novo|sobre|antes|usar|historia",
        ),
        (
            Duty,
            "tem que ser|devem|precisam|nao devem|nao podem|nao pode ser|pode ser alterado|vao no|vao na|vao em",
        ),
        (
            Definite,
            "^o|^a|^este|^esta|^isto|^esse|^essa|^isso|^ele|^ela|^eles|^elas|^nos|^eu|^voce|^meu|^minha|^tem|^aquele",
        ),
        (
            Preface,
            "^de novo :|^repito|^outra coisa|^mais uma coisa|^e mais uma coisa|^uma ultima coisa|^lembrete|^regra|^e outra coisa|^novamente :",
        ),
        (Cease, "parar de|deixar de|evitar"),
        (
            Head,
            "daqui pra frente|daqui para frente|pro futuro|para o futuro|no futuro|pra depois|duas coisas|2 coisas|tres coisas|3 coisas|umas coisas|algumas coisas|duas regras|2 regras|tres regras|algumas regras|as regras|minhas regras|nossas regras|regras|a partir de agora|convencoes|diretrizes|normas|preferencias|lembretes|como a gente trabalha",
        ),
        (
            Paper,
            "mail|email|e mail|readme|wiki|doc|docs|documentacao|politica|ticket|changelog|anuncio|prompt|^msg do commit :|^mensagem do commit :|^mensagem de commit :|^mensagem :|^titulo :|^assunto :|^requisito :|carta|artigo|post|mensagem|slack|slide|cartaz|modelo|descricao|guia|manual|secao|frase|traduz|traduza|texto|nota",
        ),
        (
            Product,
            "^os usuarios|^os clientes|os usuarios devem|os usuarios nao devem|os usuarios podem|os clientes devem|o usuario deve|o usuario nao deve|o usuario pode|o usuario tem que|o cliente deve|o bot deve|o bot nao|o botao deve|o botao tem|a pagina deve|o formulario|o campo deve|a funcao deve|a funcao tem|o metodo deve|o endpoint deve|a resposta deve|o app deve|a api deve|o servidor deve|o job deve|o valor deve|a senha deve|a lista deve|o menu|a janela|o total deve|o resultado deve|a saida deve|a consulta deve|o cache deve|o componente|os admins|os visitantes|nunca deveria|nao deveria|deveria sempre|sempre deveria|adiciona a validacao|adicione a validacao|adiciona uma validacao|adiciona o controle|adiciona a verificacao|adiciona um filtro|implementa esse filtro|coloca a validacao|poe a validacao|o carrinho|mete a validacao|poe um filtro|bota um filtro|a app nunca|o app nunca|a aplicacao nunca|a pagina nunca|o usuario nunca|o utilizador nunca",
        ),
        (
            Formerly,
            "na outra empresa|na empresa antiga|na antiga empresa|na empresa anterior|no trabalho antigo|no trabalho anterior|no outro trabalho|no projeto antigo|no projeto anterior|na minha antiga|no meu antigo|no sistema antigo|antigamente|naquela epoca|tinha que|tinham que|tinha q|tinhamos que|podia|podiam|devia|deviam|precisava pedir|precisava de autorizacao|era proibido|eram proibidos|tinha uma regra|havia uma regra|na faculdade",
        ),
        (
            Generic,
            "um|uma|algum|alguma|algo|alguma coisa|cada|todo|toda|todos|todas|qualquer|varios|varias|uns|umas",
        ),
        (
            Reason,
            "porque|pq|ja que|entao|senao|se nao|pois|to no|estou no|eu leio|posso|o diff|e que|para que|pra eu|temos|ja temos|sao|ta em",
        ),
        (
            Wonder,
            "estranho|que estranho|esquisito|curioso|mas nao esta|mas nao funciona|mas nao faz|mas nao fica|mas nao acontece|esse e o bug|e esse o bug|esse e o problema",
        ),
        (
            Relay,
            "^fala pro|^fala pra|^fala para|^diz pro|^diz pra|^diga ao|^diga a|^avisa o|^avisa a|^avisa os|^lembra o|^lembra a|^pergunta pro|o cliente quer|o chefe quer|ela quer|ele quer|eles querem",
        ),
        (
            Drop,
            "esquece|esqueca|ignora|ignore|cancela|cancele|anula|tira|remove|apaga|descarta|levanta|retiro|larga|derruba|deixa",
        ),
        (
            RuleNoun,
            "regra|regras|limite|proibicao|restricao|requisito|instrucao|norma|politica|lance|historia|teto|orcamento|obrigacao|condicao",
        ),
        (
            Over,
            "nao vale mais|nao se aplica mais|ja nao vale|ja nao se aplica|caiu|acabou|ta cancelada|esta cancelada|foi cancelada|ja era|nao existe mais|nao precisa mais|perdeu a validade|ta fora|morreu",
        ),
        (Halt, "para de|pare de|chega de|nao .. mais"),
        (
            Withdraw,
            "esquece o que eu falei|esquece o que eu disse|esquece o que falei|esquece o que disse|esqueca o que eu falei|esqueca o que eu disse|esqueca o que disse|esquece a regra|esqueca a regra|esquece minha regra|esquece tudo que|esqueca tudo que|ignora o que eu|ignore o que eu|ignora a regra|ignore a regra|descarta a regra|descarte a regra|anula a regra|cancela a regra|cancele a regra|tira a regra|remove a regra|remova a regra|apaga a regra|retiro o que eu|retiro o que|retiro a regra|deixa de lado a regra|larga a regra|a regra .. nao vale|a regra .. ja nao|a regra .. nao se aplica|a regra .. caiu|a regra .. ta cancelada|a regra .. esta cancelada|a regra .. acabou|o que eu falei .. nao vale|o que eu disse .. nao vale|o que eu disse .. ja nao|pode esquecer o que eu|pode esquecer a regra|nao vale mais|nao se aplica mais|nao precisa mais|nao e mais necessario|nao e mais preciso|nao tem mais que|ja nao vale|ja nao se aplica|ja nao precisa*|esquece o lance|esquece a historia|esquece esse lance|esquece aquilo d*|esquece isso de|larga mao d*|larga essa regra|deixa pra la a regra|deixa pra la o lance|mudei de ideia sobre|cancela o lance|tira essa regra|acabou a regra|acabou o lance|nao e mais obrigatorio|esquece o que te disse|esquece o limite|esqueca o limite|esquece a restricao|tira o limite|remove o limite|pode esquecer o limite|pode parar de|nao precisa .. mais|voce nao precisa mais|nao tem que .. mais|ja nao precisa|mudei de ideia|estao liberados de novo|podes parar com|pode parar com|enganei me sobre|me enganei sobre|eu estava errado sobre|esquece o|esquece a|esquece os|esquece as|esqueca o|esqueca a|esquece isso do|esquece isso da|esquece aquilo|retiro aquilo|cancelo|^esquece|^esqueca",
        ),
        (
            Touch,
            "nao mexas|nao mexe|nao mexa|nao mexer|nao mexam|nao toques|nao toque|nao toca|nao tocar|nem toca|nem toque|nem tocar|nem mexe|nem mexer|nao altere|nao alteres|nao altera|nao alterar|nao mude|nao mudes|nao muda|nao mudar|nao modifique|nao modifica|nao modifiques|nao apague|nao apaga|nao apagues|nao apagar|nao remova|nao remove|nao removas|nao remover|nao delete|nao deleta|nao deletar|nao edite|nao edita|nao edites|nao editar|nao sobrescreva|nao mova|nao renomeie|deixa .. em paz|deixe .. em paz|nao encosta|nao encoste|intacta|intacto|intactos|fica como|ficam como|tal como esta|nao reformates|nao reformate|nao reformata|nao formates|nao formate",
        ),
        (
            Place,
            "pasta|pastas|diretorio|diretorios|directorio|ficheiro|ficheiros|arquivo|arquivos|tabela|tabelas|modulo|modulos|branch|branches|pacote|pacotes|schema|schemas|banco|base|bd|db|interface|config|configuracao|pipeline|migrations|migracoes|fixtures|snapshots|servidor|servidores|cluster|segredos|env|vendor|infra|repo|repositorio|lib|biblioteca|legacy|legado|prod|producao|staging|traducoes|gerados|gerado|que nao sao|que nao sejam|que nao e|que nao seja",
        ),
        (Solely, "so|apenas|somente|unicamente"),
    ],
};
