"""The program `engram`: what runs by itself (hooks, status line, the check of a commit) takes a fast way."""

from __future__ import annotations

import sys

FAST = "hook", "statusline"


def main() -> None:
    """Run the command line of this process and end it with its exit code."""
    if len(sys.argv) > 1 and sys.argv[1] in FAST:
        from engram_hooks import entry

        entry.main(sys.argv[1:])
        return
    if sys.argv[1:2] == ["pre-commit"]:
        from engram_hooks.cli import precommit_check

        if precommit_check.is_check(sys.argv[2:]):
            precommit_check.main(sys.argv[2:])
    from engram_hooks.cli.main import main as run

    sys.exit(run())


if __name__ == "__main__":
    main()
