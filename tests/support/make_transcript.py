"""Writes transcripts as the client does: prompts, replies, tool calls and all the lines around them."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path

SESSION_ID = "5a1e0000-0000-4000-8000-000000000001"
STARTED_AT = 1_772_445_600_000

Line = dict[str, object]

_NOUNS = [
    "parser",
    "cache",
    "retry",
    "gateway",
    "order",
    "schema",
    "worker",
    "queue",
    "token",
    "invoice",
    "ledger",
]
_VERBS = [
    "reads",
    "writes",
    "retries",
    "rejects",
    "splits",
    "merges",
    "rounds",
    "drops",
    "escapes",
    "renames",
]
_TAILS = [
    "before the response is sent",
    "when the file is larger than the limit",
    "although the test never covers it",
    "for every row of the batch",
    "and the caller never notices",
    "as soon as two workers overlap",
]
_TOOLS = ["Read", "Grep", "Bash", "Edit", "Write"]


class Transcript:
    """One session's lines in the making; ids and moments count up, so equal calls give equal bytes."""

    def __init__(
        self, *, session_id: str = SESSION_ID, cwd: str = "/home/dev/app", branch: str = "main"
    ) -> None:
        self.lines: list[Line] = []
        self._session_id = session_id
        self._cwd = cwd
        self._branch = branch
        self._count = 0
        self._parent: str | None = None

    def prompt(self, text: object, **fields: object) -> Line:
        """A user line; `text` is the content as it stands in the file (a string, or blocks of any shape)."""
        return self._add(
            "user", {"message": {"role": "user", "content": text}, "promptSource": "typed", **fields}
        )

    def reply(self, text: str, **fields: object) -> Line:
        """An assistant line with one block of text."""
        return self.blocks([{"type": "text", "text": text}], **fields)

    def blocks(self, content: list[object], **fields: object) -> Line:
        """An assistant line with any content blocks."""
        usage = {
            "input_tokens": 100,
            "output_tokens": 20,
            "cache_read_input_tokens": 0,
            "service_tier": "standard",
        }
        message: Line = {
            "id": f"msg_{self._count}",
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-5-5",
        }
        message |= {"content": content, "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}
        return self._add("assistant", {"message": message, "requestId": f"req_{self._count}", **fields})

    def call(self, tool: str, arguments: object, **fields: object) -> Line:
        """An assistant line with one tool call."""
        block = {"type": "tool_use", "id": f"toolu_{self._count:06d}", "name": tool, "input": arguments}
        return self.blocks([block], **fields)

    def result(self, *contents: object, **fields: object) -> Line:
        """A user line with one `tool_result` block for each content."""
        blocks = [
            {
                "type": "tool_result",
                "tool_use_id": f"toolu_{self._count:06d}",
                "content": content,
                "is_error": False,
            }
            for content in contents
        ]
        structured = {"stdout": contents[0], "stderr": "", "interrupted": False, "isImage": False}
        return self._add(
            "user", {"message": {"role": "user", "content": blocks}, "toolUseResult": structured, **fields}
        )

    def attachment(self, text: str) -> Line:
        """What a hook put into the conversation."""
        hook = {"type": "hook_additional_context", "content": [text], "hookName": "SessionStart:startup"}
        return self._add("attachment", {"attachment": hook, "renderedRole": "user"})

    def compaction(self, summary: str) -> Line:
        """The boundary and the summary that the client writes behind it."""
        self._add(
            "system", {"subtype": "compact_boundary", "content": "Conversation compacted", "isMeta": False}
        )
        start = "This session is being continued from a previous conversation that ran out of context.\n"
        return self.prompt(start + summary, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    def request_dump(self, size_bytes: int) -> Line:
        """A dump of a whole request: the largest lines of a real file, with roles and texts inside."""
        messages = [{"role": "user", "content": [{"type": "text", "text": "x" * size_bytes}]}]
        line: Line = {
            "type": "api-request-blob",
            "sessionId": self._session_id,
            "value": {"messages": messages},
        }
        self.lines.append(line)
        return line

    def snapshot(self) -> Line:
        """A line of a type without conversation."""
        line: Line = {
            "type": "file-history-snapshot",
            "messageId": self._name(),
            "snapshot": {"trackedFileBackups": {}},
        }
        self.lines.append(line)
        return line

    def data(self) -> bytes:
        """The file's bytes: compact JSON, one object a line."""
        texts = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in self.lines]
        return "".join(f"{text}\n" for text in texts).encode("utf-8", "surrogatepass")

    def write(self, path: Path) -> str:
        """Write the file, return its path as text."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data())
        return str(path)

    def _name(self) -> str:
        self._count += 1
        return f"00000000-0000-4000-8000-{self._count:012d}"

    def _add(self, kind: str, fields: Line) -> Line:
        uuid = self._name()
        moment = datetime.fromtimestamp((STARTED_AT + self._count * 1000) / 1000, UTC)
        line: Line = {"parentUuid": self._parent, "isSidechain": False, "promptId": "prompt-1", "type": kind}
        line |= {"uuid": uuid, "timestamp": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")}
        line |= {"userType": "external", "entrypoint": "cli", "cwd": self._cwd, "sessionId": self._session_id}
        line |= {"version": "2.1.332", "gitBranch": self._branch, **fields}
        self.lines.append(line)
        self._parent = uuid
        return line


def make_mixed(size_bytes: int, *, seed: int = 1) -> bytes:
    """A long working session of prose and tool output, of `size_bytes` bytes and at most a turn more."""
    source = random.Random(seed)
    script = Transcript()
    counted = written = 0
    while written < size_bytes:
        _add_turn(script, source)
        part = script.lines[counted:]
        counted = len(script.lines)
        written += sum(
            len(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()) + 1 for line in part
        )
    return script.data()


def make_prose(source: random.Random, sentences: int) -> str:
    """So many plain sentences about code."""
    return " ".join(
        f"The {source.choice(_NOUNS)}_{source.randrange(900)} {source.choice(_VERBS)} the "
        f"{source.choice(_NOUNS)} {source.choice(_TAILS)}."
        for _ in range(sentences)
    )


def _add_turn(script: Transcript, source: random.Random) -> None:
    script.prompt(make_prose(source, source.randrange(1, 5)))
    for _ in range(source.randrange(2, 7)):
        script.reply(make_prose(source, source.randrange(1, 8)))
        tool = source.choice(_TOOLS)
        name = f"src/{source.choice(_NOUNS)}/{source.choice(_NOUNS)}_{source.randrange(99)}.py"
        script.call(
            tool,
            {"command": f"grep -n {source.choice(_NOUNS)} {name}"} if tool == "Bash" else {"file_path": name},
        )
        script.result(_make_output(source, name))
    script.reply(make_prose(source, source.randrange(3, 12)))
    if source.random() < 0.2:
        script.attachment(make_prose(source, 6))
    if source.random() < 0.1:
        script.snapshot()
    if source.random() < 0.05:
        script.request_dump(source.randrange(2_000, 9_000))


def _make_output(source: random.Random, name: str) -> str:
    rows = source.choice([1, 4, 12, 40, 80])
    return "\n".join(
        f"{name}:{number * 3}:    {source.choice(_NOUNS)} = {source.choice(_VERBS)}"
        f"({source.choice(_NOUNS)}_{number})"
        for number in range(rows)
    )
