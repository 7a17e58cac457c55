"""The stem that the forms of an English word share, so that `painted` finds `painting` and `went` finds `going`.

The steps are those of M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980; words that
change inside (`bought`, `children`) are listed.
"""

from __future__ import annotations

MIN_WORD_CHARS = 3
MAX_ENDING_CHARS = 8

# base form: forms that do not begin like it
_IRREGULAR_TEXT = """
    become became; begin began begun; bend bent; bite bit bitten; bleed bled; break broke broken; breed bred;
    bring brought; build built; burn burnt; buy bought; catch caught; child children; choose chose chosen; come came;
    creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate
    eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; fly flew flown; foot feet; forget forgot
    forgotten; freeze froze frozen; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid
    hidden; hold held; keep kept; know knew known; lead led; leap leapt; learn learnt; leave left; lend lent;
    life lives; light lit; lose lost; man men; mean meant; meet met; pay paid; person people; prove proven; ride rode
    ridden; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; shake shook shaken;
    shoot shot; show shown; sing sang sung; sit sat; sleep slept; speak spoke spoken; spell spelt; spend spent; stand
    stood; steal stole stolen; stick stuck; strike struck; sweep swept; swim swam swum; take took taken; teach taught;
    tear tore torn; tell told; think thought; throw threw thrown; understand understood; wake woke woken; wear wore
    worn; weep wept; wife wives; win won; woman women; write wrote written
"""
_FAMILIES = tuple(tuple(family.split()) for family in _IRREGULAR_TEXT.split(";"))
_BASES = {form: family[0] for family in _FAMILIES for form in family[1:]}

# (ending, what takes its place) where the rest has a measure over 0
_STEP_2 = (
    *(
        ("ational", "ate"),
        ("tional", "tion"),
        ("enci", "ence"),
        ("anci", "ance"),
        ("izer", "ize"),
        ("bli", "ble"),
    ),
    *(("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate")),
    *(("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")),
    *(("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("logi", "log")),
)
_STEP_3 = (
    *(("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", "")),
    ("ness", ""),
)
# endings that go where the rest has a measure over 1, longest first
_STEP_4 = (
    *(
        "ement",
        "ance",
        "ence",
        "able",
        "ible",
        "ment",
        "ant",
        "ent",
        "ism",
        "ate",
        "iti",
        "ous",
        "ive",
        "ize",
    ),
    *("al", "er", "ic", "ou"),
)


def stem(word: str) -> str:
    """The stem of a lower-case word; names, numbers, short words and other scripts stay as they are."""
    word = _BASES.get(word, word)
    if len(word) < MIN_WORD_CHARS or not (word.isascii() and word.isalpha()):
        return word
    word = _drop_ed_ing(_drop_plural(word))
    if word[-1] == "y" and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(_replace(word, _STEP_2), _STEP_3)
    return _drop_last_e(_drop_long_ending(word))


def irregular_forms(root: str) -> tuple[str, ...]:
    """The listed forms of the word with the stem `root` that do not begin like it."""
    return _FORMS.get(root, ())


def common_start(root: str) -> str:
    """What all regular forms of a stem begin with: `happi` stands for happy and happier."""
    return root[:-1] if root[-1:] in ("i", "e") else root


def _drop_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word[-1] == "s" and word[-2] != "s" else word


def _drop_ed_ing(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    ending = 2 if word.endswith("ed") else 3 if word.endswith("ing") else 0
    if not ending or not _has_vowel(word[:-ending]):
        return word
    rest = word[:-ending]
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 1 and rest[-1] == rest[-2] and rest[-1] not in "aeioulsz":
        return rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _is_short(rest) else rest


def _replace(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    for ending, other in endings:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest + other if _measure(rest) > 0 else word
    return word


def _drop_long_ending(word: str) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest if _measure(rest) > 1 else word
    if word.endswith(("sion", "tion")) and _measure(word[:-3]) > 1:
        return word[:-3]
    return word


def _drop_last_e(word: str) -> str:
    if word[-1] == "e":
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _is_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def _shape(word: str) -> str:
    """`v` for each vowel, `c` for each consonant; y is a vowel behind a consonant."""
    out = ""
    for char in word:
        is_vowel = char in "aeiou" or (char == "y" and out[-1:] == "c")
        out += "v" if is_vowel else "c"
    return out


def _measure(word: str) -> int:
    """How often a consonant follows a vowel."""
    return _shape(word).count("vc")


def _has_vowel(word: str) -> bool:
    return "v" in _shape(word)


def _is_short(word: str) -> bool:
    """Consonant, vowel, consonant at the end, the last not w, x or y."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


_FORMS = {stem(family[0]): family[1:] for family in _FAMILIES}
