"""`engram demo`: a session to look at, in a temporary folder, without touching anything of yours."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from textwrap import indent

import click

from engram_hooks.cli import output
from engram_hooks.cli.options import json_option


@click.command(name="demo")
@json_option
def command(*, as_json: bool) -> None:
    """See what engram does: a recorded session through the real hooks, in a temporary folder.

    Your settings and your memory are not touched, no client and no model runs.
    """
    from engram_hooks.client.demo_session import play
    from engram_hooks.memory import now

    scenes = []
    with tempfile.TemporaryDirectory(prefix="engram-demo-", ignore_cleanup_errors=True) as folder:
        for scene in play(Path(folder), os.environ, now_ms=now()):
            scenes.append({"heading": scene.heading, "text": scene.text, "remark": scene.remark})
            if not as_json:
                output.say(output.style(output.safe(scene.heading), "bold"))
                if scene.text:
                    output.say(indent(output.pack(scene.text), "  "))
                if scene.remark:
                    output.say(output.style(output.block(scene.remark), "dim"))
                output.say()
    if as_json:
        output.print_json(scenes)
        return
    output.say("Nothing of this is kept. To begin: engram setup")
