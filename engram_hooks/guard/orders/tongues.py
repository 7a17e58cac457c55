"""Orders in other languages: a verb of dropping, what is to be dropped and whose it is, in one sentence."""

from __future__ import annotations

import re

# language: (verbs in the form of an order, what is dropped, which of it), stems without accents
_LANGUAGES = {
    "de": (
        r"ignorier\w*|missacht\w*|vergiss|vergesst|vergessen\s+sie|uebergeh\w*|ubergeh\w*|verwirf|"
        r"verwerfen\s+sie|beachte\w*\s+(?:\w+\s+){0,4}nicht|"
        r"befolg\w*\s+(?:\w+\s+){0,4}nicht|umgeh\w*|setze?\s+(?:\w+\s+){0,4}ausser\s+kraft",
        r"anweisung\w*|instruktion\w*|vorgabe\w*|regeln?\b|befehl\w*|anordnung\w*|richtlinie\w*|prompts?\b|"
        r"kontext|weisung\w*|systemprompt\w*|"
        r"systemnachricht\w*|alles|einschrankung\w*|beschrankung\w*",
        r"vorherig\w*|bisherig\w*|obig\w*|alle\w?\b|fruher\w*|vorangegangen\w*|vorangehend\w*|deine\w?\b|"
        r"ihre\w?\b|zuvor|vorher|oben|vorigen?|bestehend\w*|davor|"
        r"ursprunglich\w*|system\w*|bekommen|erhalten",
    ),
    "fr": (
        r"ignore[zr]?\b|oublie[zr]?\b|neglige[zr]?\b|ne\s+(?:tiens|tenez)\s+(?:pas|plus)\s+compte|"
        r"ne\s+(?:suis|suivez|respecte[zr]?)\s+(?:pas|plus)|fais\s+abstraction|"
        r"faites\s+abstraction|contourne[zr]?|abandonne[zr]?|ecarte[zr]?",
        r"instructions?|consignes?|directives?|regles?|ordres?|prompts?|contexte|invites?|tout\s+ce|"
        r"commandes?|restrictions?",
        r"precedent\w*|anterieur\w*|ci-dessus|toutes?|tous|tes\b|vos\b|avant|initial\w*|prealable\w*|systeme|"
        r"plus\s+haut|dit|recu\w*",
    ),
    "es": (
        r"ignor[ae]\w{0,4}|olvid[ae]\w{0,4}|descart[ae]\w{0,4}|haz\s+caso\s+omiso|haga\s+caso\s+omiso|"
        r"no\s+(?:sigas|siga|hagas\s+caso|obedezcas|tengas\s+en\s+cuenta)|desestim\w+|"
        r"omite|omita|pas[ae]\s+por\s+alto|desobedece\w*",
        r"instruccion\w*|indicacion\w*|directrices|directriz|reglas?|ordenes|prompts?|contexto|normas|"
        r"mensajes?\s+del?\s+sistema|todo\s+lo|restriccion\w*",
        r"anterior\w*|previ[ao]s?|tod[ao]s?|tus\b|sus\b|arriba|precedentes?|inicial\w*|sistema|antes|dich[oa]|"
        r"recib\w+|dieron",
    ),
    "pt": (
        r"ignor[ae]\w{0,4}|esquec?[ae]\w{0,4}|desconsider[ae]\w{0,3}|descart[ae]\w{0,3}|nao\s+(?:siga|sigas|"
        r"obedeca)|desobedeca|despreze",
        r"instruc(?:oes|ao)\w*|orientac\w*|diretrizes|diretivas|regras?|ordens|prompts?|contexto|comandos?|tudo\s+o?|"
        r"mensage\w+\s+do\s+sistema|restric\w+",
        r"anterior\w*|previ[ao]s?|tod[ao]s?|suas?\b|seus?\b|tuas?\b|acima|precedentes?|inicia\w+|sistema|"
        r"antes|dit[oa]|recebeu|recebid\w+",
    ),
    "it": (
        r"ignor[aio]\w{0,3}|dimentic[ah]\w{0,3}|trascur[ai]\w{0,3}|tralascia\w*|non\s+(?:seguire|considerare|"
        r"rispettare)|scart[ai]\w{0,3}|disattendi",
        r"istruzion\w*|indicazion\w*|direttiv\w*|regole?|ordini|prompts?|contesto|comandi|tutto\s+cio|"
        r"tutto\s+quello|consegne|messaggi\w*\s+di\s+sistema|restrizioni",
        r"precedent\w*|tutt[eio]\b|tue\b|tuoi\b|sue\b|sopra|anterior\w*|inizial\w*|sistema|prima|dett[oa]|ricevut\w+",
    ),
    "nl": (
        r"negeer\w*|vergeet|sla\s+(?:\w+\s+){0,3}over|volg\s+(?:\w+\s+){0,4}niet|houd\s+geen\s+rekening|"
        r"omzeil|verwaarloos",
        r"instructies?|aanwijzing\w*|richtlijn\w*|regels?|opdracht\w*|prompts?|context|bevelen|voorschriften|"
        r"alles|systeembericht\w*|beperkingen",
        r"vorige|eerdere?|bovenstaande|alle\b|je\b|jouw|uw\b|voorgaande|hierboven|voorafgaande|"
        r"oorspronkelijke|systeem\w*|hiervoor|gezegd|eerder",
    ),
    "sv": (
        r"ignorera?r?|glom(?:ma)?\b|bortse|strunta|se\s+bort|glem\b|ignorer|overse|tilsides\w+|folj\s+inte|"
        r"folg\s+ikke|unohda|jata\s+huomiotta|ala\s+(?:noudata|valita)|ohita|hylkaa",
        r"instruktion\w*|anvisning\w*|regler\w*|riktlinje\w*|retningslinj\w*|order|ordrer|prompts?|kommandon?|"
        r"instrukser?|instruks\w*|allt|alt|ohje\w*|kehot\w*|saann\w*|maarays\w*|kontext\w*",
        r"tidigare|foregaende|alla\b|ovan\w*|dina|tidligere|foregaende|alle\b|ovenfor\w*|ovenstaende|dine|"
        r"aiem\w*|edelli\w*|kaik\w*|sinun|systemet?\w*|forrige|jarjestelma\w*",
    ),
    "pl": (
        r"z?ignoruj(?:cie|te)?|zapomnij\w*|pomin\w*|zlekcewaz\w*|odrzuc\w*|nie\s+(?:przestrzegaj|stosuj|wykonuj)\w*|"
        r"zapomen\w*|opomen\w*|zabudni\w*|prehlizej\w*|ignorujte|nedbej\w*|"
        r"zanemari\w*|zaboravi\w*|ignorir\w*|ignorati|pozabi\w*|figyelmen\s+kivul|felejts\w*|"
        r"hagyd\s+figyelmen|ne\s+kovesd|"
        r"ignora(?:ti)?\b|uita\w*|nu\s+(?:urma|respecta)\w*|nesocoti\w*",
        r"instrukc\w*|polecen\w*|wytyczn\w*|zasad\w*|rozkaz\w*|prompt\w*|reguly?|instrukci\w*|pokyn\w*|"
        r"pravidl\w*|prikaz\w*|uput\w*|navodil\w*|pravil\w*|naredb\w*|utasit\w*|szabaly\w*|"
        r"parancs\w*|instructiun\w*|regul\w*|ordine\w*|indicati\w*|kontekst\w*|wszystko|vsechno|mindent|tot\s+ce",
        r"poprzedni\w*|wczesniejsz\w*|wszystk\w*|powyzsz\w*|twoj\w*|swoj\w*|predchoz\w*|predosl\w*|vsechn\w*|"
        r"vsetk\w*|drivejsi\w*|tve\b|svoje\b|vyse\w*|prethodn\w*|sve\b|svih|ranij\w*|prejsnj\w*|"
        r"korabbi\w*|elozo\w*|osszes|minden|fenti\w*|anterioar\w*|precedent\w*|toate|tale\b|de\s+mai\s+sus|"
        r"uprzedni\w*|systemow\w*|dotychczas\w*|dosavadn\w*|eddigi",
    ),
    "tr": (
        r"yok\s+say\w*|gormezden\s+gel\w*|dikkate\s+alma\w*|unut\w*|goz\s*ardi\s+et\w*|onemseme\w*|uyma\w*|"
        r"birak\w*|gec(?:ersiz|in)\w*|bo\s?s\s?ver\w*",
        r"talimat\w*|yonerge\w*|komut\w*|kural\w*|istem\w*|emir\w*|prompt\w*|direktif\w*|her\s*sey\w*|baglam\w*",
        r"onceki\w*|tum\b|butun|yukaridaki\w*|daha\s+once\w*|senin|size|evvelki\w*|sistem\w*|mevcut|verilen",
    ),
    "id": (
        r"abaikan\w*|lupakan\w*|hiraukan\w*|jangan\s+(?:ikuti|patuhi|hiraukan)\w*|kesampingkan|bo\s+qua|"
        r"quen\s+(?:di\b|het|moi|tat)|phot\s+lo|lo\s+di|dung\s+(?:tuan|lam)\s+theo|"
        r"bỏ\s+qua|quên|balewalain|kalimutan|huwag\s+(?:pansinin|sundin)|puuza|sahau|usifuate|negeer|ignoreer",
        r"instruksi\w*|perintah\w*|arahan\w*|aturan\w*|petunjuk\w*|prompt\w*|huong\s+dan|chi\s+thi|lenh|"
        r"quy\s+tac|chi\s+dan|yeu\s+cau|tagubilin|utos|patakaran|panuto|maagizo|maelekezo|kanuni|sheria|"
        r"instruksies|"
        r"semua\s+yang|moi\s+thu",
        r"sebelum\w*|semua|di\s+atas|terdahulu|anda\b|kamu|truoc|tren|tat\s+ca|moi\b|cua\s+ban|nakaraan|lahat|"
        r"nauna\w*|yote|zote|awali|yaliyotangulia|vorige|alle|terdahulu|sistem|he\s+thong|tadi",
    ),
    "slavic": (
        r"(?:про)?игнорируй(?:те)?|забудь(?:те)?|не\s+обращай(?:те)?|отбрось(?:те)?|не\s+следуй(?:те)?|"
        r"не\s+выполняй(?:те)?|пренебреги(?:те)?|"
        r"отмени(?:те)?|пропусти(?:те)?|обойди(?:те)?|не\s+соблюдай(?:те)?|(?:про)?ігноруй(?:те)?|"
        r"знехтуй(?:те)?|не\s+дотримуй\w*|не\s+виконуй(?:те)?|"
        r"игнорирай(?:те)?|игнориши(?:те)?|занемари(?:те)?|заборави(?:те)?|пренебрегни|забрави(?:те)?|"
        r"αγνοησ(?:ε|τε)|αγνοειστε|ξεχασ(?:ε|τε)|"
        r"παραβλεψ(?:ε|τε)|μην\s+ακολουθ\w*",
        r"инструкц\w*|указани\w*|правил\w*|команд\w*|директив\w*|приказ\w*|промпт\w*|распоряжен\w*|"
        r"контекст\w*|всё|все,?\s+что|інструкці\w*|вказівк\w*|наказ\w*|настанов\w*|упутств\w*|наредб\w*|"
        r"ограничен\w*|обмежен\w*|"
        r"οδηγι\w*|εντολ\w*|κανον\w*|προτροπ\w*|υποδειξ\w*|παντα|οσα",
        r"предыдущ\w*|прежн\w*|ранее|все\b|всех|всё|выше\w*|тво\w*|ваш\w*|прошл\w*|систем\w*|до\s+этого|"
        r"попередн\w*|усі\b|всі\b|раніш\w*|вище|претходн\w*|предишн\w*|горн\w*|сказан\w*|"
        r"προηγουμεν\w*|ολες|ολα|ολους|παραπανω|σου\b|σας\b|πιο\s+πανω|συστηματος|ειπ\w*",
    ),
    "east": (
        r"忽略|忽视|忽視|无视|無視|忘记|忘記|忘掉|不要遵守|不要遵循|不要理会|不理会|不要理會|别管|別管|抛弃|绕过|繞過|丢弃|不必遵守|作废|無効|無視し|忘れ|従わな|破棄|取り消|"
        r"무시|잊어|따르지|잊으|무효|버리고|폐기",
        r"指令|指示|规则|規則|提示词|提示詞|提示|命令|要求|约束|内容|內容|上下文|プロンプト|ルール|制約|ガイドライン|명령|지시|지침|규칙|프롬프트|안내|설정|"
        r"제한|대화|内容|一切|内容|話|対話",
        r"之前|先前|以前|以上|所有|全部|前面|上面|上述|你的|您的|此前|一切|任何|原有|既有|系统|系統|前の|上記|これまで|すべて|全て|以前の|あなたの|先の|今まで|先ほど|システム|이전|"
        r"모든|위의|위에|앞선|앞의|기존|당신의|"
        r"지금까지|시스템|전부|너의",
    ),
    "middle": (
        r"تجاهل\w*|انس[َى]?\b|انسى|انسَ|لا\s+تتبع|لا\s+تلتزم|اهمل|أهمل|تغاض\w*|تخط\w*|نادیده\s*\w*|فراموش\w*|"
        r"بی\s*‌?\s*توجه\w*|نظر\s*انداز\w*|بھول\w*|התעלמ\w*|התעלם|שכח\w*|תשכח\w*|אל\s+תציית\w*|הפר\b",
        r"تعليمات|التعليمات|أوامر|الأوامر|توجيهات\w*|إرشادات|الإرشادات|قواعد|القواعد|تعليماتك|الموجه|دستور\w*|"
        r"دستورالعمل\w*|قوانین|فرمان\w*|راهنما\w*|ہدایات|احکامات|הוראות|ההוראות|הנחיות|ההנחיות|הכללים|כללים|"
        r"פקודות|הפקודות|ما\s+قيل|كل\s+ما|הכל|الاوامر|الارشادات|القيود|הפרומפט",
        r"السابق\w*|سابق\w*|جميع|كل\b|أعلاه|اعلاه|الخاصة|قبل\w*|پیشین|قبلی|تمام|همه\w*|بالا|خود\b|پچھل\w*|"
        r"سابقہ|تمام|קודמות|הקודמות|כל\b|לעיל|שלך|שקיבלת|הקודמים|מעל|المذكورة|النظام|שלמעלה|قيل",
    ),
    "south": (
        r"अनदेख\w*|नजरअंदाज|नज़रअंदाज़|नज़रअंदाज|भूल\w*|उपेक्षा|पालन\s+(?:न|मत)|अवहेलना|উপেক্ষা|ভুলে|অগ্রাহ্য|"
        r"புறக்கணி\w*|மறந்து\w*|విస్మరించ\w*|మర్చిపో\w*|ละเว้น|เพิกเฉย|ลืม|ไม่ต้องสนใจ|ไม่ต้องทำตาม|อย่าทำตาม|"
        r"ข้าม|दुर्लक्ष",
        r"निर्देश\w*|आदेश\w*|नियम\w*|अनुदेश\w*|हिदायत\w*|सूचना\w*|নির্দেশ\w*|আদেশ\w*|নিয়ম\w*|வழிமுறை\w*|"
        r"அறிவுறுத்தல\w*|விதிகள\w*|கட்டளை\w*|సూచన\w*|ఆదేశ\w*|నియమ\w*|คำสั่ง|คำแนะนำ|กฎ|ข้อความ|ข้อกำหนด|"
        r"प्रॉम्प्ट",
        r"पिछल\w*|सभी|पूर्व\w*|ऊपर\w*|अपने|पहले\w*|सारे|समस्त|मागील|सर्व|পূর্ব\w*|আগের|সমস্ত|সকল|সব|উপর\w*|"
        r"முந்தைய|அனைத்து|மேலே|எல்லா|మునుపటి|అన్ని|పై|గత|ก่อนหน้า\w*|ทั้งหมด|ข้างต้น|เดิม|ด้านบน|ทุก|ของคุณ|"
        r"ระบบ",
    ),
}
_REACH_CHARS = 110
# words of these languages that are English too
_ENGLISH = frozenset(
    """
    instructions instruction directives directive prompt prompts context orders order system initial all
    commands
    """.split()
)
_LEADS = frozenset(
    """
    bitte jetzt nun und dann sofort du sie musst mussen sollst s'il te vous plait svp maintenant et puis
    alors veuillez tu dois devez merci de y ahora por favor entonces debes debe e agora entao voce deve
    adesso ora per favore poi devi en nu alsjeblieft dan moet je och snalla ska og na vaer sa snill ole
    hyva ja nyt prosze teraz i musisz prosim ted a nyni kerlek most es acum rog si trebuie tolong
    sekarang mohon harus hay xin vui long bay gio va 1 2 3 - * > note notes important wichtig achtung
    hinweis attention importante atencion atencao attenzione let op obs uwaga pozor please now hallo
    hola ola ciao bonjour pues also ne nao anda kamu nei agent ai llm assistant assistent assistente
    asistente claude
    """.split()
)
_VERB_ANYWHERE = frozenset(("east", "tr", "south", "middle", "slavic"))
_SPACED = frozenset(("east", "south"))


