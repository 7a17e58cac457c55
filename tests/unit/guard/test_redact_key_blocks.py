"""The body of a private key goes, however its lines are broken; what stands around it stays."""

from __future__ import annotations

import pytest

from engram_hooks.guard.redact import MARKER, redact
from tests.unit.guard.secret_parts import MIXED, join, key_block

KINDS = [
    "RSA PRI" + "VATE KEY",
    "PRI" + "VATE KEY",
    "EC PRI" + "VATE KEY",
    "OPENSSH PRI" + "VATE KEY",
    "PGP PRI" + "VATE KEY BLOCK",
]
NEWLINES = {
    "newline": "\n",
    "crlf": "\r\n",
    "escaped": "\\n",
    "twice": "\\\\n",
    "blank": " ",
    "indent": "\n    ",
    "quote": "\n> ",
    "percent": "%0A",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("newline", NEWLINES)
@pytest.mark.parametrize("ends", [True, False])
def test_body_is_redacted(kind: str, newline: str, ends: bool) -> None:
    out = redact("zephyr " + key_block(kind, newline=NEWLINES[newline], ends=ends) + "\nrotate it, mango")
    assert MIXED[:12] not in out
    assert out.startswith("zephyr -----BEGIN ")
    assert out.endswith("\nrotate it, mango")
    assert out.count(MARKER) == 1


def test_decoy_end_does_not_save_the_rest() -> None:
    block = key_block(KINDS[0])
    decoy = block.replace(MIXED[:64], "junk" + join("-----E", "ND ", KINDS[0], "-----"), 2).replace(
        "junk", MIXED[:64] + "\njunk", 1
    )
    out = redact(decoy + "\nafter")
    assert MIXED[:12] not in out
    assert out.endswith("\nafter")


def test_encrypted_key_with_headers_is_redacted() -> None:
    head, _, body = key_block(KINDS[0]).partition("\n")
    out = redact(f"{head}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n{body}\nafter")
    assert MIXED[:12] not in out
    assert "DEK-Info" in out
    assert out.endswith("\nafter")


def test_short_last_line_is_redacted() -> None:
    block = key_block(KINDS[0], ends=False) + "\nq7Zr2notreal0w=="
    assert "q7Zr2" not in redact(block)


def test_certificate_behind_a_key_stays() -> None:
    certificate = "-----BEGIN CERTIFICATE-----\n" + MIXED[:64] + "\n-----END CERTIFICATE-----"
    out = redact(key_block(KINDS[1]) + "\n" + certificate)
    assert out.endswith(certificate)
    assert out.count(MARKER) == 1
