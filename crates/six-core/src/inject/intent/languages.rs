//! What a person who does not write English relies on: requests, questions, choices and small talk are told apart.

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
            "Variante 2, aber behalt den alten Namen",
            "Review: die Funktion ist zu lang, zerlegen",
            "Login-Seite: Passwort vergessen Link fehlt, bitte ergänzen",
            "Implementier das mal ohne die Lib",
            "kein Framework benutzen, schreib das von Hand",
            "wir hatten das gestern besprochen. Leg jetzt die Tabelle an",
            "Zeitstempel immer in UTC ausgeben",
            "zieh eslint auf die neueste Version",
            "die Validierung fehlt noch komplett, bau die mal ein",
            "Kommentare in utils.py übersetzen bitte",
            "ich hätte gerne einen Ladebalken beim Upload",
            "mach die Schrift etwas größer und den Rand weg",
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
            "TypeError: x is not a function at app.js:10, was soll das",
            "ist das Feld irgendwo indexiert?",
            "nicht fixen, nur die Ursache finden",
            "die Pipeline ist seit heute früh rot",
            "wer ruft saveAll auf",
            "was passiert wenn zwei User gleichzeitig speichern?",
            "Cannot find module './foo' - wieso?",
            "gibt es schon einen Helper für Datumsformatierung",
            "zeig mal wo das konfiguriert wird",
            "der Container startet nicht mehr",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "Redis oder Memcached, was nehmen wir?",
            "ich würde das eher in den Service packen als in den Controller",
            "dann lieber ohne ORM",
            "macht es Sinn die Tabellen zusammenzulegen?",
            "brauchen wir dafür wirklich Kubernetes?",
            "ich tendiere zu Option B",
            "okay, wir lassen den Cache weg",
            "Monorepo oder zwei getrennte Repos?",
            "ich glaube eine Queue wäre hier besser",
            "welchen Ansatz würdest du nehmen?",
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
            "nein danke",
            "ja mach das",
            "gute Nacht",
            "deploy das auf staging",
            "super, sieht gut aus",
            "warte kurz",
            "alles klar, weiter",
            "checkout main und pull",
            "hast recht",
            "morgen dann",
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
            "esta función es larguísima, pártela",
            "fechas siempre en UTC",
            "no uses librerías, escríbelo a mano",
            "habría que validar el email antes de guardar",
            "El modal no cierra con Esc, arréglalo",
            "mueve los helpers a utils.ts",
            "agregale un índice a la tabla pedidos",
            "añade validación al formulario de registro",
            "quita los espacios sobrantes en los títulos",
            "me gustaría una barra de progreso en la subida",
            "pon la letra más grande y centra el logo",
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
            "no lo arregles, solo encontrá la causa",
            "quién llama a saveAll?",
            "el pipeline está en rojo desde esta mañana",
            "hay algún sitio donde se use este flag?",
            "los totales no cuadran con el excel",
            "qué pasa si dos usuarios guardan a la vez?",
            "ya tenemos algún helper para formatear fechas?",
            "enséñame dónde se configura esto",
            "el contenedor ya no arranca",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "¿lo metemos en el mismo repo o uno nuevo?",
            "yo tiraría por Postgres, es más fácil de mantener",
            "entre zustand y redux cuál te parece mejor?",
            "mejor no usamos websockets, con polling basta",
            "de verdad necesitamos kubernetes para esto?",
            "me inclino por la opción B",
            "vale, sin caché entonces",
            "monorepo o dos repos separados?",
            "creo que aquí una cola sería mejor",
            "qué enfoque tomarías tú?",
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
            "no gracias",
            "sí, hazlo",
            "despliega en staging",
            "espera un momento",
            "buenas noches",
            "perfecto, ha quedado muy bien",
            "ok, continúa con lo siguiente",
            "tienes razón",
            "cámbiate a main y haz pull",
            "jajaja qué bueno",
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
            "cette fonction est trop longue, découpe-la",
            "les dates toujours en UTC stp",
            "n'utilise pas de lib, écris-le à la main",
            "le modal ne se ferme pas avec Échap, corrige",
            "déplacer les helpers dans utils.ts",
            "il manque un index sur la table commandes, ajoute-le",
            "on pourrait avoir un mode sombre ?",
            "ajoute une validation sur le formulaire d'inscription",
            "enlève les espaces en trop dans les titres",
            "j'aurais besoin d'une barre de progression à l'upload",
            "agrandis la police et centre le logo",
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
            "ne corrige rien, trouve juste la cause",
            "qui appelle saveAll ?",
            "la pipeline est rouge depuis ce matin",
            "est-ce que ce flag est utilisé quelque part",
            "les totaux ne collent pas avec l'excel",
            "que se passe-t-il si deux utilisateurs enregistrent en même temps ?",
            "est-ce qu'on a déjà un helper pour formater les dates ?",
            "montre-moi où c'est configuré",
            "le conteneur ne démarre plus",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "on met ça dans le même dépôt ou un nouveau ?",
            "je partirais plutôt sur Postgres",
            "ça vaut le coup de passer à TypeScript ?",
            "finalement on garde REST, GraphQL c'est trop lourd",
            "on a vraiment besoin de kubernetes pour ça ?",
            "je penche pour l'option B",
            "bon, sans cache alors",
            "monorepo ou deux dépôts séparés ?",
            "je crois qu'une file d'attente serait mieux ici",
            "quelle approche tu prendrais ?",
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
            "non merci",
            "oui fais-le",
            "déploie en staging",
            "attends deux secondes",
            "bonne nuit",
            "nickel, très propre",
            "ok continue avec la suite",
            "tu as raison",
            "repasse sur main et fais un pull",
            "haha trop fort",
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
            "opção 2, mas mantém o nome antigo",
            "essa função tá enorme, quebra ela",
            "datas sempre em UTC",
            "não usa lib, escreve na mão",
            "o modal não fecha com Esc, arruma isso",
            "move os helpers pro utils.ts",
            "falta um índice na tabela pedidos, cria",
            "tem como colocar um modo escuro?",
            "adiciona validação no formulário de cadastro",
            "tira os espaços sobrando nos títulos",
            "queria uma barra de progresso no upload",
            "aumenta a fonte e centraliza o logo",
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
            "não conserta nada, só acha a causa",
            "quem chama saveAll?",
            "o pipeline tá vermelho desde cedo",
            "esse flag é usado em algum lugar",
            "os totais não batem com o excel",
            "o que acontece se dois usuários salvarem ao mesmo tempo?",
            "já temos algum helper pra formatar data?",
            "me mostra onde isso é configurado",
            "o container não sobe mais",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "colocamos no mesmo repo ou criamos outro?",
            "eu iria de Postgres, mais fácil de manter",
            "será que compensa migrar pra typescript?",
            "melhor não usar websocket, polling já resolve",
            "a gente precisa mesmo de kubernetes pra isso?",
            "tô mais inclinado pra opção B",
            "tá, então sem cache",
            "monorepo ou dois repos separados?",
            "acho que uma fila seria melhor aqui",
            "qual abordagem você usaria?",
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
            "não, obrigado",
            "sim, faz isso",
            "faz deploy em staging",
            "espera um pouco",
            "boa noite",
            "ficou muito bom",
            "ok, continua com o próximo",
            "tem razão",
            "volta pra main e dá um pull",
            "kkkk muito bom",
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
            "вариант 2, но старое имя оставь",
            "функция слишком длинная, разбей её",
            "даты всегда в UTC",
            "без библиотек, напиши руками",
            "модалка не закрывается по Esc, поправь",
            "перенеси хелперы в utils.ts",
            "не хватает индекса на таблице заказов, добавь",
            "можно сделать тёмную тему?",
            "добавь валидацию в форму регистрации",
            "убери лишние пробелы в заголовках",
            "хочу прогрессбар при загрузке",
            "увеличь шрифт и отцентрируй логотип",
        ],
    );
    all_are(
        Some(Intent::Investigate),
        &[
            "где у нас проверяется токен?",
            "после вчерашнего деплоя главная грузится 8 секунд",
            "почему тест падает только в CI",
            "объясни что делает эта мидлварь",
            "посмотри нет ли тут утечки",
            "ничего не чини, просто найди причину",
            "кто вызывает saveAll?",
            "пайплайн красный с утра",
            "используется ли где-то этот флаг",
            "итоги не бьются с экселем",
            "что будет если два пользователя сохранят одновременно?",
            "у нас уже есть хелпер для форматирования дат?",
            "покажи где это настраивается",
            "контейнер больше не стартует",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "положим в тот же репозиторий или новый заведём?",
            "я бы взял Postgres, его проще поддерживать",
            "стоит ли переходить на TypeScript?",
            "ладно, остаёмся на REST, GraphQL перебор",
            "нам правда нужен кубернетес для этого?",
            "склоняюсь к варианту B",
            "ладно, тогда без кеша",
            "монорепа или два отдельных репозитория?",
            "думаю тут лучше очередь",
            "какой подход ты бы выбрал?",
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
            "нет, спасибо",
            "да, делай",
            "задеплой на стейдж",
            "подожди минутку",
            "спокойной ночи",
            "отлично получилось",
            "ок, давай дальше",
            "ты прав",
            "переключись на main и сделай pull",
            "ахах, круто",
        ],
    );
}

