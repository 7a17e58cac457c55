"""JSON for the hook path: the C scanner and encoder without the `json` package.

`import json` brings `re` and more than doubles the start of a hook. The private C module is
used where it has the expected shape; anything else falls back to the public package.
"""

from __future__ import annotations


def _load_c() -> tuple[object, object] | None:
    try:
        from _json import encode_basestring_ascii, make_scanner
    except ImportError:
        return None
    return make_scanner, encode_basestring_ascii


class _Scan:
    """What the C scanner wants to know from its decoder."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod({"NaN": None, "Infinity": None, "-Infinity": None}.__getitem__)
    memo: dict[str, str] = {}  # noqa: RUF012 (the C scanner wants the attribute)


_C = _load_c()
_scan = _C[0](_Scan()) if _C else None  # type: ignore[operator]
_quote = _C[1] if _C else None
_SPACE = " \t\n\r"


def loads(text: str | bytes) -> object:
    """Parse one JSON document; bytes are UTF-8 with bad bytes replaced.

    Text after the document raises, so does anything that is not JSON: `ValueError`.
    """
    value, end = parse_prefix(text)
    rest = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    if rest[end:].strip(_SPACE):
        raise ValueError(f"text after the JSON document at character {end}")
    return value


def parse_prefix(text: str | bytes) -> tuple[object, int]:
    """Parse the JSON document at the start of `text`: (value, index of the character behind it).

    Raises `ValueError` where there is no complete document.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    start = len(text) - len(text.lstrip(_SPACE + "\ufeff"))
    if _scan is None:
        return _parse_public(text, start)
    try:
        value, end = _scan(text, start)
    except StopIteration:
        raise ValueError("no JSON document") from None
    except SystemError:  # the C scanner has no error class while `json` is not imported
        raise ValueError("broken JSON document") from None
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None
    return value, end


def _parse_public(text: str, start: int) -> tuple[object, int]:
    import json

    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None


def dumps(value: object) -> str:
    """One line of ASCII JSON for None, bool, int, float, str, list, tuple and dict with text keys.

    Lone surrogates become U+FFFD, since no reader accepts them. Raises `TypeError` for other types.
    """
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return _dump_text(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value) if value - value == 0 else "null"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_dump_text(key)}: {dumps(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(dumps, value)) + "]"
    raise TypeError(f"{type(value).__name__} is not JSON")


def _dump_text(text: str) -> str:
    text = mend(text)
    if _quote is not None:
        return _quote(text)  # type: ignore[operator,no-any-return]
    import json

    return json.dumps(text)


def mend(text: str) -> str:
    """The text with lone surrogates replaced by U+FFFD; the same object when there is none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
