"""What test runners of several languages print, with the lines, times and names of one run."""

from __future__ import annotations

from dataclasses import dataclass

# language -> (command, what fails prints, what passes prints)
_RUNS = {
    "python": (
        "cd . && python -m pytest -q {test_path}",
        "Exit code 1\n=================================== FAILURES ===================================\n"
        "____ {test} ____\n\n>       assert unit.{call}(sample(), 3)\nE       {error}: {message}\n\n"
        "{test_path}:{line}: {error}\n================ short test summary info ================\n"
        "FAILED {test_path}::{test} - {error}: {message}\n1 failed, 7 passed in {seconds}s",
        "........ [100%]\n8 passed in {seconds}s",
    ),
    "typescript": (
        "npx jest {test_path}",
        "Exit code 1\nFAIL {test_path}\n  ● {test}\n\n    {error}: {message}\n\n"
        '      {line} | test("{test}", () => {{\n\n      at Object.<anonymous> ({test_path}:{line}:5)\n\n'
        "Test Suites: 1 failed, 1 total\nTests:       1 failed, 7 passed, 8 total\nTime:        {seconds} s",
        "PASS {test_path}\nTests:       8 passed, 8 total\nTime:        {seconds} s",
    ),
    "go": (
        "go test ./... 2>&1 | tail -40",
        "--- FAIL: {test} (0.01s)\n    {test_name}:{line}: {error}: {message}\nFAIL\n"
        "FAIL\texample.com/workers/{area}\t{seconds}s\nFAIL",
        "ok  \texample.com/workers/{area}\t{seconds}s",
    ),
    "rust": (
        "cargo test",
        "Exit code 101\n     Running tests/{test_name} (target/debug/deps/unit-9f2c4e1a7b3d5f60)\n\nrunning 8 tests\n"
        "test {test} ... FAILED\n\nfailures:\n\n---- {test} stdout ----\n"
        "thread '{test}' panicked at {test_path}:{line}:5:\n{error}: {message}\n\nfailures:\n    {test}\n\n"
        "test result: FAILED. 7 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in {seconds}s\n",
        "running 8 tests\n\ntest result: ok. 8 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out;"
        " finished in {seconds}s\n",
    ),
    "java": (
        "mvn -q test",
        "Exit code 1\n[ERROR] Tests run: 8, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: {seconds} s <<< FAILURE!"
        " -- in com.example.{area}.{suite}\n[ERROR] com.example.{area}.{suite}.{test} -- Time elapsed: 0.011 s"
        " <<< FAILURE!\n{error}: {message}\n\tat com.example.{area}.{suite}.{test}({suite}.java:{line})\n\n"
        "[ERROR] Failures: \n[ERROR]   {suite}.{test}:{line} {message}\n"
        "[ERROR] Tests run: 8, Failures: 1, Errors: 0, Skipped: 0\n",
        "[INFO] Tests run: 8, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: {seconds} s\n[INFO] BUILD SUCCESS",
    ),
    "c": (
        "make -C agent test",
        "Exit code 2\nmake: Entering directory 'agent'\ncc -O2 -Wall -o test src/runtime.c\n"
        "../{path}:{line}:9: error: {error}: {message} in '{call}'\n"
        "make: *** [Makefile:4: test] Error 1\nmake: Leaving directory 'agent'",
        "make: Entering directory 'agent'\ncc -O2 -Wall -o test src/runtime.c\n./test\n8 tests passed\n"
        "make: Leaving directory 'agent'",
    ),
}


@dataclass(frozen=True, slots=True)
class Check:
    """A test of a function: its command, and what it prints when it fails and when it passes."""

    command: str
    failed: str
    passed: str


def make_check(language: str, words: dict[str, str]) -> Check:
    """The check of a language; `words` fills its texts."""
    command, failed, passed = _RUNS[language]
    return Check(command.format(**words), failed.format(**words), passed.format(**words))
