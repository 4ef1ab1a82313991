"""How `darrow convert` behaves as a program: files, pipes, signals, terminals."""

from __future__ import annotations

import errno
import os
import pty
import re
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import logwriter as w
import pytest
from corpus import LOGS, NO_LOGS
from test_cli import DONE, NOTHING, USAGE, command, complaints
from test_cli_convert import convert, write_log

LARGE = LOGS / "large"
needs_large = pytest.mark.skipif(not LARGE.exists(), reason=NO_LOGS)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A log in a folder of its own."""
    (tmp_path / "made").mkdir()
    return write_log(tmp_path / "made" / "made.darshan")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where nothing is yet, in a folder of its own."""
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "out.darshan"


# Files ----------------------------------------------------------------------------------------------------------------


def test_what_is_there_is_kept(made: Path, out: Path):
    out.write_text("mine")
    run = convert(made, out)
    assert run.returncode == NOTHING
    assert complaints(run) == [f"darrow: {out}: exists already: --force overwrites it"]
    assert out.read_text() == "mine"
    for option in ("--force", "-f"):
        out.write_text("mine")
        assert convert(option, made, out).returncode == DONE
        assert out.read_bytes() == convert(made, "-").stdout
    assert list(out.parent.iterdir()) == [out]


def test_in_place(made: Path):
    expected = convert("--bzip2", made, "-").stdout
    assert convert("--bzip2", made, made).returncode == NOTHING
    assert convert("--bzip2", "--force", made, made).returncode == DONE
    assert made.read_bytes() == expected
    assert list(made.parent.iterdir()) == [made]


def test_pipes(made: Path, tmp_path: Path):
    expected = convert(made, "-").stdout
    assert convert("-", "-", input=made.read_bytes()).stdout == expected
    assert convert("/dev/stdin", "/dev/stdout", input=made.read_bytes()).stdout == expected
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(["cat", str(fifo)], stdout=subprocess.PIPE) as reader:
        assert convert(made, fifo).returncode == DONE
        assert reader.stdout
        assert reader.stdout.read() == expected
    assert fifo.is_fifo()


def test_devices(made: Path):
    assert convert(made, "/dev/null").returncode == DONE
    assert convert("--force", made, "/dev/null").returncode == DONE
    assert Path("/dev/null").is_char_device()
    run = convert(made, "/dev/full")
    assert run.returncode == NOTHING
    assert complaints(run) == [f"darrow: /dev/full: {os.strerror(errno.ENOSPC)}"]
    with open("/dev/full", "wb") as full:
        told = subprocess.run([*command(), "convert", str(made), "-"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert told.returncode == NOTHING
    assert complaints(told) == [f"darrow: standard output: {os.strerror(errno.ENOSPC)}"]


def test_links_are_followed(made: Path, out: Path):
    link = out.with_name("link")
    link.symlink_to(out.name)
    assert convert(made, link).returncode == DONE  # into nothing
    assert link.is_symlink()
    assert convert(made, link).returncode == NOTHING
    assert convert("--bzip2", "--force", made, link).returncode == DONE
    assert link.is_symlink()
    assert w.read_header(out.read_bytes()).compression == w.BZIP2


def test_no_such_folder(made: Path, tmp_path: Path):
    run = convert(made, tmp_path / "none" / "out")
    assert run.returncode == NOTHING
    assert complaints(run) == [f"darrow: {tmp_path / 'none' / 'out'}: No such file or directory"]
    run = convert("--force", made, tmp_path)
    assert run.returncode == NOTHING
    assert complaints(run) == [f"darrow: {tmp_path}: Is a directory"]


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_umask(made: Path, out: Path, mask: int, mode: int):
    assert convert(made, out, umask=mask).returncode == DONE
    assert out.stat().st_mode & 0o777 == mode


def test_a_full_quota(made: Path, out: Path):
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))

    run = convert("--compression", "none", made, out, preexec_fn=limit)
    assert run.returncode == NOTHING
    assert complaints(run) == [f"darrow: {out}: {os.strerror(errno.EFBIG)}"]
    assert list(out.parent.iterdir()) == []


