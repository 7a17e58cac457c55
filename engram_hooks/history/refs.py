"""A repository's branches and where they stand, and which of them is its mainline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engram_hooks.history import git

# where nobody has said what the mainline is: the first of these that there is
USUAL = "main", "master", "trunk"
# lines that work of many branches goes into: what is made there belongs to no branch of its own
SHARED = frozenset((*USUAL, "develop", "development"))
_FORMAT = "--format=%(refname)%00%(objectname)%00%(symref)"
_HEADS, _REMOTES = "refs/heads/", "refs/remotes/"
_NEAR = "origin", "upstream"  # the remote that speaks for a project is one of these, where there are several


@dataclass(frozen=True, slots=True)
class Refs:
    """Branches by name and the commits they stand at: `heads` here, `remotes` as `origin/name`.

    `default` is what the remote calls its main branch ('' unknown), `current` what HEAD names ('' detached).
    """

    heads: Mapping[str, str]
    remotes: Mapping[str, str]
    default: str
    current: str

    def tips_of(self, name: str) -> list[str]:
        """The commits at which a branch stands, here and at the remotes, each once; none where there is no such."""
        own = [self.heads[name]] if name in self.heads else []
        far = [self.remotes[f"{remote}/{name}"] for remote in _NEAR if f"{remote}/{name}" in self.remotes]
        if not own and not far:
            far = [tip for branch, tip in self.remotes.items() if branch.partition("/")[2] == name]
        return list(dict.fromkeys((*own, *far)))


def read_refs(root: str, *, environ: Mapping[str, str] | None = None) -> Refs:
    """The branches of the repository at `root` (a checkout or a git folder). Raises `GitError`."""
    listing = git.run(["for-each-ref", _FORMAT, _HEADS, _REMOTES], root, environ=environ)
    heads: dict[str, str] = {}
    remotes: dict[str, str] = {}
    defaults: dict[str, str] = {}
    for line in listing.decode("utf-8", "surrogateescape").split("\n"):
        name, _, rest = line.partition("\0")
        commit, _, target = rest.partition("\0")
        if name.startswith(_HEADS):
            heads[name.removeprefix(_HEADS)] = commit
        elif name.startswith(_REMOTES):
            far = name.removeprefix(_REMOTES)
            remote = far.removesuffix("/HEAD")
            if target.startswith(f"{_REMOTES}{remote}/"):
                defaults[remote] = target.removeprefix(f"{_REMOTES}{remote}/")
            elif far != f"{remote}/HEAD":
                remotes[far] = commit
    return Refs(heads, remotes, _choose_default(defaults), _read_current(root, environ))


def name_mainline(refs: Refs, *, wanted: str = "", known: str = "") -> str:
    """The branch that the work of all others goes into, '' in a repository without a commit.

    What a person says (`wanted`), what the remote says, a usual name, what was taken for it before (`known`), the
    only one, the current one: the first of these that there is.
    """
    only = next(iter(refs.heads)) if len(refs.heads) == 1 else ""
    for name in (wanted, refs.default, *USUAL, known, only, refs.current):
        if name and refs.tips_of(name):
            return name
    return ""


def find_newest(root: str, tips: Sequence[str], *, environ: Mapping[str, str] | None = None) -> list[str]:
    """Of some commits those that no other of them contains. Raises `GitError`."""
    if len(tips) < 2:
        return list(tips)
    found = git.run(["merge-base", "--independent", *tips], root, environ=environ)
    return found.decode("ascii").split()


def _choose_default(defaults: Mapping[str, str]) -> str:
    names = [remote for remote in _NEAR if remote in defaults] or sorted(defaults)
    return defaults[names[0]] if names else ""


def _read_current(root: str, environ: Mapping[str, str] | None) -> str:
    """The branch that HEAD names; '' where it is detached."""
    try:
        name = git.run(["symbolic-ref", "--quiet", "--short", "HEAD"], root, environ=environ)
    except git.GitMissing:
        raise
    except git.GitError:
        return ""
    return name.decode("utf-8", "surrogateescape").strip()
