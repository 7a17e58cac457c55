"""engram: the memory of a coding agent, kept on the user's own machine."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.memory import Engram as Engram

__version__ = "0.1.0"
__all__ = ["Engram", "__version__"]


def __getattr__(name: str) -> object:
    """Load the facade on first use, so that hooks pay nothing for it."""
    if name == "Engram":
        from engram_hooks.memory import Engram

        return Engram
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
