"""Which prompts need no memory at all, and what the others ask for."""

from __future__ import annotations

MAX_TERMS = 40
MAX_IDENTIFIERS = 12
MAX_PROMPT_CHARS = 6_000
_MAX_SHORT_WORDS = 10
_MAX_PLAIN_LINES = 4
_MAX_PLAIN_CHARS = 500
_PAUSES = str.maketrans(dict.fromkeys("。，！？、；", " "))
_EDGES = " \t\r\n.,;:!?…-–—*_\"'`()[]{}<>«»“”„¡¿。，！？、~"

# A prompt made of these words alone steers the session and asks for nothing.
_STEERING_TEXT = """
    a again ahead all also and another any approve approved awesome back better bit can carry changes
    check cheers commit continue cool could correct do does done else everything exactly example
    faster fine finish first fix for from go going good got great hello hey hi how i id im in is it its
    just keep last later let lets lgtm like longer look looks make maybe me mean more move much my never
    next nice no nope not nothing now of off ok okay on one only option other part perfect please
    proceed push redo rename repeat resume revert right run same second see shorter should show simpler
    skip slower so some something sorry sounds start step stop sure test tests thank thanks that that's
    the then there these thing things third this those thx to too try two typo undo up us wait was we
    well what whats what's why with wow wrong y yeah yep yes you your did change changed diff
    summary summarise summarize red 1 2 3 4 5 weiter mach ja nein danke bitte gut super genau passt los
    nochmal stopp und das die den alles klar oui non merci continuer vas-y vas d'accord bien parfait
    encore les lance relance svp si sí gracias sigue continúa continua adelante vale perfecto dale de
    nuevo otra vez las ejecuta pruebas sim não nao obrigado obrigada segue prossiga isso certo testes
    rode os va bene grazie procedi avanti perfetto да нет спасибо продолжай продолжи дальше хорошо ок
    давай ещё еще раз запусти тесты tak nie dzięki dziękuję dalej kontynuuj takk tack fortsätt fortsett
    fortsæt bedankt ga door
"""
_STEERING = frozenset(_STEERING_TEXT.split())
# Whole clauses of scripts that are written without spaces, and of Korean.
_PHRASES_TEXT = """
    继续 继续吧 繼續 好 好的 是 是的 对 可以 行 谢谢 謝謝 不 不是 停 停止 再试一次 重试 运行测试 跑测试 提交
    はい いいえ 続けて 続けてください お願いします ありがとう ありがとうございます もう一度
    네 예 아니요 계속 계속해 계속해줘 계속하세요 고마워 감사합니다 좋아 좋아요 다시
    ต่อ ต่อไป ใช่ ไม่ ขอบคุณ
"""
_PHRASES = frozenset(_PHRASES_TEXT.split())
# Words of any prompt about code: they say what to do, not what it is about.
_GENERIC_TEXT = """
    above add added adding adds anyone around back below better big broken bug bugs build builds call
    called can cannot change changed changes check class clean code comes command convert count create
    created current currently delete difference different does draft error errors example explain fail
    failed failing fails feature file files find first fix fixed folder found function functions
    generate give gives goes good great handle help helper idea implement improve instead issue it's job
    keep keeps kind know last let's line lines list long lot main many method much name named names
    never new next old open part pass passes people per piece place plain please point problem project
    put question read really refactor remove removed rename replace return right run running runs same
    say says script second seem set short show shown shows simple small something split start still stop
    summary take talk tell test tests text thank thanks thing think time today try trying turn type
    types update updated value version want way weird well without work working works write writing
    wrong wrote
"""
_GENERIC = frozenset(_GENERIC_TEXT.split())
_COMMON_NAMES_TEXT = """
    github gitlab javascript typescript postgresql mysql graphql macos openai e.g i.e and/or n/a 24/7
    w/o readme.md todo.md node.js next.js vue.js chatgpt vscode json/yaml input/output read/write yes/no
    true/false he/she
"""
_COMMON_NAMES = frozenset(_COMMON_NAMES_TEXT.split())
INTENTS = "status", "symptom", "cause", "change", "question", "general"
_FILLERS = frozenset("please now ok okay so and then also hey hi well just actually quick maybe".split())
_ORDERS_TEXT = """
    add adjust allow apply ask average build bring bump call change check clean compute configure connect convert copy
    create define delete deploy disable document draft drop emit enable enforce expose extend extract fetch fill filter
    format generate get give handle hide implement import improve increase insert install introduce keep let let's
    limit link list load log make merge migrate mock move open optimise optimize parse patch pass pick plot print
    process promote publish pull push put query raise read rebuild record reduce refactor register release remove
    rename render replace report reset resolve restart restore retry return revert rewrite roll rollback run save scale
    schedule seed send serve set setup share show sign ship sort split start stop store stream subscribe support swap
    switch sync tag test toggle track translate tweak turn undo update upgrade upload use validate verify wire wrap
    write
"""
_ORDERS = frozenset(_ORDERS_TEXT.split())
_QUESTIONS_TEXT = """
    what what's which how where when who is are was were do does did can could should would will may must have has
"""
_QUESTIONS = frozenset(_QUESTIONS_TEXT.split())
_CAUSES = frozenset("why reason rationale purpose because explain".split())
_STATUS = frozenset("left progress status unfinished remaining next wip pending blocked todo".split())
_TROUBLE_TEXT = """
    fail fails failed failing failure error errors crash crashes crashed broken breaks broke wrong missing hang hangs
    hung killed refuses refused dies died slow flaky stuck empty blank never lost leaks frozen freezes duplicated
    timeout twice can't cannot doesn't isn't won't nothing 403 404 409 429 500 502 503
"""
_TROUBLE = frozenset(_TROUBLE_TEXT.split())
_COMMON_FOLDERS = frozenset("src lib app apps test tests docs pkg packages http: https:".split())
_LOG_STARTS = (
    "Traceback ",
    'File "',
    "at ",
    "Caused by",
    "caused by",
    "diff --git",
    "index ",
    "@@",
    "+++",
    "---",
    "$ ",
    "> ",
    "❯",
    "E  ",
    "#!",
    "FAILED",
    "ERROR",
    "WARN",
    "INFO",
    "DEBUG",
    "FATAL",
    "error[",
    "error:",
    "warning:",
    "panic:",
    "goroutine ",
    "npm ERR",
    "npm WARN",
    "=====",
    "|",
    "{",
    "}",
    "[",
    "<",
    "//",
    "/*",
    "*/",
    "#include",
)