#[test]
fn chinese_is_read_by_its_own_words() {
    all_are(
        Some(Intent::Build),
        &[
            "能不能把这段逻辑抽成一个 hook",
            "把 console.log 都换成 logger",
            "希望错误提示能显示中文",
            "按钮提交的时候要置灰",
            "给 parser 补几个单测，顺便更新文档",
            "供应商那边也照这个改一下",
            "把这个文件按模块拆开",
            "导出的时候把停用的用户也带上",
            "方案二，但是保留原来的名字",
            "这个函数太长了，拆一下",
            "日期统一用 UTC",
            "不要用库，自己手写",
            "弹窗按 Esc 关不掉，修一下",
            "把 helper 挪到 utils.ts",
            "订单表少个索引，加上",
            "能加个深色模式吗",
            "注册表单加上校验",
            "去掉标题里多余的空格",
            "上传的时候想要一个进度条",
            "字体调大一点，logo 居中",
        ],
    );
    all_are(
        Some(Intent::Investigate),
        &[
            "token 是在哪校验的",
            "昨天发版以后首页要 8 秒才打开",
            "为啥这个测试只在 CI 上挂",
            "讲讲这个中间件是干嘛的",
            "safari 里点保存没反应",
            "看下这里有没有内存泄漏",
            "先别改，找一下原因就行",
            "谁调用了 saveAll?",
            "流水线从早上就红了",
            "这个 flag 还有地方在用吗",
            "合计跟 excel 对不上",
            "两个用户同时保存会怎样？",
            "现在有没有格式化日期的工具函数",
            "这个在哪里配置的，带我看看",
            "容器起不来了",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "放同一个仓库还是新建一个？",
            "我倾向于用 Postgres，好维护",
            "有必要迁到 TypeScript 吗",
            "还是用 REST 吧，GraphQL 太重了",
            "真的需要 k8s 吗",
            "我偏向 B 方案",
            "行，那就不加缓存了",
            "单仓库还是两个仓库分开？",
            "我觉得这里用队列更好",
            "你会选哪种做法？",
        ],
    );
    all_are(
        None,
        &[
            "跑一下测试",
            "太棒了，谢谢",
            "好，继续",
            "提交并推送",
            "明天再弄吧",
            "我自己搞定了",
            "不用，谢谢",
            "对，就这么做",
            "部署到测试环境",
            "稍等一下",
            "晚安",
            "做得很漂亮",
            "好，继续下一个",
            "你说得对",
            "切回 main 拉一下",
            "哈哈 厉害",
        ],
    );
}