# Interruptions --------------------------------------------------------------------------------------------------------


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[bytes]:
    """Signals end it, though whoever runs the tests may ignore some, as nohup does."""

    def mind_signals() -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)

    line = [*command(), "convert", *map(str, arguments)]
    return subprocess.Popen(line, stderr=subprocess.PIPE, **{"preexec_fn": mind_signals} | options)


def end_of(run: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    _, told = run.communicate(timeout=60)
    return run.returncode, told


@needs_large
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_while_it_compresses(out: Path, number: signal.Signals):
    run = start("--level", "12", LARGE / "posix-100k.darshan", out)
    time.sleep(1)
    run.send_signal(number)
    assert end_of(run) == (-number, b"")
    assert list(out.parent.iterdir()) == []


@needs_large
def test_interrupted_at_any_time(out: Path):
    """Either all of the log is there, or nothing."""
    log = LARGE / "posix-10k.darshan"
    began = time.monotonic()
    expected = convert("--compression", "none", log, "-").stdout
    whole = time.monotonic() - began
    for step in range(20):
        run = start("--compression", "none", log, out)
        time.sleep(whole * step / 18)
        run.send_signal(signal.SIGTERM)
        assert end_of(run)[0] in (DONE, -signal.SIGTERM)
        left = list(out.parent.iterdir())
        assert left in ([], [out])
        if left:
            assert out.read_bytes() == expected
            out.unlink()


def test_signals_that_are_ignored_stay_so(made: Path, out: Path, tmp_path: Path):
    """As nohup asks for."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    run = start(fifo, out, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    with fifo.open("wb") as pipe:
        run.send_signal(signal.SIGHUP)
        pipe.write(made.read_bytes())
    assert end_of(run) == (DONE, b"")
    assert out.exists()


# The terminal ---------------------------------------------------------------------------------------------------------


def in_terminal(*arguments: str | Path, output: Callable[[int], Any] = lambda _: subprocess.DEVNULL) -> tuple[int, str]:
    """The exit code, and what a terminal gets as the standard error; `output` makes the standard output of it."""
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        [*command(), "convert", *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=output(theirs), stderr=theirs
    )
    os.close(theirs)
    text = b""
    try:
        while piece := os.read(ours, 65536):
            text += piece
    except OSError:  # how Linux tells that the other side has closed
        pass
    os.close(ours)
    return run.wait(60), text.decode().replace("\r\n", "\n")


@needs_large
def test_progress_of_what_takes_long(out: Path):
    code, text = in_terminal("--level", "9", LARGE / "posix-100k.darshan", out)
    assert code == DONE
    first, *_, wiped, last = text.split("\r")[:1] + text.split("\r")[-2:]
    assert (first, last) == ("", "")
    assert re.match("\rdarrow: (POSIX, 1|HEATMAP, 2) of 2 modules", text)
    assert wiped.strip() == ""
    assert len(wiped) >= len("darrow: POSIX, 1 of 2 modules")
    assert "\n" not in text
    assert "\x1b" not in text


def test_no_progress_of_what_is_quick(made: Path, out: Path):
    assert in_terminal(made, out) == (DONE, "")


@needs_large
def test_no_progress_into_files(out: Path):
    run = convert("--level", "9", LARGE / "posix-100k.darshan", out)
    assert (run.returncode, run.stdout, run.stderr) == (DONE, b"", b"")


def test_no_log_on_a_terminal(made: Path):
    code, text = in_terminal(made, "-", output=lambda terminal: terminal)
    assert code == USAGE
    assert text == "darrow: convert: the standard output is a terminal, and a log is no text: name a file\n"


def test_complaints_have_no_controls(tmp_path: Path):
    run = convert(tmp_path / "no\x1b[31m\nsuch", "-")
    assert complaints(run) == [rf"darrow: {tmp_path}/no\x1b[31m\nsuch: No such file or directory"]
