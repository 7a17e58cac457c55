"""The status-line script: the same line as `engram statusline`, from every shell, at little cost."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engram_hooks.client import statusline_script
from engram_hooks.hooks.statusline import render_line

pytestmark = pytest.mark.skipif(os.name == "nt", reason="not on Windows: a shell script")

SESSION = "00000000-0000-4000-8000-000000000001"
STORE = b"SQLite format 3\x00" + bytes(100)
SHELLS = [
    pytest.param(shell, marks=pytest.mark.skipif(shutil.which(shell) is None, reason=f"no {shell}"))
    for shell in ("sh", "dash", "bash", "zsh")
    if shell == "sh" or shutil.which(shell)
]


class Place:
    """A data folder with the script in it, and a transcript of ten bytes."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "dätä 'x'"
        self.transcript = folder / 'a b\'s "transcript" $x.jsonl'
        self.transcript.write_bytes(b"0123456789")
        statusline_script.install(self.data, windows=False)
        (self.data / "ready").mkdir()
        (self.data / "engram.db").write_bytes(STORE)

    def put(self, name: str, content: str | bytes) -> None:
        (self.data / name).write_bytes(content.encode() if isinstance(content, str) else content)

    def payload(self, **more: object) -> dict[str, object]:
        return {"session_id": SESSION, "transcript_path": str(self.transcript), "cwd": "/src", **more}

    def show(self, text: str | bytes, *, shell: str = "sh", **environ: str) -> str:
        done = subprocess.run(
            [shell, str(self.data / "bin" / "engram-statusline")],
            input=text.encode() if isinstance(text, str) else text,
            env={"PATH": os.environ["PATH"], "HOME": "/nowhere", **environ},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def ready(line: str) -> dict[str, str | bytes]:
    return {f"ready/{SESSION}": line + "\n"}


IDLE = ready("1|idle|41|14|0|10|")
STATES: list[object] = [
    pytest.param({}, {}, id="no ready line"),
    pytest.param(IDLE, {}, id="clear-safe"),
    pytest.param(ready("1|idle|41|14|2|10|"), {}, id="to capture"),
    pytest.param(ready("1|idle|41|14|2|9|"), {}, id="behind"),
    pytest.param(ready("1|idle|41|14|0|11|"), {}, id="ahead"),
    pytest.param(ready("1|running|1|0|1|10|"), {}, id="running"),
    pytest.param(ready("1|idle|0|0|0|0|"), {}, id="all zero"),
    pytest.param(ready("1|idle|41|14|0|10|spool full"), {}, id="trouble in the ready line"),
    pytest.param(ready("1|idle|41|14|0|10|a|b"), {}, id="a bar in the trouble"),
    pytest.param(ready("2|idle|41|14|0|10|"), {}, id="newer ready line"),
    pytest.param(ready("1|idle|x|14|0|10|"), {}, id="not a number"),
    pytest.param(ready("1|idle|41|14|0|"), {}, id="too few fields"),
    pytest.param(ready("1|idle|41|14|0|12345678901234567890|"), {}, id="number without end"),
    pytest.param({**IDLE, "trouble": "3 hook failures\nmore\n"}, {}, id="flag"),
    pytest.param({**IDLE, "trouble": "  spaces \\033 %s  \n"}, {}, id="flag with odd text"),
    pytest.param({**IDLE, "trouble": "a\x1b[31mb\n"}, {}, id="flag with control characters"),
    pytest.param({**IDLE, "trouble": ""}, {}, id="empty flag"),
    pytest.param({**IDLE, "off": "", "trouble": "x"}, {}, id="off"),
    pytest.param({"engram.db": b"\x07noise\x00" * 50}, {}, id="damaged, no ready line"),
    pytest.param({**IDLE, "engram.db": b"\x07noise\x00" * 50}, {}, id="damaged since"),
    pytest.param({**IDLE, "engram.db": b""}, {}, id="empty store"),
    pytest.param(IDLE, {"session_id": "other"}, id="another session"),
    pytest.param(IDLE, {"session_id": "../ready/" + SESSION}, id="a path as session"),
    pytest.param(IDLE, {"session_id": None}, id="session null"),
    pytest.param(IDLE, {"transcript_path": None}, id="transcript null"),
    pytest.param(IDLE, {"transcript_path": ""}, id="transcript empty"),
    pytest.param(IDLE, {"transcript_path": "/nowhere/x.jsonl"}, id="transcript missing"),
    pytest.param(ready("1|idle|41|14|0|0|"), {"transcript_path": "/nowhere/x"}, id="not begun yet"),
]
ENVIRONS = [
    {},
    {"NO_COLOR": "1"},
    {"NO_COLOR": ""},
    {"NO_COLOR": "1", "COLUMNS": "45"},
    {"NO_COLOR": "1", "COLUMNS": "25"},
    {"NO_COLOR": "1", "COLUMNS": "12"},
    {"TERM": "dumb", "COLUMNS": "x"},
    {"TERM": "dumb", "COLUMNS": "0"},
]


@pytest.mark.parametrize(("files", "more"), STATES)
def test_script_and_command_print_the_same(
    place: Place, files: dict[str, str | bytes], more: dict[str, object]
) -> None:
    for name, content in files.items():
        place.put(name, content)
    payload = place.payload(**more)
    text = json.dumps(payload, ensure_ascii=False)
    if '\\"' in text and more == {}:  # a path with quotes is beyond the script; the command can read it
        plain = place.transcript.with_name("a b's transcript $x.jsonl")
        plain.write_bytes(place.transcript.read_bytes())
        payload["transcript_path"] = str(plain)
        text = json.dumps(payload, ensure_ascii=False)
    for environ in ENVIRONS:
        expected = render_line(payload, str(place.data), environ)
        assert place.show(text + "\n", **environ) == expected + "\n", environ


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_prints_the_same(place: Place, shell: str) -> None:
    place.put(f"ready/{SESSION}", "1|running|41|14|2|10|\n")
    line = "engram 41 notes · +14 logged · 2 to capture · logging\n"
    assert place.show(json.dumps(place.payload()), shell=shell, NO_COLOR="1") == line
    place.put("trouble", "größer als gedacht\n")
    for columns in ("80", "48", "47", "33", "32", "1"):
        expected = render_line(place.payload(), str(place.data), {"NO_COLOR": "1", "COLUMNS": columns})
        assert place.show("{}", shell=shell, NO_COLOR="1", COLUMNS=columns) == expected + "\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"session_id":"%s","transcript_path":"%s","x":1}', id="compact"),
        pytest.param('{\n "session_id": "%s",\n "transcript_path": "%s"\n}\n', id="pretty"),
        pytest.param(
            '{"a":\n{"b": 1}, "session_id"\n:\n"%s"\n,\t"transcript_path" : "%s"}', id="odd white space"
        ),
        pytest.param(
            '{"session_name": "say \\"session_id\\"", "session_id":"%s","transcript_path":"%s"}', id="decoy"
        ),
    ],
)
def test_fields_are_found_however_the_json_is_written(place: Place, tmp_path: Path, text: str) -> None:
    place.put(f"ready/{SESSION}", "1|idle|41|14|0|10|\n")
    path = tmp_path / "plain.jsonl"
    path.write_bytes(b"0123456789")
    for written in (str(path), str(path).replace("/", "\\/")):
        assert place.show(text % (SESSION, written), NO_COLOR="1").endswith("clear-safe\n")
    turned = json.dumps({"transcript_path": str(path), "session_id": SESSION})
    assert place.show(turned, NO_COLOR="1").endswith("clear-safe\n")