#[test]
fn japanese_is_read_by_its_own_words() {
    all_are(
        Some(Intent::Build),
        &[
            "このロジックをフックに切り出してもらえますか",
            "console.logを全部loggerに置き換えて",
            "エラーメッセージは日本語で出るようにしてほしい",
            "送信中はボタンを無効にしたい",
            "パーサのテストを足して、ドキュメントも更新しておいて",
            "仕入先の方も同様に直してください",
            "このファイル、モジュールごとに分割しよう",
            "エクスポートに無効ユーザーも含めるようにして",
            "案2で、ただし名前は元のまま残して",
            "この関数長すぎるので分割お願いします",
            "日付は常にUTCで出力",
            "ライブラリは使わず自前で書いて",
            "モーダルがEscで閉じないので直してほしい",
            "ヘルパーをutils.tsに移動",
            "注文テーブルにインデックスがない、追加して",
            "登録フォームにバリデーションを追加して",
            "タイトルの余分なスペースを消して",
            "アップロード時に進捗バーが欲しい",
            "フォントを大きくしてロゴを中央に寄せて",
        ],
    );
    all_are(
        Some(Intent::Investigate),
        &[
            "トークンってどこで検証してる?",
            "昨日のデプロイ以降トップページが8秒かかる",
            "このテストがCIだけで落ちるのはなんで",
            "このミドルウェアの役割を教えて",
            "Safariで保存ボタンを押しても反応がない",
            "ここメモリリークしてないか見てくれる?",
            "直さなくていいから原因だけ探して",
            "saveAllを呼んでるのは誰?",
            "朝からパイプラインが赤い",
            "このフラグまだ使われてる?",
            "合計がエクセルと合わない",
            "二人同時に保存したらどうなる?",
            "日付フォーマットのヘルパーってもうある?",
            "これどこで設定してるか見せて",
            "コンテナが起動しなくなった",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "同じリポジトリに入れるか、新しく作るか、どっちがいい?",
            "自分はPostgresの方が保守しやすいと思います",
            "TypeScriptに移行する価値あるかな",
            "RESTのままでいきましょう、GraphQLは大げさ",
            "これに本当にKubernetesいる?",
            "B案寄りかな",
            "じゃあキャッシュなしでいきます",
            "モノレポと別リポジトリ、どちらにしますか?",
            "ここはキューのほうがいい気がする",
            "どのアプローチを取る?",
        ],
    );
    all_are(
        None,
        &[
            "テスト回して",
            "完璧です、ありがとうございます",
            "はい、続けてください",
            "コミットしてpushお願い",
            "続きは明日にします",
            "もう自分で直しました",
            "いえ、大丈夫です",
            "はい、それでお願いします",
            "ステージングにデプロイして",
            "少し待って",
            "おやすみなさい",
            "とてもきれいにできてますね",
            "OK、次お願いします",
            "確かにそうですね",
            "mainに戻ってpullして",
            "笑った",
        ],
    );
}