def is_trivial(prompt: str) -> bool:
    """Whether a prompt needs nothing from memory: steering words, commands, pastes without a question.

    Pure and cheap (microseconds for a short prompt): it is asked before a database is opened.
    """
    text = prompt.strip()
    if not text or text[0] == "!":
        return True
    if text[0] == "/" and _is_command(text.split(None, 1)[0]):
        return True
    if _is_steering(text):
        return True
    found = extract_question(text)
    return found != text and (not found or _is_steering(found))


def extract_question(prompt: str) -> str:
    """The person's own words: a prompt without fenced blocks, pasted logs, traces, code; "" where none."""
    text = prompt[:MAX_PROMPT_CHARS].strip()
    if "```" in text:
        text = "\n".join(piece.strip() for piece in text.split("```")[::2]).strip()
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) <= _MAX_PLAIN_LINES and len(text) <= _MAX_PLAIN_CHARS:
        return text
    pasted = [is_pasted(line) for line in lines]
    if sum(pasted) * 5 < len(lines) * 2:
        return text
    first = pasted.index(True)
    behind = pasted[::-1].index(True)
    return "\n".join(lines[:first] + lines[len(lines) - behind :]).strip()


def is_pasted(line: str) -> bool:
    """Whether a line looks copied from a log, a stack trace, a diff or a file, not typed."""
    bare = line.strip()
    if (
        bare.startswith(_LOG_STARTS)
        or (line[:4] == "    " and bare[:2] not in ("- ", "* "))
        or line[:1] == "\t"
    ):
        return True
    if bare[:1] in "+-" and bare[1:2] not in ("", " "):
        return True
    if bare.endswith(("{", "}", ";", "=>", "(", "[", "],", "},")):
        return True
    head = bare.split(None, 1)[0]
    if head.endswith(("Error:", "Exception:", "Error", "Exception")) or (len(head) > 60 and head.isascii()):
        return True
    if sum(c.isdigit() for c in bare[:10]) >= 4:
        return True
    letters = sum(c.isalpha() or c in " .,'?!" for c in bare)
    return letters < len(bare) * 0.78 and not bare.endswith("?")