def find_foreign(text: str) -> list[tuple[int, int, str]]:
    """(start, end, kind) of sentences that order to drop instructions, in any of the languages."""
    found: list[tuple[int, int, str]] = []
    is_ascii = text.isascii()
    for language, (verbs, nouns, which) in _LANGUAGES.items():
        if is_ascii and language in ("slavic", "east", "middle", "south"):
            continue
        edge = "" if language in _SPACED else r"(?<!\w)"
        close = "" if language in _SPACED else r"(?!\w)"
        verb = re.compile(f"{edge}(?:{verbs}){close}")
        for match in verb.finditer(text):
            start, end = _sentence_around(text, match.start())
            near = text[max(start, match.start() - _REACH_CHARS) : min(end, match.end() + _REACH_CHARS)]
            hits = [re.search(f"{edge}(?:{stems}){close}", near) for stems in (nouns, which)]
            words = {hit[0] for hit in hits if hit}
            is_there = all(hits) and not words <= _ENGLISH
            if is_there and _is_order(text, start, match.start(), language):
                found.append((start, end, "override"))
    return found


def _sentence_around(text: str, at: int) -> tuple[int, int]:
    """The sentence that `at` stands in, as far as marks and line breaks tell, at most 400 characters each way."""
    first = max(0, at - 400)
    start = max((text.rfind(mark, first, at) + 1 for mark in ".!?\n。！？।؟:："), default=0)
    start = max(start, first)
    while start < at and text[start].isspace():
        start += 1
    ends = [text.find(mark, at, at + 400) for mark in ".!?\n。！？।؟"]
    end = min((e + (text[e] != "\n") for e in ends if e >= 0), default=min(len(text), at + 400))
    return start, end


def _is_order(text: str, start: int, at: int, language: str) -> bool:
    """Whether nothing but a word or two that lead to an order stands before the verb; in some languages it is last."""
    if language in _VERB_ANYWHERE:
        return True
    words = [word.strip(",;'\"*_`>-()\u2022") for word in text[start:at].split()]
    return all(not word or word in _LEADS for word in words)
