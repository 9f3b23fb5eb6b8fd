//! Portuguese.

use super::cue::Cue::{
    Absolute, Allowed, And, Aside, AskFirst, Contrast, Each, Filler, Forbidden, Generally, Idiom,
    Lasting, Limit, Manner, Meaning, Modal, Narration, Negative, Now, Order, Prefer, Purpose,
    Question, Remember, Report, Request, Scope, Suppose, Tag, Task, Then, Topic, Trouble, We,
    Whenever, Withdraw,
};
use super::cue::{CueTable, Script};

pub(super) const TABLE: CueTable = CueTable {
    script: Script::Latin,
    common: "o|a|os|as|um|uma|de|do|da|dos|das|e|ou|eu|tu|voce|vc|voces|me|te|se|meu|minha|seu|sua|que|em|no|na|nos|nas|com|sem|por|pra|para|pro|como|nao|sim|ja|mais|mas|ao|muito|tudo|todos|quando|sempre|nunca|aqui|agora|esse|essa|isso|este|esta|isto|nada|tem|fazer|faz|porque|cada|so|tambem|ta|pode|aquele|gente|ai",
    cues: &[
        (
            Lasting,
            "daqui pra frente|daqui para frente|daqui em diante|daqui por diante|de agora em diante|a partir de agora|a partir de hoje|desde agora|doravante|no futuro|futuramente|em regra|como regra|como regra geral|via de regra|por regra|regra geral|a regra e|e a regra|e regra|por padrao|pra esse projeto|para esse projeto|para este projeto|pro projeto todo|para todo o projeto|em todo o projeto|nesta sessao|nessa sessao toda|em hipotese alguma|em hipotese nenhuma|de jeito nenhum|em nenhuma circunstancia|sob nenhuma circunstancia|em caso algum|em nenhum caso|em nenhum momento|aconteca o que acontecer|nao importa o que|sem excecao|sem excecoes|ate segunda ordem|ate eu dizer|ate eu falar|a menos que eu|salvo se eu|a nao ser que eu|enquanto eu nao|de uma vez por todas|em todas as respostas|em todas as suas respostas|nas suas respostas|nas respostas|em cada resposta|por convencao|nossa convencao|nunca mais|e daqui|tambem no futuro|nem um centavo a mais|nem um centavo|permanentemente|por principio|de agora pra frente",
        ),
        (
            Generally,
            "em geral|geralmente|no geral|em todo lugar|em todo canto|em toda parte|cada|cada vez|toda vez|todo|toda|todos os|todas as|se possivel|sempre que possivel|sempre que puder|na medida do possivel|por sessao|por dia|por semana|por mes|por commit|por arquivo|por execucao|por tarefa|sistematicamente|normalmente|mais",
        ),
        (
            Absolute,
            "sempre|nunca|jamais|nenhum|nenhuma|ninguem|nem uma vez|exclusivamente|unicamente|a todo momento|nada de",
        ),
        (
            Remember,
            "lembra que|lembre que|lembre se que|lembre se de|lembra de|lembre de|lembrete :|lembrando que|tenha em mente|tem em mente|leve em conta|leva em conta|anota|anota ai|anote|anote ai|anota que|anota isso|toma nota|nota :|obs|obs :|nao esqueca|nao esquece|nao se esqueca|nao te esquecas|fica sabendo|saiba que|pra sua informacao|para sua informacao|so pra voce saber|so pra vc saber|pra saber|para mais tarde|importante :|atencao :|fyi|memoriza|guarda isso|guarde isso|guarda que|grava ai|regra :|aviso :|fique sabendo|bom saber|so lembrando|guarda essa|guarda essa :|guarda essa info",
        ),
        (
            AskFirst,
            "me pergunta|me pergunte|pergunta pra mim|pergunte pra mim|pergunta antes|pergunte antes|pergunta primeiro|pergunte primeiro|perguntar antes|me perguntar|me consulta|me consulte|consulta comigo|me consultar|me avisa antes|me avise antes|me avisa|me avise|avisar antes|me avisar|fala comigo|fale comigo|falar comigo|conversa comigo|combina comigo|combine comigo|confirma comigo|confirme comigo|confirmar comigo|pede permissao|peca permissao|pedir permissao|minha permissao|minha aprovacao|meu ok|meu okay|minha confirmacao|minha autorizacao|meu aval|sem minha|sem meu|sem a minha|sem o meu|espera eu|espere eu|espera meu|espere meu|ate eu confirmar|ate eu aprovar|ate eu liberar|mostra pra mim antes|me mostra antes|me mostre antes|passa por mim|passe por mim|checa comigo|cheque comigo|verifica comigo|valida comigo|alinha comigo|alinhe comigo|para e pergunta|me chama antes|vc pergunta|voce pergunta|antes .. comigo|comigo antes|comigo primeiro|fala comigo antes",
        ),
        (
            Allowed,
            "pode .. sem|sem perguntar|sem me perguntar|sem pedir|sem pedir permissao|sem consultar|sem avisar|nao precisa perguntar|nao precisa pedir|nao precisa me|nao precisa de permissao|nao precisa consultar|nao precisa avisar|nao pergunta|nao pergunte|nao me pergunte|nao me pergunta|quando quiser|a vontade|fique a vontade|fica a vontade|sempre que quiser|quantas vezes quiser|tem permissao|tem minha permissao|tem carta branca|carta branca|ta liberado|esta liberado|liberado pra|pode rodar sempre|voce e livre|esta autorizado|ta autorizado",
        ),
        (
            Forbidden,
            "proibido|proibida|proibidos|proibidas|fica proibido|nao e permitido|nao pode usar|nao e pra|vetado|nem pense|nem pensar|nem mexe|nem toca|nao quero ver|nao quero que|nao quero mais|nunca quero|nao quero nunca|nada de|mantenha distancia|fica longe|fique longe|longe de|intocavel|tira a mao|sem chance de",
        ),
        (
            Order,
            "^usa|^use|^usar|^utiliza|^utilize|^escreve|^escreva|^escrever|^responde|^responda|^responder|^me responde|^me responda|^mantem|^mantenha|^manter|^respeita|^respeite|^segue|^siga|^seguir|^prefere|^prefira|^procura|^procure|^garante|^garanta|^certifique|^cuida|^coloca|^coloque|^poe|^bota|^da|^me da|^me de|^mostra|^mostre|^me mostra|^me mostre|^deixa|^deixe|^limita|^limite|^seja|^fala|^fale|^me chama|^me chame|^me trata|^trata|^trate|^comenta|^documenta|^testa|^teste|^roda|^rode|^verifica|^adiciona|^adicione|^menciona|^cita|^explica|^assina|^formata|^indenta|^gasta|^gaste|^evita|^evite|^pergunta|^pergunte|^nomeia|^pula|^pule|^termina|^comeca|^considera|^nada de|^so|^faz|^faca|^revisa|^passa|^atualiza|^atualize|^commita|^sobe|^deploya|^pode ser|^mata|^sem",
        ),
        (
            Negative,
            "nao|nem|nunca|jamais|sem|nada|nenhum|nenhuma|ninguem|tampouco|nada de|nao mexe|nao mexa|nao toca|nao toque|evita|evite|evitar|evitem|para de|pare de|chega de",
        ),
        (
            Modal,
            "deve|devem|deveria|deveriam|tem que|tem de|tem q|tenho que|precisa|precisam|precisa ser|ha que|e obrigatorio|obrigatorio|obrigatoria|e necessario|quero|queria|quero que|gosto|gostaria|espero|espero que|preciso que|odeio|detesto|pode|podem|nao pode|nao podem|vai em|vao em|vai no|vai na|vao no|vao na|fica em|ficam em|fica no|ficam no|se escreve|se usa|usa se|escreve se|vem com|vir com|e pra ser|devera|voce usa|vc usa|voce faz|vc faz|voce responde|pode ser",
        ),
        (
            Limit,
            "max|maximo|no maximo|ate|nao mais que|nao mais de|mais de|mais que|menos de|menos que|teto|limite|orcamento|minimo|no minimo|pelo menos|ultrapasse|ultrapassar|passar de|passe de|exceda|exceder|maior que|menor que|mais longa|mais longo|mais longas|acima de|abaixo de",
        ),
        (
            Prefer,
            "prefiro|preferia|preferiria|prefiro que|minha preferencia|preferimos|de preferencia|preferencialmente|gosto mais|melhor usar|e melhor usar|sou mais|em vez de .. prefiro|gostaria que|agradeceria|seria melhor|seria bom|queria que|se puder|ficaria feliz|eu ia preferir",
        ),
        (
            Scope,
            "nesse projeto|neste projeto|nesse repo|neste repo|nesse repositorio|neste repositorio|nessa base de codigo|nesta base de codigo|no nosso codigo|no nosso projeto|nosso codigo|nosso projeto|no codigo|no repo|no meu codigo|no meu projeto|aqui|por aqui|nessa maquina|nesta maquina|nesse servidor|neste servidor|na main|pra main|na master|em producao|pra producao|em prod|na prod|branch release|branch de release|no nosso time|na nossa equipe|nessa sessao|nesta sessao|entre a gente",
        ),
        (
            We,
            "a gente usa|a gente indenta|a gente escreve|a gente nao|a gente sempre|a gente nunca|a gente faz|nos usamos|usamos|indentamos|escrevemos|todo mundo|todos os commits|todas as funcoes|todos os arquivos|cada commit|cada funcao|cada arquivo|cada bugfix|cada fix|cada pr|cada teste|todo bugfix|todo commit|todo pr|toda funcao|todo codigo|todo teste|toda mudanca|convencao|as funcoes|os commits|as datas|as mensagens de commit|um pr|um commit|nenhum pr|nenhum comando|nenhuma funcao|as variaveis|os comentarios|os testes|ninguem|politica|os prs|as prs|os arquivos|os nomes",
        ),
        (
            Contrast,
            ", nao|e nao|, nunca|em vez de|ao inves de|no lugar de|, nem|mas nao|, sem",
        ),
        (
            Manner,
            "suas respostas|sua resposta|tuas respostas|suas mensagens|seus comentarios|suas explicacoes|responde em|responda em|me responde em|me responda em|responda sempre|responde sempre|respostas curtas|respostas breves|frases curtas|em portugues|em ingles|em espanhol|em frances|em alemao|em italiano|emojis|emoji|desculpas|se desculpar|se desculpa|se desculpe|pede desculpa|peca desculpas|pedir desculpas|elogios|bajulacao|me chama de|me chame de|me trata por|me trate por|trata por tu|por voce|seja direto|ser direto|seja breve|seja conciso|seja honesto|seja educado|sem enrolacao|enrolacao|sem rodeios|topicos|bullet|titulos|negrito|tabelas|diffs|arquivo inteiro|arquivos inteiros|arquivo todo|so o diff|so os diffs|so diff|so diffs|resumo no final|resumo no fim|resumos|resumir|tom|jargao|linguagem simples|linguagem clara|pelo nome|mensagens de commit|mensagem de commit|passo a passo|uma pergunta por vez|explicacoes|desculpa|pedindo desculpa|toda hora",
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
            "cada vez que|toda vez que|todas as vezes que|sempre que",
        ),
        (
            Whenever,
            "assim que|quando voce|quando vc|quando mudar|quando mexer|quando terminar|se voce|se vc|se um|se uma|se algo|se alguma coisa|se tiver|se houver|se precisar|se for|se mexer|se tocar|se quiser|se faltar|caso|antes de|antes do|depois de|apos|em caso de|ao terminar|ao mudar|so depois|so quando|so se|uma vez que",
        ),
        (
            Task,
            "^conserta|^conserte|^corrige|^corrija|^adiciona|^adicione|^escreve|^escreva|^faz|^faca|^cria|^crie|^constroi|^renomeia|^renomeie|^apaga|^apague|^deleta|^remove|^remova|^tira|^tire|^refatora|^refatore|^explica|^explique|^me explica|^mostra|^mostre|^me mostra|^traduz|^traduza|^move|^mova|^poe|^coloca|^coloque|^bota|^roda|^rode|^procura|^procure|^acha|^ache|^olha|^olhe|^ve|^veja|^le|^leia|^abre|^abra|^revisa|^revise|^muda|^mude|^altera|^altere|^troca|^troque|^instala|^instale|^gera|^gere|^converte|^converta|^implementa|^implemente|^otimiza|^otimize|^limpa|^limpe|^testa|^teste|^resume|^resuma|^pode|^consegue|^usa|^use|^me da|^me diz|^arruma|^arrume|^continua|^continue|^ajuda|^me ajuda|^compara|^compare|^analisa|^analise|^descreve|^descreva|^faz o merge|^migra|^migre|^simplifica|^extrai|^passa|^passe|^reescreve|^reescreva|^sobe|^suba|^preciso|^atualiza|^atualize|^agora|^monta|^prepara|^termina|^verifica|^cola|^bumpa",
        ),
        (
            Purpose,
            "pra que|para que|de modo que|de forma que|pra garantir|para garantir|pra evitar|para evitar|que verifique|que valide|que garanta|uma regra|uma validacao|um teste que|dizendo|pro|que o|que a|pra o",
        ),
        (
            Question,
            "^posso|^podemos|^pode se|^da pra|^devo|^devemos|^deveria|^deveriamos|^tenho que|^temos que|^preciso|^por que|^pq|^o que|^onde|^quem|^qual|^quais|^quanto|^e se|^sao|^ta|^tem|^voce lembra|^vc lembra|^lembra do|^lembra da|^lembra daquele|^voce esqueceu|^vc esqueceu|^voce sabe|^vc sabe|^voce sempre|^pode mostrar|^voce pode|^vc pode|^consegue|ou nao$|o que e isso$|^sera|ou so|^como faz|^como funciona|^que significa",
        ),
        (
            Request,
            "^voce pode|^vc pode|^pode|^poderia|^voce poderia|^consegue|^da pra voce|^tem como",
        ),
        (
            Narration,
            "eu sempre|eu nunca|sempre me|nunca ia|nunca iria|nunca teria|nao teria|teria|nunca tinha|nunca vi|nunca ouvi|nunca funcionou|nunca funciona|nunca termina|nunca retorna|nunca volta|sempre falha|sempre da|sempre foi|sempre o mesmo|sempre a mesma|o mesmo erro|a mesma|como sempre|desde sempre|deve ser|deve ter|devia|deviam|devia ser|tem que ser|tinha que|tem de ser|so pode ser|era pra|nao era|nao foi|nao era pra|ontem|semana passada|ano passado|nao sei|nao entendi|nao entendo|nao faco ideia|nao importa|nao tem problema|sem problema|sem problemas|sem pressa|nao funciona|nao e|nao esse|nao essa|ainda nao|agora nao|quase nunca|eu queria|so queria|pensei|eu esqueco|valeu|sempre acontece|sempre igual|acontece sempre|sempre e assim|sempre assim",
        ),
        (
            Trouble,
            "erro|erros|falha|falhando|falhou|falham|quebra|quebrado|quebrou|excecao|timeout|lento|trava|travou|travando|vermelho|nao funciona|problema|estranho|desde o|desde a|desde que|crasha|sumiu|sumido",
        ),
        (
            Report,
            "a doc|a doc diz|a documentacao|documentacao diz|as docs|o linter|linter fala|linter diz|o compilador|o ticket|o chefe|a chefe|meu chefe|diz que|dizem que|disse que|falou que|falaram|disse|escreveu|segundo|o readme|git diz|a mensagem diz|o log diz|stackoverflow|parece que|o teste diz|ta escrito|meu colega|o colega",
        ),
        (
            Suppose,
            "e se|o que aconteceria|o que acontece se|suponha|supondo|vamos supor|imagina|imagine|digamos que|em teoria|hipoteticamente|se a gente nunca|se nunca|se a gente sempre|se fosse",
        ),
        (
            Idiom,
            "^deixa pra la|^nao importa|^tanto faz|^esquece$|^esquece isso|^nao se preocupa|^nao se preocupe|^nao te preocupa|^nao te preocupes|^sem problema|^sem problemas|^nao tem problema|^de nada|^nao ,|^ainda nao|^agora nao|^nao e nada|^relaxa|^tranquilo|^nada nao|^nem sempre|^valeu|^sem pressa|^sem estresse|^nao esquenta|^relaxe",
        ),
        (
            Now,
            "agora|por agora|por enquanto|no momento|dessa vez|desta vez|ainda|hoje|so aqui|nesse arquivo|neste arquivo|nessa funcao|nesta funcao|pra esse pr|pra esse commit|so dessa vez|agora mesmo|por hoje",
        ),
        (Then, "^entao|^nesse caso|^se sim|^ai"),
        (
            Aside,
            "alias|e alias|a proposito|e a proposito|por sinal|e por sinal|ja que ta|ja que esta|alem disso|e alem disso|e tambem|outra coisa|e outra coisa|e como regra|e em geral|e no geral|e daqui pra frente|e lembra|e lembre|e nao esquece|e nunca|e sempre|mas nunca|mas sempre|btw|ps|e mais uma coisa|mais uma coisa|e por favor|e a partir de agora|e todo|e toda",
        ),
        (And, "e|mas"),
        (
            Filler,
            "por favor|pf|pfv|ok|ta|ta bom|beleza|bom|bem|entao|e|mas|ah|oh|ei|oi|ola|sim|nao|obrigado|obrigada|valeu|so|tambem|olha|eh|vai|de novo|como eu disse|ai|tipo",
        ),
        (
            Tag,
            "ok|ta|ta bom|beleza|sim|nao|ne|entendeu|entendido|combinado|certo|fechado|claro|por favor|blz|pode ser",
        ),
        (
            Withdraw,
            "esquece o que eu falei|esquece o que eu disse|esquece o que falei|esquece o que disse|esqueca o que eu falei|esqueca o que eu disse|esqueca o que disse|esquece a regra|esqueca a regra|esquece minha regra|esquece tudo que|esqueca tudo que|ignora o que eu|ignore o que eu|ignora a regra|ignore a regra|descarta a regra|descarte a regra|anula a regra|cancela a regra|cancele a regra|tira a regra|remove a regra|remova a regra|apaga a regra|retiro o que eu|retiro o que|retiro a regra|deixa de lado a regra|larga a regra|a regra .. nao vale|a regra .. ja nao|a regra .. nao se aplica|a regra .. caiu|a regra .. ta cancelada|a regra .. esta cancelada|a regra .. acabou|o que eu falei .. nao vale|o que eu disse .. nao vale|o que eu disse .. ja nao|pode esquecer o que eu|pode esquecer a regra",
        ),
    ],
};
