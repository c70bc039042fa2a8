//! What a person who does not write English relies on: requests, questions, choices and small talk are told apart.

mod east_asian;

use super::{Intent, judge_intents};

/// A sentence of each table means just this.
fn all_are(intent: Option<Intent>, prompts: &[&str]) {
    for prompt in prompts {
        let found: Vec<Intent> = judge_intents(prompt).into_found().into_iter().map(|(found, _)| found).collect();
        assert_eq!(found, Vec::from_iter(intent), "{prompt}");
    }
}

#[test]
fn german_is_read_by_its_own_words() {
    all_are(
        Some(Intent::Build),
        &[
            "könntest du den Logger so umstellen, dass er JSON ausgibt?",
            "der Button gehört nach rechts, und bitte in grün",
            "Mach aus den drei Dialogen einen einzigen",
            "es wäre hilfreich, wenn das Script auch unter Windows liefe",
            "alle deprecated Methoden raus, plus Tests anpassen",
            "schreib mir nen kleinen Parser für die INI-Dateien",
            "Fehlermeldungen bitte auf Englisch",
            "Variante mit dem Cache einbauen und die Doku nachziehen",
            "Hier sollte ein Promise zurückkommen statt eines Callbacks",
            "kannst du den Test grün kriegen",
            "Feature: Dark Mode, Toggle in den Settings, Default nach System",
            "und jetzt noch Unit Tests dazu",
            "das README ist total veraltet, bring das mal auf Stand",
        ],
    );
    all_are(
        Some(Intent::Investigate),
        &[
            "läuft der Cronjob eigentlich auch sonntags?",
            "irgendwie kommen die Mails seit dem Update doppelt an",
            "Woher kommt der Wert in config.timeout?",
            "schau dir bitte den letzten Commit an, da stimmt was nicht",
            "der Login braucht neuerdings 20 Sekunden",
            "erklär mir mal was der Reducer da macht",
            "Bist du sicher dass das thread-safe ist?",
            "wie groß wird die Tabelle pro Jahr ungefähr",
            "seit dem Umzug auf den neuen Host bekommen wir 502er",
            "ich versteh nicht warum der Hook zweimal feuert",
            "lies mal die Migration durch und fass sie zusammen",
            "Gibt es einen Unterschied zwischen den beiden Configs?",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "Redis oder Memcached, was nehmen wir?",
            "ich würde das eher in den Service packen als in den Controller",
            "dann lieber ohne ORM",
            "macht es Sinn die Tabellen zusammenzulegen?",
            "lass uns bei REST bleiben",
            "ist eine eigene Tabelle hier übertrieben?",
            "Name: UserStore oder UserRepo?",
            "Deine Empfehlung: Enum oder String?",
            "Ich bin dafür, das synchron zu lassen",
        ],
    );
    all_are(
        None,
        &[
            "ok top",
            "starte den Server neu",
            "lass nochmal die Tests laufen",
            "gut, dann merge das in develop",
            "bin kurz weg",
            "Danke, hat geklappt",
            "passt, kannst mergen",
            "mach Feierabend, bis morgen",
            "jo",
            "starte mal den dev server",
            "passt so, danke",
            "nee, lass",
            "ja bitte",
            "installier die dependencies",
            "zurück auf main wechseln und pullen",
            "sorry, falscher Tab",
            "ich guck mir das später an",
            "kurz Pause, bin gleich wieder da",
        ],
    );
}

#[test]
fn spanish_is_read_by_its_own_words() {
    all_are(
        Some(Intent::Build),
        &[
            "podrías pasar los estilos a un archivo aparte?",
            "necesito que el export incluya también los inactivos",
            "Ponle un timeout de 10s al cliente http",
            "falta traducir la pantalla de ajustes, hazlo",
            "refactoriza esto con async/await",
            "sería genial poder ordenar por fecha",
            "ahora lo mismo con los proveedores",
            "acá debería devolver una promesa en vez de un callback",
            "logra que el test pase",
            "y ahora tests unitarios para eso",
            "el readme está desactualizado, ponlo al día",
            "¿Me ayudas a escribir un Dockerfile?",
        ],
    );
    all_are(
        Some(Intent::Investigate),
        &[
            "no entiendo por qué devuelve 403",
            "desde el deploy de ayer la home tarda 8 segundos",
            "¿dónde se valida el token?",
            "revisa si hay consultas n+1 en el listado",
            "el botón de guardar no hace nada en safari",
            "qué hace exactamente este middleware",
            "estás seguro de que esto es thread-safe?",
            "desde que cambiamos de host salen errores 502",
            "no veo por qué el hook se dispara dos veces",
            "compara estas dos implementaciones",
            "léete la migración y resúmemela",
            "hay alguna diferencia entre las dos configs?",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "¿lo metemos en el mismo repo o uno nuevo?",
            "yo tiraría por Postgres, es más fácil de mantener",
            "entre zustand y redux cuál te parece mejor?",
            "mejor no usamos websockets, con polling basta",
            "quedémonos con REST",
            "una tabla aparte es exagerado aquí?",
            "UserStore o UserRepo?",
            "qué recomiendas, enum o string?",
            "yo lo dejaría síncrono",
        ],
    );
    all_are(
        None,
        &[
            "dale, seguí",
            "corre los tests",
            "buenísimo, gracias!",
            "haz commit de esto y súbelo",
            "mañana lo miramos",
            "ya está solucionado, no hace falta",
            "listo, puedes mergear",
            "levanta el server de desarrollo",
            "jaja ok",
            "me voy, hasta mañana",
            "así está bien, gracias",
            "no, déjalo",
            "sí por favor",
            "instala las dependencias",
            "vuelve a main y haz pull",
            "perdón, me equivoqué de ventana",
            "luego lo reviso yo",
            "ahora vuelvo, voy a comer",
        ],
    );
}

