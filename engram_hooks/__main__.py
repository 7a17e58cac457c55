"""The program `engram`: hooks and the status line take the fast way, all else goes to the commands."""

from __future__ import annotations

import sys

FAST = "hook", "statusline"


def main() -> None:
    """Run the command line of this process and end it with its exit code."""
    if len(sys.argv) > 1 and sys.argv[1] in FAST:
        from engram_hooks import entry

        entry.main(sys.argv[1:])
        return
    from engram_hooks.cli.main import main as run

    sys.exit(run())


if __name__ == "__main__":
    main()
