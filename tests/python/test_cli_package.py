"""The commands of the package, run by `darrow`: help texts, what they tell for completion and man pages, Ctrl-C."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_cli import DONE, NOTHING, USAGE, command, complaints, darrow

NAMES = ("export", "import", "sql", "lake", "lake update", "lake compact", "lake info")


def option_lines(text: str) -> list[str]:
    return [line for line in text.partition("\nOptions:\n")[2].splitlines() if line.startswith("  -")]


@pytest.mark.parametrize("name", NAMES)
def test_help_looks_as_that_of_built_in_commands(name: str) -> None:
    text = darrow(*name.split(), "--help").stdout.decode()
    assert darrow("help", *name.split()).stdout.decode() == text
    assert text.startswith(f"darrow {name}: ")
    assert f"\nUsage: darrow {name} " in text
    assert "\nExit codes: 0 done; 2 usage" in text
    assert "\nExamples:\n  darrow " in text
    assert max(map(len, text.splitlines())) <= 80
    assert option_lines(text)[-1] == "  -h, --help               this help"


def test_help_in_any_encoding() -> None:
    run = darrow("export", "--help", env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert (run.returncode, run.stderr) == (DONE, b"")
    assert "LOG… -o DIR" in run.stdout.decode()


@pytest.mark.parametrize("name", ["export", "import", "sql", "lake"])
def test_what_they_tell_is_whole(name: str) -> None:
    told = darrow(name, "--command-table").stdout.split(b"\0")
    assert told[:2] == [b"darrow-command-table 1", f"command {name}".encode()]
    assert told[-2:] == [b"end ", b""]
    heads = [f"  {entry.decode().partition(' ')[2]}" for entry in told if entry.startswith(b"option ")]
    texts = [darrow(*one.split(), "--help").stdout.decode() for one in NAMES if one.split()[0] == name]
    lines = [line for text in texts for line in option_lines(text)[:-1]]
    assert len(heads) == len(lines)
    assert all(line.startswith(head) for head, line in zip(heads, lines, strict=True))


# Programs that do not tell --------------------------------------------------------------------------------------------


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """The command with nothing beside it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    return Path(shutil.copy(command()[-1], folder / "darrow"))


def run(program: Path, *arguments: str, timeout: float = 20) -> subprocess.CompletedProcess[bytes]:
    path = {"PATH": f"{program.parent}:/usr/bin:/bin"}
    return subprocess.run([program, *arguments], capture_output=True, timeout=timeout, check=False, env=path)


def put(folder: Path, name: str, script: str) -> Path:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def told(*entries: str, before: tuple[str, ...] = ("darrow-command-table 1", "command export")) -> str:
    """A script that answers with entries."""
    return "printf '%s\\0' " + " ".join("'" + entry.replace("'", "'\\''") + "'" for entry in (*before, *entries))


def test_without_the_package(alone: Path) -> None:
    for shell in ("bash", "zsh", "fish"):
        script = run(alone, "completion", shell)
        assert (script.returncode, script.stderr) == (DONE, b"")
        assert all(name in script.stdout.decode() for name in ("export", "import", "sql", "lake"))
        assert b"--profile" not in script.stdout
    page = run(alone, "help", "--man", "export")
    assert (page.returncode, complaints(page)[0]) == (USAGE, 'darrow: help: no man page "export"')
    command = run(alone, "export")
    assert command.returncode == USAGE
    assert complaints(command)[0] == 'darrow: "export" comes with the Python package: no darrow-export is there'
    assert b"Python package" not in run(alone, "--help").stdout


def test_a_program_that_tells(alone: Path) -> None:
    put(alone.parent, "darrow-export", told("option -x, --extra", "value N", "help what's: [it]", "choice one", "end "))
    script = run(alone, "completion", "bash")
    assert script.stderr == b""
    assert b"-x|--extra|--extra=) _darrow_words 'one'" in script.stdout
    for shell in ("zsh", "fish"):
        lines = run(alone, "completion", shell).stdout.decode().splitlines()
        assert all(line.count("'") % 2 == 0 for line in lines if not line.startswith("#"))
    assert rb"\fB\-x\fR, \fB\-\-extra\fR \fIN\fR" in run(alone, "help", "--man", "export").stdout


@pytest.mark.parametrize(
    "script",
    [
        "echo usage: export",
        "echo wrong >&2; exit 3",
        "kill -9 $$",
        told("option --extra"),
        told("option --extra", "end ", before=("darrow-command-table 2", "command export")),
        told("end ", before=("darrow-command-table 1", "command import")),
        told("end ", before=("darrow-command-table 1",)),
        told("option --a; touch x", "end "),
        told("option --a", "choice $(touch x)", "end "),
        told("option --a", "choice it's", "end "),
        told("option --a", "help \x1b[2J", "end "),
        told("help of nothing", "end "),
        told("option --a", "propose nonsense", "end "),
        told("nonsense", "end "),
        told("command other thing", "end "),
        told("command exported thing", "end "),
        "head -c 3000000 /dev/zero",
        "exec /dev/null",
    ],
)
def test_nonsense_is_left_out(alone: Path, script: str) -> None:
    """Completion is as without the program, and a line says so."""
    without = run(alone, "completion", "bash").stdout
    program = put(alone.parent, "darrow-export", script)
    completion = run(alone, "completion", "bash")
    assert (completion.returncode, completion.stdout) == (DONE, without)
    assert complaints(completion) == [f"darrow: {program} does not tell what it takes"]
    assert run(alone, "help", "--man", "export").returncode == USAGE