#[test]
fn french_is_read_by_its_own_words() {
    all_are(
        Some(Intent::Build),
        &[
            "tu pourrais extraire cette logique dans un hook ?",
            "remplace les console.log par le logger",
            "il faudrait que les erreurs soient traduites",
            "j'aimerais une option --verbose",
            "mets-moi tout ça dans un fichier de config",
            "ajoute des tests pour le parser et documente-le",
            "le bouton doit être désactivé pendant l'envoi",
            "même chose pour les commandes",
            "ici on devrait renvoyer une promesse au lieu d'un callback",
            "fais passer le test au vert",
            "et maintenant des tests unitaires pour ça",
            "le readme n'est plus à jour, mets-le à jour",
            "tu m'aides à écrire un Dockerfile ?",
        ],
    );
    all_are(
        Some(Intent::Investigate),
        &[
            "où est-ce qu'on valide le jeton ?",
            "depuis la mise à jour, les mails partent en double",
            "peux-tu m'expliquer ce que fait ce middleware",
            "la page d'accueil met 10 secondes à charger",
            "regarde pourquoi le test de login est instable",
            "est-ce que ce endpoint est encore utilisé ?",
            "t'es sûr que c'est thread-safe ?",
            "depuis le changement d'hébergeur on a des 502",
            "je vois pas pourquoi le hook se déclenche deux fois",
            "compare ces deux implémentations",
            "lis la migration et résume-la",
            "il y a une différence entre les deux configs ?",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "on met ça dans le même dépôt ou un nouveau ?",
            "je partirais plutôt sur Postgres",
            "ça vaut le coup de passer à TypeScript ?",
            "finalement on garde REST, GraphQL c'est trop lourd",
            "restons sur REST",
            "une table à part c'est exagéré ici ?",
            "UserStore ou UserRepo ?",
            "tu recommandes quoi, enum ou string ?",
            "je suis d'avis de rester en synchrone",
        ],
    );
    all_are(
        None,
        &[
            "lance les tests",
            "parfait, merci beaucoup !",
            "vas-y continue",
            "commit et push",
            "c'est bon je l'ai corrigé moi-même",
            "on reprend demain",
            "ok tu peux merger",
            "lance le serveur de dev",
            "mdr ok",
            "j'y vais, à demain",
            "c'est très bien comme ça, merci",
            "non, laisse",
            "oui s'il te plaît",
            "installe les dépendances",
            "reviens sur main et fais un pull",
            "pardon, mauvaise fenêtre",
            "je regarderai ça plus tard",
            "je reviens, pause déjeuner",
        ],
    );
}

