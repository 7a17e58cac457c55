"""Whether a file system can hold a write-ahead log: looked up before the journal mode is set.

A write-ahead log shares memory between processes. Network and bind file systems do not keep that
promise and damage the store without any error, so falling back on errors would come too late.
"""

from __future__ import annotations

import os

TABLE = "/proc/self/mountinfo"
_SHARED_TYPES = frozenset(
    (
        *("9p", "drvfs", "virtiofs", "fuse", "nfs", "nfs3", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs"),
        *("vboxsf", "prl_fs", "vmhgfs", "osxfs", "grpcfuse", "fakeowner", "afs", "ceph", "lustre", "gpfs"),
        *("glusterfs", "ncpfs", "beegfs"),
    )
)


def find_shared_type(path: str) -> str:
    """The type of the network or bind file system that holds `path`; '' for a local or unknown one."""
    if path.startswith(("\\\\", "//")):
        return "network share"
    try:
        with open(TABLE, "rb") as file:
            table = file.read().decode("utf-8", "surrogateescape")
    except OSError:
        return ""
    kind = find_type(os.path.realpath(path), table)
    return kind if is_shared(kind) else ""


def find_type(path: str, table: str) -> str:
    """The file-system type of an absolute path after a Linux mount table; '' where no line fits.

    The longest mount point wins, among equal ones the last, which lies on top of the others.
    """
    best, best_chars = "", -1
    for line in table.splitlines():
        mount, _, source = line.partition(" - ")
        fields, kind = mount.split(), source.split(maxsplit=1)
        if len(fields) < 5 or not kind:
            continue
        point = _decode(fields[4])
        if len(point) >= best_chars and _lies_below(path, point):
            best, best_chars = kind[0], len(point)
    return best


def is_shared(kind: str) -> bool:
    """Whether file systems of this type are reached over a network or from another system's kernel."""
    return kind in _SHARED_TYPES or kind.startswith("fuse.")


def _lies_below(path: str, point: str) -> bool:
    return path == point or path.startswith(point.rstrip("/") + "/")


def _decode(field: str) -> str:
    r"""A mount point with its octal escapes (`\040` is a space) resolved."""
    head, *rest = field.split("\\")
    out = head.encode("utf-8", "surrogateescape")
    for part in rest:
        code = part[:3]
        if len(code) == 3 and all(digit in "01234567" for digit in code) and code < "400":
            out += bytes([int(code, 8)]) + part[3:].encode("utf-8", "surrogateescape")
        else:
            out += b"\\" + part.encode("utf-8", "surrogateescape")
    return out.decode("utf-8", "surrogateescape")
