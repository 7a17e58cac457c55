"""Text as the words that WordPiece cuts up: lower case, no marks, no punctuation, names split at capitals."""

from __future__ import annotations

_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum()}
# the same beside other scripts, where control characters vanish
_BLANKS_ABROAD = _BLANKS | dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127))
_IDEOGRAPHS = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0xF900, 0xFAFF))


def split_words(text: str) -> list[str]:
    """The words of a text in order: `retryCount` is retry, count; an ideograph is a word of its own."""
    if not text.isascii():
        return _split_foreign(text)
    words: list[str] = []
    for word in text.translate(_BLANKS).split():
        if word.islower() or word[1:].islower() or not word[1:] or (word.isupper() and word.isalpha()):
            words.append(word.lower())
        elif word.isdigit():
            words.append(word)
        else:
            words += [part.lower() for part in split_camel(word)]
    return words


def split_camel(word: str) -> list[str]:
    """An ASCII word cut before its inner capitals: fooBarHTTPServer is foo, Bar, HTTP, Server."""
    parts: list[str] = []
    start = 0
    for at in range(1, len(word)):
        if "A" <= word[at] <= "Z":
            before, after = word[at - 1], word[at + 1 : at + 2]
            if not "A" <= before <= "Z" or "a" <= after <= "z":
                parts.append(word[start:at])
                start = at
    parts.append(word[start:])
    return parts


def _split_foreign(text: str) -> list[str]:
    """The same for text beyond ASCII, as the normaliser of the vocabulary treats it."""
    from unicodedata import category, normalize

    chars: list[str] = []
    for char in text.translate(_BLANKS_ABROAD):
        if char < "\x80":
            chars.append(char)
            continue
        kind = category(char)
        if char == "\ufffd" or kind in ("Cc", "Cf", "Cn", "Co"):
            continue
        if any(first <= ord(char) <= last for first, last in _IDEOGRAPHS):
            chars.append(f" {char} ")
        else:
            chars.append(char if char.isalnum() or kind[0] == "M" else " ")
    parts: list[str] = []
    for word in "".join(chars).split():
        parts += split_camel(word) if word.isascii() else [word]
    plain = [char for char in normalize("NFD", " ".join(parts)) if category(char) != "Mn"]
    return "".join(plain).lower().split()
