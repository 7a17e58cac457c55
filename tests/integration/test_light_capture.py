"""What adding a note loads: it is typed in a terminal, and somebody waits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json, sys
from engram_hooks import Engram
with Engram(home=sys.argv[1], cwd=sys.argv[1]) as memory:
    memory.add("Dependencies are updated by Dependabot.")
    memory.add("Renovate keeps packages fresh, Dependabot is switched off.")
print(json.dumps([name for name in sys.argv[2:] if name in sys.modules]))
"""


@pytest.mark.parametrize("switch", ["", "off"])
def test_added_note_loads_no_heavy_module(tmp_path: Path, switch: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), "numpy", "model2vec", "click", "sqlite3"],
        env={**os.environ, "ENGRAM_EMBED": switch},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout) == ["sqlite3"]
