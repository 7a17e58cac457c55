"""Words and marks that stand near orders to an agent: what a plain look for them looks for."""

from __future__ import annotations

CHARS = b"l013456789@$!|", b"ioieasgtbgasii"
FLAT = bytes.maketrans(*CHARS)
SPACING = bytes(code for code in range(128) if not chr(code).isalnum() and code not in b"@$!|")
_MARKS = SPACING.replace(b" ", b"").replace(b"\n", b"")


def fold_words(words: str) -> tuple[bytes, ...]:
    """Words as they look in a text without blanks and marks, digits read as letters."""
    return tuple(words.encode().translate(FLAT, _MARKS).split())


# English, as it is left when blanks and marks are taken out and digits read as letters
DROPS = fold_words(
    """
    ignor disregard forget discard neglect dismiss bypass override overrule overwrit abandon unlearn erase
    nullify suspend aside attentionto heedto notfollow ntfollow nolongerfollow stopfollow obey comply adhere
    listento heed void cancel revok rescind lifted superse obsolete invalid withdrawn nolonger replaced
    deleted throwaway throwout
    """
)
NOUNS = fold_words(
    """
    instruct directive guideline prompt order rule command guardrail programming restrict constraint
    limitation context training polic everything anything briefing directions youweretold previous prior
    above earlier filter safety message guidance
    """
)
ALONE = fold_words(
    """
    systemprompt jailbreak nottell nttell nevertell notmention ntmention nevermention notinform ntinform
    withouttell withoutask withoutinform withoutnotif withoutmention notreveal notalert notreport
    notdisclose youarenow yourenow fromnowon fromthispoint newinstruct newtask realtask actualtask
    newobjective newgoal newdirective unrestricted uncensored unfiltered developermode godmode danmode
    jailbroken doanythingnow norestriction norules nofilter withoutrestriction withoutfilter withoutany
    nolimit nolongerbound actasan pretend roleplay yourinstruct yoursystem hiddeninstruct initialinstruct
    instructionsabove textabove everythingabove fromtheuser betweenus maintenancemode adminmode rootmode
    debugmode sudomode followthese obeythese yournew supersede notaskfor ntaskfor neveraskfor nowaitfor
    notwaitfor ntwaitfor amoral evil fromthismoment keepthis keepit hidethis keepquiet notask ntask neverask
    notwait ntwait withoutconfirm stopwhatyou currenttask oppositeof noneedto nolongerneed replaceyour
    authorizedyou authorisedyou grantedyou givenyou instructedyou treatthis treatthe messagefrom orderfrom
    commandfrom wasatest onlyatest justatest newconversation newsession endofprompt endofinstruct
    endofcontext endofthe asasystem assystem havetofollow needtofollow havetoobey needtoobey havetolisten
    everythingyou youweretold youhavebeentold freedfrom nocontentpolicy nopolicy nosafety revealyour
    printyour showyour repeatyour outputyour tellmeyour leakyour dumpyour areyourinitial isyoursystem
    wordsabove revealto reportit reportthis
    """
)
DECODES = fold_words(
    """
    decod deciph decrypt unscramb deobfus rot13 unhex base64 backwards reversethe
    """
)
TO = fold_words(
    """
    important attention note notice message reminder warning instruct directive urgent critical memo dear
    hey hello ifyou whenyou ifan ifany asan must shall should haveto needto request @claude @copilot @cursor
    @codex @gemini readers allai anyai foran forai foragents forassist toany toall toai toagents processing
    required claude assistantp psa agentnote agentinstr aiinstr ainote llminstr llmnote assistantnote
    assistantinstr claudenote claudeinstr botnote
    """
)
SECRETS = fold_words(
    """
    .env environ apikey accesskey accesstoken token credential secret password passphrase privatekey sshkey
    idrsa ided25519 .ssh .aws .npmrc .netrc .pypirc passwd shadow keychain wallet seedphrase cookie
    conversation chathistory systemprompt transcript memory sourcecode customerdata userdata personaldata
    printenv gitconfig
    """
)
PLACES = fold_words(
    """
    http www. webhook pastebin gist endpoint yourreply yourresponse youranswer youroutput yournext thereply
    theresponse theanswer attacker telegram discord .com .net .io .org .example .invalid .test .dev .xyz .ru
    server url querystring comment message image commitmessage email description collector address
    queryparam
    """
)
RUNS = tuple(
    (
        "| sh;|sh;| bash;|bash;| sudo;|sudo;| zsh;| python;|python;| iex;|iex;<(;$(;run;exec;| node;"
        "| perl;| ruby;| source;| /bin;|/bin;| env;eval;-enc;follow;obey;instruct"
    ).split(";")
)
LABELS = frozenset(
    b"""
    admin administrator ai anthropic assistant available begin bos bot developer header im calls results
    turn endoftext eos eot function host human humans inst instruction instructions
    moderator openai operator platform prompt response root s correct supervisor sys
    system tool user
    """.split()
)
ELEMENTS = tuple(
    b"""
    <img <script <iframe <link <source <object <embed <picture <video <audio <form <meta <svg <style <frame
    <base <input <image <track <!-- <body <details <marquee display:none display: visibility opacity
    font-size color: hidden>
    """.decode().split()
)
# words of which at least one is in every order that is written plainly
WORDS = frozenset(
    b"""
    abandon adhere amoral anyone approval aside backwards base64 bypass canceled cancelled comply
    confirmation dan decipher decode decrypt deobfuscate directives discard dismiss disregard erase evil
    forget guidelines heed human humans ignore instruction instructions jailbreak jailbroken lifted
    maintainer maintainers mode neglect now nullify obey obeyed obsolete operator overridden override
    overrides overrule overwrite permission pretend prompt prompts rescinded reviewer reviewers revoked
    roleplay rot13 supersede superseded supersedes suspend uncensored unfiltered unhex unlearn unrestricted
    unscramble user users void you your youre yours yourself treat opposite abort anthropic openai
    authorized authorised instructed orders conversation stop end directive objective guidance assume
    simulate behave words
    """.split()
)
AGENT_WORDS = frozenset(
    b"""
    agent agents ai ais assistant assistants model models bot bots chatbot chatbots chatgpt claude codex copilot gemini
    gpt llm llms
    """.split()
)
SECRET_WORDS = frozenset(
    b"""
    api_key apikey apikeys aws base64 code config conversation cookie cookies credential credentials curl
    data env environ environment history id_ed25519 id_rsa iex irm iwr key keychain keys kube memory netrc
    npmrc passphrase passwd password passwords phrase pii powershell printenv prompt pypirc rsa secret
    secrets shadow ssh token tokens transcript transcripts wallet wget xxd
    """.split()
)
# stems that a disguise hides: as they look when it is taken off, and as they are
_PLAIN = b"instruct ignor previous disregard prompt overrid reveal secret exfiltr system forget restrict safety".split()
CORE = tuple(zip(fold_words(b" ".join(_PLAIN).decode()), _PLAIN, strict=True))
# telling words turned by thirteen letters, or written backwards
TURNED = frozenset(
    b"""
    vtaber vtabevat vafgehpgvbaf vafgehpgvba flfgrz cebzcg qvfertneq sbetrg cerivbhf erirny frpergf
    frperg cnffjbeq pbagragf qryrgr hcybnq gbxra gbxraf perqragvnyf rkrphgr erongi gnirongi snoitcurtsni
    noitcurtsni metsys tpmorp dragersid tegrof suoiverp laever sterces terces drowssap stnetnoc eteled
    daolpu nekot snekot slaitnederc etucexe
    """.split()
)
GLUED = b"instruct", b"ignore", b"disregard", b"forget", b"system", b"override"
PLACE_WORDS = frozenset(
    b"""
    address answer attacker body channel cn collector com comment description dev discord dns email endpoint
    example gist host http https image invalid io issue link message net online org output pastebin path
    query readme reply response ru server site slack summary telegram test title url webhook www xyz
    """.split()
)
FETCH_WORDS = frozenset(
    b"""
    base64 curl download fetch gunzip http https iex irm iwr openssl powershell rev wget xxd
    """.split()
)
NUMBERS = tuple(
    (
        "01100;01101;01110;01001;01000;67 6e;69 6e;72 65;74 68;6e 73;696e;7265;7468;676e;6e73;0x6;0x7;"
        "103 110;103,110;103, 110;110 115;110,115;110, 115;105 110;105,110;105, 110;116 104;116, 104;"
        "101 108;101, 108;67:6e;69-6e;6e-73;6e:73;6f75;6f 75;746f;74 6f;111 117;111, 117"
    ).split(";")
)
TONGUE_VERBS = frozenset(
    b"""
    abaikan abaikanlah abandonnez ala balewalain beachte beachten befolge befolgen birak bo bortse bos
    contourne contournez descarta descarte descartem desconsidera desconsidere desestima desestime
    desobedeca desobedece despreze dikkate dimentica dimenticare dimenticate dimentichi disattendi dung
    ecarte ecartez esqueca esquece esquecer fais faites felejtsd felejtse folg folj gecersiz glem glom
    glomma gormezden goz haga hagas hagyd haz hiraukan houd huwag hylkaa jangan jata kalimutan kesampingkan
    kivul kovesd lo lupakan lupakanlah missachte missachten missachtet nao nedbej negeer negeert neglige
    negligez nesocoteste nesocoti nie non nu obedezcas odrzuc ohita olvida olvidad olvidar olvidate olvide
    olviden omita omite omzeil onemseme opomen oublie oublier oubliez overse pasa pase phot pomin pominac
    pozabi prehlizej puuza qua quen respecte respectez sahau scarta scarti setze setzen siga sigas sla
    strunta suis suivez tenez tiens tralascia tralasciare tralasciate trascura trascurare trascurate
    trascuri ubergehe ubergehen uebergehe uita uitati umgehe umgehen unohda unut unutun usifuate uyma
    vergeet vergessen vergesst vergiss verwaarloos verwerfen verwirf volg yok zaboravi zaboravite zabudni
    zabudnite zanemari zanemarite zapomen zapomente zapomnij zapomnijcie zlekcewaz
    """.split()
)
TONGUE_NOUNS = fold_words(
    """
    anweisung instruk vorgab regel befehl anordnung richtlini kontext weisung consigne directive regle ordre
    prompt contexte invite instrucc indicac directric regla orden norma mensaje instruc orientac diretri
    regra comando mensage istruzion indicazion direttiv regol ordini contesto consegne aanwijzing richtlijn
    opdracht bevel voorschrift anvisning riktlinj retningslinj order kommando ohje kehot saann maarays
    polecen wytyczn zasad rozkaz reguly pokyn pravidl prikaz uput navodil pravil naredb utasit szabaly
    parancs instructiun regul talimat yonerge komut kural istem emir direktif perintah arahan aturan
    petunjuk huongdan chithi lenh quytac chidan yeucau tagubilin utos patakaran maagizo kanuni tout alles
    todo tudo tutto allt wszystko vsechno mindent totce hersey instructies
    """
)
SCRIPTS = tuple(
    [
        word.replace("_", " ").encode()
        for word in """
    игнор ігнор забуд отбрось не следуй пренебрег отмени знехтуй заборав
    занемар αγνο ξεχ παραβλ 忽略 忽视 忽視 无视 無視 忘 不要遵 理会 理會 别管 別管 抛弃 绕过 繞過 丢弃
    无效 作废 無効 従わ 破棄 取り消 무시 잊 따르지 무효 버리 폐기 تجاهل انس لا تتبع لا تلتزم همل
    نادیده فراموش بی توجه انداز بھول התעלמ שכח תציית התעלם अनदेख अंदाज अंदाज़
    भूल उपेक्षा पालन उपेक উপেক্ষা ভুলে অগ্রাহ্য புறக்கண மறந்து విస్మర
    మర్చి ละเว้น เพิกเฉย ลืม ไม่ต้อง อย่าทำ ข้าม दुर्लक्ष обойди пропусти
    соблюд викон дотрим
    """.split()
    ]
)
# starts of fancy letters in UTF-8: full width, mathematical, circled, small capitals, combining marks
STRANGE = tuple(
    [
        bytes.fromhex(code)
        for code in """
    efbc efbd f09d90 f09d91 f09d92 f09d93 f09d94 f09d95 f09d96 f09d97 f09d98 f09d99 f09d9a e292 e293 f09f84
    f09f85 f09f87 cd cc e1b4 ca c9 ea9c e282 e281 e1b5 e1b6 e284 eaad e18e e18f d5 d6 e285 cab0
    """.split()
    ]
)
# an accented letter, then what it reads as
ACCENTS = {
    ord(word[0]): word[1]
    for word in """
    àa áa âa ãa äa åa çc èe ée êe ëe ìi íi îi ïi ñn òo óo ôo õo öo ùu úu ûu üu ýy ÿy āa ăa ąa ćc ĉc ċc
    čc ďd ēe ĕe ėe ęe ěe ĝg ğg ġg ģg ĥh ĩi īi ĭi įi ĵj ķk ĺl ļl ľl ŀl ńn ņn ňn ōo ŏo őo ŕr ŗr řr śs ŝs
    şs šs ţt ťt ũu ūu ŭu ůu űu ųu ŵw ŷy źz żz žz ſs ơo ưu ǎa șs țt ḁa ḃb ḅb ḇb ḉc ḋd ḍd ḏd ḑd ḓd ḕe ḗe
    ḙe ḛe ḝe ḟf ḡg ḣh ḥh ḧh ḩh ḫh ḭi ḯi ḱk ḳk ḵk ḷl ḹl ḻl ḽl ḿm ṁm ṃm ṅn ṇn ṉn ṋn ṍo ṏo ṑo ṓo ṕp ṗp ṙr
    ṛr ṝr ṟr ṡs ṣs ṥs ṧs ṩs ṫt ṭt ṯt ṱt ṳu ṵu ṷu ṹu ṻu ṽv ṿv ẁw ẃw ẅw ẇw ẉw ẋx ẍx ẏy ẑz ẓz ẕz ẖh ẗt ẘw
    ẙy ẚa ẛs ạa ảa ấa ầa ẩa ẫa ậa ắa ằa ẳa ẵa ặa ẹe ẻe ẽe ếe ềe ểe ễe ệe ỉi ịi ọo ỏo ốo ồo ổo ỗo ộo ớo
    ờo ởo ỡo ợo ụu ủu ứu ừu ửu ữu ựu ỳy ỵy ỷy ỹy łl øo đd ħh ŧt ıi άα έε ήη ίι όο ύυ ώω
    """.split()
}
LEAST_RUN_CHARS = 16
NAMES = bytes(code if chr(code).isalnum() else 32 for code in range(128)) + bytes(range(128, 256))
RUN_BYTES = bytes(code if chr(code).isalnum() or code in b"+/-_" else 32 for code in range(128)) + b" " * 128
SHAPE = bytes(120 if code > 32 else 32 for code in range(256))
LONG = b"x" * LEAST_RUN_CHARS
FIRSTS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"  # what the first of four characters can be where plain text is encoded
MANY_DIGITS = 12
DIGITS = b"0123456789"
READERS = fold_words(
    """
    yousee youread youopen youprocess youencounter youreview youload youparse youfetch readingthis
    openingthis seethis readthis openthis summarizethis summarisethis reviewthis reviewingthis
    processingthis processthis parsethis loadthis loadingthis encounterthis encounterthese receivethis
    findthis analyzethis analysethis scanthis ingestthis acrossthis summarizingthis summarisingthis editthis
    editingthis modifythis changethis touchthis committo
    """
)
READER_WORDS = frozenset(
    b"""
    across analyse analyze encounter fetch ingest load loading open opening parse parsing process processing
    read reading receive review reviewing scan see summarise summarize summarizing summarising edit editing
    modify change touch commit
    """.split()
)
BANNERS = frozenset(
    b"""
    admin assistant context conversation data developer document engram external hidden input instruction
    instructions memory notes prompt quoted recalled records retrieved search stored system tool trusted
    turn untrusted user
    """.split()
)
LEAST_BASE32_CHARS = 24
RULERS = b"---", b"===", b"***", b"##", b"<<<", b"[[", b"~~~"
_AFTER_LABELS = ": ] > | ** _ \uff1a ~prompt ~message ~not ~over ~remind ~upd ~instr"
CLOSERS = tuple([mark.replace("~", " ").encode() for mark in _AFTER_LABELS.split()])