def is_running(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("script", ["sleep 60", "sleep 60 & echo $! >child; wait", "trap '' TERM; yes | cat >&2"])
def test_a_program_that_hangs(alone: Path, script: str, tmp_path: Path) -> None:
    """It is ended, with all that it started."""
    pids = tmp_path / "pids"
    put(alone.parent, "darrow-sql", f"echo $$ >>{pids}; cd {tmp_path}; {script}")
    put(alone.parent, "darrow-lake", told("option --extra", "end ", before=("darrow-command-table 1", "command lake")))
    before = time.monotonic()
    completion = run(alone, "completion", "bash")
    assert time.monotonic() - before < 15
    assert completion.returncode == DONE
    assert b"--extra" in completion.stdout
    assert complaints(completion) == [f"darrow: {alone.parent}/darrow-sql does not tell what it takes"]
    started = pids.read_text().split() + ((tmp_path / "child").read_text().split() if "child" in script else [])
    assert started
    while any(map(is_running, started)):
        assert time.monotonic() - before < 30
        time.sleep(0.01)


def test_other_programs_are_not_asked(alone: Path, tmp_path: Path) -> None:
    put(alone.parent, "darrow-hello", f"touch {tmp_path}/asked")
    for arguments in (["completion", "bash"], ["help", "--man", "hello"], ["help", "--man"], ["--help"]):
        run(alone, *arguments)
    assert not (tmp_path / "asked").exists()


# Ctrl-C ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [(["lake", "info", "nowhere"], {NOTHING}), (["export", "--help"], {DONE}), (["sql", "--about", "jobs"], {DONE})],
)
def test_an_early_interrupt_is_no_traceback(arguments: list[str], codes: set[int]) -> None:
    """Whenever it comes: while the programs start, import, work, or end."""
    seen = set()
    for delay in [*range(0, 60, 3), *range(60, 101, 10)]:
        with subprocess.Popen([*command(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(delay / 1000)
            process.send_signal(signal.SIGINT)
            _, messages = process.communicate(timeout=30)
        seen.add(process.returncode)
        if process.returncode in codes:  # it was done already
            assert messages.count(b"\n") == (process.returncode != DONE), (delay, messages)
        else:
            assert (process.returncode in (130, -signal.SIGINT), messages) == (True, b""), (delay, messages)
    assert 130 in seen


def test_packages_load_before_an_interrupt_comes(tmp_path: Path) -> None:
    """DuckDB aborts, or seems to be missing, if it is interrupted while it loads."""
    (tmp_path / "duckdb.py").write_text(
        "import os, signal\n"
        "try: os.kill(os.getpid(), signal.SIGINT)\n"
        "except KeyboardInterrupt: raise ImportError from None\n"
    )
    path = {**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    done = darrow("sql", "--about", "jobs", env=path)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_an_interrupt_that_is_ignored_stays_so() -> None:
    def ignore() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    with subprocess.Popen(
        [*command(), "sql", "--about", "jobs"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=ignore
    ) as process:
        for _ in range(20):
            process.send_signal(signal.SIGINT)
            time.sleep(0.01)
        out, messages = process.communicate(timeout=30)
    assert (process.returncode, messages) == (DONE, b"")
    assert b"run_time" in out


def test_an_interrupt_is_not_dropped_in_a_callback() -> None:
    program = (
        "import sys, time\n"
        "from darrow._commands._common import run\n"
        "class Held:\n"
        "    def __del__(self): raise KeyboardInterrupt\n"
        "def work():\n"
        "    Held()\n"
        "    time.sleep(20)\n"
        "    return 0\n"
        "sys.exit(run(work))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=10, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize("name", ["hello", "export"])
def test_other_programs_get_interrupts(alone: Path, tmp_path: Path, name: str) -> None:
    """Only those that come with the command wait for them; another darrow-export on PATH would wait for ever."""
    (tmp_path / "other").mkdir()
    put(tmp_path / "other", f"darrow-{name}", "grep SigBlk /proc/self/status")
    path = {"PATH": f"{tmp_path}/other:/usr/bin:/bin"}
    done = subprocess.run([alone, name], capture_output=True, text=True, timeout=20, check=True, env=path)
    assert int(done.stdout.split()[1], 16) & 1 << (signal.SIGINT - 1) == 0
