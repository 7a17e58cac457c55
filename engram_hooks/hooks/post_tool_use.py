"""PostToolUse: note that a tool ran; the brief of a file that was read, and advice on what a change did."""

from __future__ import annotations

from engram_hooks.store.index_files import has_indexes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call


def answer(call: Call) -> str:
    """What the history says of the lines that were read or changed, as context; most often nothing."""
    session = call.apply()
    if session is None or call.event["outcome"] != "ok" or not has_indexes(call.data):
        return ""
    from engram_hooks.hooks.code import answer_change, answer_read

    return answer_read(call, session) if call.event["tool"] == "Read" else answer_change(call, session)