def plan(prompt: str) -> tuple[list[str], list[str]]:
    """(terms, identifiers) a prompt asks for, both as index terms, in order of appearance and bounded.

    Terms are without stop words and without the generic words of programming; identifiers are names,
    paths and codes, also the codes out of a paste that stands beside a question.
    """
    from engram_hooks.terms import identifiers, query_terms  # not paid for by a trivial prompt

    question = extract_question(prompt)
    names = [name for name in identifiers(question, max_terms=MAX_IDENTIFIERS * 2) if _is_telling(name)]
    if question and question != prompt.strip():
        pasted = identifiers(prompt[:MAX_PROMPT_CHARS], max_terms=MAX_TERMS * 2)
        names += [name for name in pasted if _is_code(name) and name not in names][:5]
    # Generic words go only where something else is left to ask for.
    terms = [term for term in query_terms(question, max_terms=MAX_TERMS * 2) if term not in _GENERIC]
    return terms[:MAX_TERMS], names[:MAX_IDENTIFIERS]


def find_intent(prompt: str) -> str:
    """One of `INTENTS`: a statement that orders and asks nothing is a report, which is treated as a symptom."""
    words = [bare for word in prompt.casefold().split() if (bare := word.strip(_EDGES))]
    while words and words[0] in _FILLERS:
        words.pop(0)
    if words[:2] in (["can", "you"], ["could", "you"], ["would", "you"]):
        words = words[2:]
    if not words:
        return "general"
    told = frozenset(words)
    if told & _STATUS and words[0] not in _ORDERS:
        return "status"
    if words[0] in _ORDERS or words[0] == "fix":
        return "change"
    if words[0] in _CAUSES:
        return "cause"
    if words[0] in _QUESTIONS:
        return "symptom" if told & _TROUBLE else "question"
    return "symptom"


def find_folders(names: list[str]) -> list[str]:
    """The folders that paths lie in, with a slash at the end, as a record about a whole folder writes them."""
    folders: dict[str, None] = {}
    for name in names:
        at = name.find("/")
        while 0 < at < len(name) - 1:
            if name[:at].rpartition("/")[2] not in _COMMON_FOLDERS:
                folders[name[: at + 1]] = None
            at = name.find("/", at + 1)
    return list(folders)


def _is_command(word: str) -> bool:
    """`/compact`, `/plugin:name`, but no path such as `/etc/hosts`."""
    return len(word) > 1 and "/" not in word[1:] and "." not in word


def _is_steering(text: str) -> bool:
    if len(text) > 120:
        return False
    words = [bare for word in text.casefold().translate(_PAUSES).split() if (bare := word.strip(_EDGES))]
    if not any(c.isalnum() for c in text):
        return True
    if len(words) <= _MAX_SHORT_WORDS and all(word in _STEERING or word in _PHRASES for word in words):
        return True
    return "".join(words) in _PHRASES


def _is_telling(name: str) -> bool:
    """Whether an identifier says more than a product name, a clock time or an ordinal does."""
    if name in _COMMON_NAMES or len(name) < 4:
        return False
    return sum(c.isalpha() for c in name) >= 3 or name.count(".") >= 2


def _is_code(name: str) -> bool:
    """Whether a name looks like an error code or an issue key: what is worth taking out of a paste."""
    if name.startswith(("err_", "error_", "e_")) or name.endswith(("_error", "error", "exception")):
        return len(name) > 6
    head, _, tail = name.partition("-")
    return head.isalpha() and 2 <= len(head) <= 8 and tail.isdigit()
