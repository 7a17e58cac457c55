"""Look everything over that must hold for engram to work here: settings, launcher, hooks, store, backlog."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engram_hooks.client import (
    brain_check,
    config,
    core_check,
    hook_trial,
    launcher,
    settings_check,
    settings_file,
    store_check,
)
from engram_hooks.client.commands import hook_commands, statusline_command
from engram_hooks.client.findings import ERROR, Finding
from engram_hooks.client.hook_trial import Trial
from engram_hooks.errors import StoreError
from engram_hooks.paths import OFF_NAME, config_dir, data_dir, home_dir, is_off
from engram_hooks.sessions import spool
from engram_hooks.store import trouble

SCOPES = ("user", "project", "local")
BACKLOG = 20


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where doctor looks: the environment, the directory of the command, the moment."""

    environ: Mapping[str, str]
    cwd: Path
    now_ms: int

    @property
    def data(self) -> Path:
        """The data folder."""
        return Path(data_dir(self.environ))

    @property
    def config_folder(self) -> Path:
        """The folder of `config.toml`."""
        return Path(config_dir(self.environ))

    @property
    def home(self) -> Path:
        """The home folder; the root of the file system where the environment names none."""
        return Path(home_dir(self.environ) or os.sep)


@dataclass(frozen=True, slots=True)
class Checkup:
    """What doctor found: findings, how each hook went, facts about the store, the last lines of the hook log."""

    findings: list[Finding]
    trials: list[Trial] = field(default_factory=list)
    store: dict[str, object] = field(default_factory=dict)
    settings: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @property
    def is_well(self) -> bool:
        """Whether nothing keeps engram from working."""
        return all(finding.level != ERROR for finding in self.findings)

    def as_dict(self) -> dict[str, object]:
        """The checkup for JSON."""
        return {
            "ok": self.is_well,
            "findings": [finding.as_dict() for finding in self.findings],
            "hooks": [trial.as_dict() for trial in self.trials],
            "store": self.store,
            "settings": self.settings,
            "failures": self.failures,
        }


def examine(around: Surroundings) -> Checkup:
    """Run every check; changes nothing of the user's."""
    windows = os.name == "nt"
    commands = hook_commands(around.data, windows=windows)
    statusline = statusline_command(around.data, windows=windows)
    files = read_all_settings(around)
    findings = settings_check.check_settings(files, commands, statusline=statusline)
    findings += settings_check.check_program(around.environ)
    registered = {
        entry.event: entry.command
        for settings in files
        for entry in settings_check.list_entries(settings)
        if entry.is_own
    }
    if registered:
        findings += check_launcher(around.data)
    trials: list[Trial] = []
    try:
        if registered:
            trials = hook_trial.try_hooks(registered, around.environ, now_ms=around.now_ms)
    except StoreError as error:  # not even a new store can be made
        findings.append(store_check.name_trouble(error))
    findings += hook_trial.judge_trials(trials)
    found, store = store_check.check_store_file(around.data, now_ms=around.now_ms)
    findings += [*found, *store_check.check_privacy(around.data, around.config_folder)]
    findings += check_backlog(around.data)
    findings += core_check.check_core(around.data, around.environ)
    findings += brain_check.check_brain(around.data, around.environ, now_ms=around.now_ms)
    findings += [
        Finding("config-unusable", str(problem), "engram config list")
        for problem in config.find_problems(around.environ, str(around.cwd))
    ]
    names = [str(settings.path) for settings in files]
    return Checkup(findings, trials, store, names, hook_trial.read_failures(around.data))


def read_all_settings(around: Surroundings) -> list[settings_check.SettingsFile]:
    """The client's settings files that exist for this user and directory, widest scope first."""
    paths = [
        settings_file.find_settings(scope, environ=around.environ, home=around.home, directory=around.cwd)
        for scope in SCOPES
    ]
    found = [settings_check.read_settings(path) for path in dict.fromkeys(paths)]
    return [settings for settings in found if settings is not None]


def check_launcher(data: Path) -> list[Finding]:
    """Findings about the script that the registered commands run."""
    state = launcher.launcher_state(data)
    if not state.problems:
        return []
    if state.problems[0] == "launcher-missing":
        return [Finding("launcher-missing", f"{state.path} is gone, so no hook runs", "engram doctor --fix")]
    what = {
        "launcher-unreadable": "cannot be read",
        "launcher-version": f"was written by version {state.version}",
        "launcher-python": f"names an interpreter that is gone: {state.python}",
        "launcher-package": f"names an installation that is gone: {state.package}",
    }
    reasons = ", ".join(what[problem] for problem in state.problems)
    slug = "launcher-outdated" if state.problems == ("launcher-version",) else "launcher-missing"
    return [Finding(slug, f"{state.path} {reasons}", "engram doctor --fix")]


def check_backlog(data: Path) -> Iterator[Finding]:
    """Findings about what hooks left behind, or were told to leave."""
    if is_off(str(data)):
        yield Finding(
            "engram-off", f"engram is switched off: hooks do nothing while {data / OFF_NAME} exists"
        )
    waiting = spool.backlog(str(data))
    if waiting > BACKLOG:
        text = f"{waiting} events wait in {data / 'spool'} for the store to take them"
        yield Finding("spool-backlog", text, "engram doctor --fix")
    failures = trouble.count_failures(str(data))
    if failures:
        last = hook_trial.read_failures(data, limit=1)
        text = f"{failures} hook failures since the last check, the last: {last[0] if last else 'not logged'}"
        yield Finding("hook-failures", text, "engram doctor --fix")