def test_path_with_other_escapes_makes_no_claim(place: Place) -> None:
    place.put(f"ready/{SESSION}", "1|idle|41|14|0|10|\n")
    assert place.show(json.dumps(place.payload()), NO_COLOR="1") == "engram 41 notes · +14 logged\n"


@pytest.mark.parametrize(
    "text", ["", "{}", "null", "not json", '{"session_id":', b"\xff\xfe\x00\x01", "[" * 5000]
)
def test_any_input_gives_one_line(place: Place, text: str | bytes) -> None:
    assert place.show(text, NO_COLOR="1") == "engram ready\n"


def test_missing_data_folder_gives_one_line(place: Place, tmp_path: Path) -> None:
    assert place.show("{}", NO_COLOR="1", ENGRAM_HOME=str(tmp_path / "none")) == "engram ready\n"


def test_folder_of_the_environment_wins(place: Place, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "off").touch()
    assert place.show("{}", NO_COLOR="1", ENGRAM_HOME=str(other)) == "engram off\n"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param("cat", "{in}\nengram ready\n", id="gets the whole input"),
        pytest.param(
            "printf '\\033[1mmine\\033[0m\\n%s\\n' '%s \\n'",
            "\033[1mmine\033[0m\n%s \\n\nengram ready\n",
            id="lines",
        ),
        pytest.param("echo mine; exit 3", "engram ready\n", id="failing"),
        pytest.param(":", "engram ready\n", id="silent"),
        pytest.param("no-such-command", "engram ready\n", id="missing"),
    ],
)
def test_wrapped_command_comes_first(place: Place, command: str, expected: str) -> None:
    statusline_script.save_wrapped(place.data, command)
    text = '{\n "session_id": "s",\n "cwd": "a\\\\b %s"\n}'
    assert place.show(text + "\n", NO_COLOR="1") == expected.replace("{in}", text)


def cpu_ms(argv: list[str], text: bytes) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, input=text, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def test_script_costs_less_than_a_bare_interpreter(place: Place) -> None:
    place.put(f"ready/{SESSION}", "1|idle|41|14|0|10|\n")
    payload = place.payload(
        transcript_path="/nowhere", more=dict.fromkeys(map(str, range(60)), "filler text")
    )
    text = json.dumps(payload).encode()
    script = ["sh", str(place.data / "bin" / "engram-statusline")]
    bare = [sys.executable, "-I", "-S", "-c", "pass"]
    ours, theirs = [], []
    for _ in range(15):
        ours.append(cpu_ms(script, text))
        theirs.append(cpu_ms(bare, b""))
    assert sorted(ours)[7] < sorted(theirs)[7] * 0.7
