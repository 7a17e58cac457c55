"""What a repository says about who it is: root commits, whether it is shallow, where it came from."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from urllib.parse import unquote

from engram_hooks.history import git
from engram_hooks.history.late import LatePattern

MAX_ROOTS = 32
TIMEOUT_S = 120.0
_DEFAULT_PORTS = {"ssh": "22", "https": "443", "http": "80", "git": "9418"}
_URL = LatePattern(r"(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]*)://(?P<rest>.*)", re.DOTALL)
_SCP = LatePattern(r"(?:[^/@:]+@)?(?P<host>\[[^\]]+\]|[^/:]{2,}):(?P<path>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Facts:
    """One repository: its root commits (smallest hash first, none while it is empty or shallow) and its origin."""

    roots: tuple[str, ...]
    is_shallow: bool
    origin: str
    origin_hash: str


def read_facts(root: str) -> Facts:
    """Ask git about the repository at `root` (a checkout or a git folder). Raises `GitError`."""
    is_shallow = git.run(["rev-parse", "--is-shallow-repository"], root).strip() == b"true"
    origin = read_origin(root)
    return Facts(
        roots=() if is_shallow else read_roots(root),
        is_shallow=is_shallow,
        origin=origin,
        origin_hash=hash_origin(origin) if origin else "",
    )


def read_roots(root: str) -> tuple[str, ...]:
    """The commits without a parent behind branches, tags and HEAD, smallest hash first. Raises `GitError`.

    Notes and stashes have roots of their own that say nothing about the project.
    """
    listing = ["rev-list", "--max-parents=0", "--branches", "--remotes", "--tags"]
    found = set(git.run(listing, root, timeout_s=TIMEOUT_S).split())
    if not found:
        try:
            found = set(git.run(["rev-list", "--max-parents=0", "HEAD"], root, timeout_s=TIMEOUT_S).split())
        except git.GitMissing:
            raise
        except git.GitError:
            return ()  # no commit yet
    return tuple(sorted(commit.decode("ascii") for commit in found))[:MAX_ROOTS]


def read_origin(root: str) -> str:
    """The normalised URL of the remote `origin`, '' where there is none."""
    try:
        url = git.run(["remote", "get-url", "origin"], root)
    except git.GitMissing:
        raise
    except git.GitError:
        return ""  # git's way to say that there is no such remote
    text = url.decode("utf-8", "surrogateescape").rstrip("\r\n")
    return normalise_origin(text, folder=root) if text.strip() else ""


def normalise_origin(url: str, *, folder: str = "") -> str:
    """One spelling for all ways to write where a repository came from: `host/path`, or an absolute path.

    Scheme, user, password, default port, query, `.git` and slashes at the ends are dropped, the host is in
    lower case; the case of the path counts. A relative path starts at `folder`.
    """
    url = url.strip()
    if found := _URL.fullmatch(url):
        scheme, rest = found["scheme"].lower().removeprefix("git+"), found["rest"]
        if scheme == "file":
            return _normalise_path(unquote(rest[rest.find("/") :] if "/" in rest else rest), folder)
        place, _, path = rest.split("?", 1)[0].split("#", 1)[0].partition("/")
        host, port = _split_port(place.rpartition("@")[2])
        port = "" if port == _DEFAULT_PORTS.get(scheme, "") else port
        return f"{host}{':' + port if port else ''}/{_trim(unquote(path))}"
    if (found := _SCP.fullmatch(url)) and not os.path.exists(url):
        return f"{found['host'].strip('[]').lower()}/{_trim(found['path'])}"
    return _normalise_path(url, folder)


def hash_origin(origin: str) -> str:
    """What is kept of a normalised origin: a digest of 128 bits in hexadecimal digits."""
    return hashlib.sha256(origin.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _split_port(place: str) -> tuple[str, str]:
    host, _, port = place.rpartition(":")
    if not host or not (port.isdigit() or not port) or place.endswith("]"):
        host, port = place, ""
    return host.strip("[]").rstrip(".").lower(), port


def _normalise_path(path: str, folder: str) -> str:
    return "path:" + _trim(os.path.realpath(os.path.join(folder, os.path.expanduser(path))), keep_front=True)


def _trim(path: str, *, keep_front: bool = False) -> str:
    path = path.rstrip("/").removesuffix(".git").rstrip("/")
    if keep_front:
        return path
    while "//" in path:
        path = path.replace("//", "/")
    return path.lstrip("/")
