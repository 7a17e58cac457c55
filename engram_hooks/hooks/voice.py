"""One context that a hook speaks to: what it was told already, and how strictly a subject may speak."""

from __future__ import annotations

from engram_hooks.errors import StoreError
from engram_hooks.store import settings, told
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from engram_hooks.hooks.call import Call
    from engram_hooks.store.sessions import Session


class Voice:
    """Speaks to the context of a call; `mode` is what the setting `knob` says: off, advise, confirm or ask."""

    __slots__ = ("_context", "call", "is_headless", "mode")

    def __init__(self, call: Call, session: Session, knob: str) -> None:
        self.call = call
        self._context: told.Context = (session[0], call.event["agent"], session[4])
        self.is_headless = call.environ.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk")
        mode = str(settings.read(call.db, session[1], call.environ)[knob])
        # nobody is there to be asked, and the client would refuse for good
        self.mode = "confirm" if mode == "ask" and self.is_headless else mode

    def has_told(self, surface: str, subject: str) -> bool:
        """Whether the context was told of a subject on a surface."""
        return subject in told.told_subjects(self.call.db, self._context, surface, subject)

    def note(self, surface: str, subjects: Iterable[str], *, chars: int = 0) -> None:
        """Keep in mind that the context was told of subjects."""
        with Transaction(self.call.db):
            rows = [(subject, chars) for subject in subjects]
            told.add_told(self.call.db, self._context, surface, rows, now_ms=self.call.now_ms)

    def hold_up(self, key: str, *, subject: str = "") -> bool:
        """Note that the context is held up, and told of a subject; False where it was, or that cannot be kept."""
        try:
            with Transaction(self.call.db):
                if subject:
                    rows = [(subject, 0)]
                    told.add_told(self.call.db, self._context, told.ADVICE, rows, now_ms=self.call.now_ms)
                return told.hold_up(self.call.db, self._context, key, now_ms=self.call.now_ms)
        except StoreError:
            return False