#[test]
fn korean_is_read_by_its_own_words() {
    all_are(
        Some(Intent::Build),
        &[
            "이 로직을 훅으로 빼줄 수 있어?",
            "console.log 전부 logger로 바꿔주세요",
            "에러 메시지가 한글로 나오게 해줘",
            "전송 중에는 버튼 비활성화되어야 해",
            "파서 테스트 좀 보강하고 문서도 업데이트해줘",
            "공급업체 쪽도 똑같이 고쳐줘",
            "이 파일 모듈별로 나누자",
            "내보내기에 비활성 유저도 포함시켜줘",
            "2안으로 하되 이름은 예전 거 유지해줘",
            "이 함수 너무 길어 쪼개줘",
            "날짜는 항상 UTC로",
            "라이브러리 쓰지 말고 직접 작성해",
            "모달이 Esc로 안 닫혀 고쳐줘",
            "헬퍼들 utils.ts로 옮겨",
            "주문 테이블에 인덱스 없네 추가해",
            "다크모드 넣어줄 수 있나요?",
            "회원가입 폼에 유효성 검사 추가해줘",
            "제목에 불필요한 공백 제거해줘",
            "업로드할 때 진행바 있으면 좋겠어",
            "폰트 키우고 로고 가운데 정렬해줘",
        ],
    );
    all_are(
        Some(Intent::Investigate),
        &[
            "토큰 검증 어디서 해?",
            "어제 배포 이후로 메인 페이지가 8초 걸려요",
            "이 테스트 CI에서만 왜 깨지는 거야",
            "이 미들웨어가 뭐 하는 건지 알려줘",
            "사파리에서 저장 버튼 눌러도 반응이 없어요",
            "여기 메모리 누수 없는지 봐줄래?",
            "고치지 말고 원인만 찾아줘",
            "saveAll 누가 호출해?",
            "아침부터 파이프라인 빨간불",
            "이 플래그 아직 쓰는 데 있어?",
            "합계가 엑셀이랑 안 맞아",
            "두 명이 동시에 저장하면 어떻게 돼?",
            "날짜 포맷 헬퍼 이미 있나?",
            "이거 어디서 설정하는지 보여줘",
            "컨테이너가 안 뜨네",
        ],
    );
    all_are(
        Some(Intent::Decide),
        &[
            "같은 레포에 넣을까 아니면 새로 만들까?",
            "전 Postgres가 유지보수하기 더 좋을 것 같아요",
            "타입스크립트로 옮길 가치가 있을까?",
            "그냥 REST로 가죠, GraphQL은 과해요",
            "B안 쪽이 끌리네",
            "그럼 캐시 없이 가자",
            "모노레포로 갈까 레포 두 개로 나눌까?",
            "여기는 큐가 더 나을 것 같아",
            "어떤 방식이 좋을까?",
        ],
    );
    all_are(
        None,
        &[
            "테스트 돌려줘",
            "완벽해 고마워",
            "응 계속해줘",
            "커밋하고 푸시해줘",
            "내일 이어서 하자",
            "이미 제가 고쳤어요",
            "아니 괜찮아",
            "응 그렇게 해줘",
            "스테이징에 배포해줘",
            "잠깐만 기다려",
            "잘 자",
            "깔끔하게 잘 나왔네",
            "오케이 다음 진행해",
            "맞네 네 말이",
            "메인으로 돌아가서 풀 받아",
            "ㅋㅋㅋ 대박",
        ],
    );
}