#[test]
fn portuguese_is_read_by_its_own_words() {
    all_are(
        Some(Intent::Build),
        &[
            "dá pra separar esse componente em dois?",
            "quero que o export traga também os inativos",
            "põe um timeout de 10s no cliente http",
            "troca os console.log pelo logger",
            "o botão tem que ficar desabilitado enquanto carrega",
            "seria legal poder ordenar por data",
            "agora a mesma coisa pros fornecedores",
            "adiciona testes pro parser e documenta",
            "aqui devia devolver uma promise em vez de callback",
            "faz o teste passar",
            "e agora testes unitários pra isso",
            "o readme tá desatualizado, atualiza",
            "me ajuda a escrever um Dockerfile?",
        ],
    );
    all_are(
        Some(Intent::Investigate),
        &[
            "onde é validado o token?",
            "depois do deploy de ontem a home tá levando 8s",
            "por que esse teste só quebra no CI",
            "me explica o que esse middleware faz",
            "o botão de salvar não faz nada no safari",
            "dá uma conferida nas permissões desse endpoint",
            "tem certeza que isso é thread-safe?",
            "desde que trocamos de host aparecem erros 502",
            "não vejo por que o hook dispara duas vezes",
            "compara essas duas implementações",
            "lê a migration e resume pra mim",
            "tem diferença entre as duas configs?",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "colocamos no mesmo repo ou criamos outro?",
            "eu iria de Postgres, mais fácil de manter",
            "será que compensa migrar pra typescript?",
            "melhor não usar websocket, polling já resolve",
            "vamos ficar com REST",
            "uma tabela separada é exagero aqui?",
            "UserStore ou UserRepo?",
            "o que você recomenda, enum ou string?",
            "eu deixaria síncrono",
        ],
    );
    all_are(
        None,
        &[
            "roda os testes",
            "beleza, valeu!",
            "pode seguir",
            "faz o commit e sobe",
            "deixa que eu vejo isso amanhã",
            "já resolvi aqui",
            "pode mergear",
            "sobe o servidor de dev",
            "kkk ok",
            "fui, até amanhã",
            "assim tá ótimo, obrigado",
            "não, deixa",
            "sim, por favor",
            "instala as dependências",
            "volta pra main e puxa",
            "desculpa, janela errada",
            "depois eu olho isso",
            "já volto, vou almoçar",
        ],
    );
}

#[test]
fn russian_is_read_by_its_own_words() {
    all_are(
        Some(Intent::Build),
        &[
            "можешь вынести эту логику в отдельный хук?",
            "замени console.log на логгер",
            "нужно чтобы ошибки были на русском",
            "хотелось бы опцию --verbose",
            "кнопка должна быть неактивной пока идёт отправка",
            "допиши тесты на парсер и обнови доку",
            "то же самое для заказов",
            "раздели этот файл на модули",
            "тут надо возвращать промис вместо колбэка",
            "сделай чтобы тест проходил",
            "и теперь юнит-тесты на это",
            "ридми устарел, приведи в порядок",
            "поможешь написать Dockerfile?",
        ],
    );
    all_are(
        Some(Intent::Investigate),
        &[
            "где у нас проверяется токен?",
            "после вчерашнего деплоя главная грузится 8 секунд",
            "почему тест падает только в CI",
            "объясни что делает эта мидлварь",
            "кнопка сохранить ничего не делает в сафари",
            "посмотри нет ли тут утечки",
            "ты уверен что это потокобезопасно?",
            "с переезда на новый хост ловим 502",
            "не вижу почему хук срабатывает дважды",
            "сравни эти две реализации",
            "прочитай миграцию и перескажи кратко",
            "есть разница между этими конфигами?",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "положим в тот же репозиторий или новый заведём?",
            "я бы взял Postgres, его проще поддерживать",
            "стоит ли переходить на TypeScript?",
            "ладно, остаёмся на REST, GraphQL перебор",
            "давай останемся на REST",
            "отдельная таблица тут это перебор?",
            "UserStore или UserRepo?",
            "что порекомендуешь, enum или строку?",
            "я бы оставил синхронно",
        ],
    );
    all_are(
        None,
        &[
            "прогони тесты",
            "супер, спасибо большое",
            "ок, продолжай",
            "закоммить и запушь",
            "завтра доделаем",
            "уже сам разобрался",
            "ок, можешь мержить",
            "запусти дев-сервер",
            "ага",
            "я пошёл, до завтра",
            "так отлично, спасибо",
            "нет, оставь",
            "да, пожалуйста",
            "установи зависимости",
            "вернись на main и стяни изменения",
            "извини, не то окно",
            "потом сам гляну",
            "скоро вернусь, обед",
        ],
    );
}

#[test]
fn english_words_within_another_language_do_not_change_it() {
    all_are(
        Some(Intent::Build),
        &["bitte den Deployment-Workflow um einen Retry-Step ergänzen", "로그인 API에 rate limit 추가해줘"],
    );
    all_are(Some(Intent::Investigate), &["warum ist der merge commit im changelog", "pull request 리뷰해줘"]);
}

#[test]
fn an_english_prompt_that_quotes_another_language_stays_english() {
    all_are(Some(Intent::Build), &["rename the label \"Bitte nicht löschen, wir sind noch da\" in the footer"]);
}

#[test]
fn what_is_over_is_not_asked_for_and_what_comes_after_it_is() {
    all_are(
        None,
        &["der Test schlägt fehl, hab ich schon selbst gefixt", "deja, ya lo arreglé yo", "уже сам разобрался"],
    );
    all_are(Some(Intent::Build), &["schon erledigt. bau jetzt die Suche ein"]);
}

#[test]
fn letters_without_their_marks_are_read() {
    all_are(Some(Intent::Build), &["bitte den Titel aendern", "anade un boton a la pagina", "幫我修改這個檔案"]);
    all_are(Some(Intent::Investigate), &["ueberpruef mal die Rechte", "ещё раз проверь логи"]);
}
