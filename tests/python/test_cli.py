"""The command `darrow`: what it prints for people and machines, its exit codes, and how it behaves on a terminal."""

from __future__ import annotations

import csv
import errno
import fcntl
import io
import json
import os
import pty
import re
import resource
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[1] / "data"
LARGE = Path(__file__).resolve().parents[2].parent / "shared" / "logs" / "large"
LOGS = sorted(DATA.glob("*.darshan"))
GOOD = DATA / "posix-ops.darshan"
LOST = DATA / "px_short.darshan"  # a problem of severity error
PARTIAL = DATA / "partial-posix.darshan"
NO_LOG = DATA / "empty.darshan"

DONE, USAGE, SOME_LOST, NOTHING = 0, 2, 3, 4
POSIX, HEATMAP = 1, 15  # module ids
JOB_COLUMNS = ["jobid", "uid", "nprocs", "start", "end", "run_time", "exe"]


def command() -> list[str]:
    if given := os.environ.get("DARROW_COMMAND"):
        return shlex.split(given)
    beside = Path(sys.executable).with_name("darrow")
    found = str(beside) if beside.is_file() else shutil.which("darrow")
    assert found, "no darrow command found: install the package or set DARROW_COMMAND"
    return [found]


def darrow(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*command(), *map(str, arguments)], capture_output=True, timeout=60, check=False, **options)


def refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def logs_of(*arguments: str | Path, **options: Any) -> list[dict[str, Any]]:
    """The objects of the logs, from --format json."""
    out = darrow(*arguments, "--format", "json", **options).stdout.decode()
    return json.loads(out, parse_constant=refuse_constant)["logs"]


def rows_of(*arguments: str | Path, **options: Any) -> list[list[str]]:
    """Rows with the header, from --format csv."""
    out = darrow(*arguments, "--format", "csv", **options).stdout.decode()
    return list(csv.reader(io.StringIO(out, newline=""), strict=True))


def complaints(run: subprocess.CompletedProcess[bytes]) -> list[str]:
    return run.stderr.decode().splitlines()


# Usage ----------------------------------------------------------------------------------------------------------------


def test_version():
    run = darrow("--version")
    assert run.returncode == DONE
    assert re.fullmatch(rb"darrow \d+\.\d+\.\d+\n", run.stdout)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["--help"], ["info", "summary", "modules", "--version"]),
        (["help"], ["info", "summary", "modules", "--version"]),
        (["info", "--help"], ["--format", "--strict", "--fail-partial", "--max-region-bytes", "LOG"]),
        (["summary", "-h"], ["--format", "--strict", "--fail-partial", "--max-region-bytes", "time_by_slowest"]),
        (["summary", "-h"], ["--module NAME", "--metric NAME", "--layer LAYER", "common_accesses", "mounts"]),
        (
            ["summary", "-h"],
            ["--by KEYS", "--pattern NAME=REGEX", "--name", "--exclude", "--id", "--rank", "--threads"],
        ),
        (["summary", "-h"], ["--sort COLUMN", "--limit N", "a directory", "@FILE", "dir:N", "failures"]),
        (["help", "modules"], ["--format", "--all", "--metrics", "NAME"]),
    ],
)
def test_help_has_examples_and_all_options(arguments: list[str], options: list[str]):
    run = darrow(*arguments)
    text = run.stdout.decode()
    assert run.returncode == DONE
    assert "\nExamples:\n  darrow " in text
    assert all(option in text for option in options)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "a command is missing"),
        (["nonsense"], "info, summary, modules"),
        (["--nonsense"], "--nonsense"),
        (["info"], "LOG is missing"),
        (["info", "--nonsense"], "--nonsense"),
        (["info", "--format", "xml", "x"], "xml"),
        (["summary", "--max-region-bytes", "12Q", "x"], "12Q"),
        (["summary", "--max-region-bytes", "-1", "x"], "-1"),
        (["summary", "--max-region-bytes", "99999999999G", "x"], "99999999999G"),
        (["modules", "nonsense"], "POSIX, MPI-IO"),
        (["modules", "POSIX", "STDIO"], "STDIO"),
    ],
)
def test_wrong_usage(arguments: list[str], told: str):
    run = darrow(*arguments)
    assert run.returncode == USAGE
    assert run.stdout == b""
    assert told in complaints(run)[0]
    assert all(line.startswith("darrow: ") for line in complaints(run))


def test_a_log_may_be_called_like_a_command():
    run = darrow("info", "summary")
    assert (run.returncode, complaints(run)) == (NOTHING, ["darrow: summary: No such file or directory"])


# Exit codes and complaints --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["table", "csv", "json"])
@pytest.mark.parametrize("name", ["info", "summary"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([GOOD], DONE),
        ([GOOD, GOOD], DONE),
        ([LOST], SOME_LOST),
        ([LOST, "--strict"], NOTHING),
        ([GOOD, LOST], SOME_LOST),
        ([GOOD, NO_LOG], SOME_LOST),
        ([NO_LOG], NOTHING),
        ([NO_LOG, DATA / "no such file"], NOTHING),
        ([PARTIAL], DONE),
        ([PARTIAL, "--fail-partial"], SOME_LOST),
        ([GOOD, "--fail-partial", "--strict"], DONE),
        ([DATA / "names-odd.darshan"], DONE),  # a note
        ([DATA / "nprocs_0.darshan"], DONE),  # a warning
        ([GOOD, "--max-region-bytes", "100"], SOME_LOST),
        ([GOOD, "--max-region-bytes", "1 MiB"], DONE),
        ([GOOD, "--max-region-bytes", "2g"], DONE),
    ],
)
def test_exit_codes(name: str, arguments: list[str | Path], code: int, format: str):
    assert darrow(name, "--format", format, *arguments).returncode == code


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (DATA / "no such file", "No such file or directory"),
        (DATA.parent / "install", "no log (*.darshan) below this directory"),
        (NO_LOG, "the file is empty (header, byte 0)"),
        (Path(__file__), "not a Darshan log"),
    ],
)
@pytest.mark.parametrize("name", ["info", "summary"])
def test_a_log_that_cannot_be_read_is_one_line(name: str, log: Path, told: str):
    run = darrow(name, log)
    assert run.returncode == NOTHING
    assert run.stdout == b""
    assert len(complaints(run)) == 1
    assert complaints(run)[0].startswith(f"darrow: {log}: {told}")


def test_summary_complains_of_errors_and_warnings_only():
    assert complaints(darrow("summary", LOST)) == [
        f"darrow: {LOST}: 604 of 704 bytes of a record left over; whole records before it: 0 (POSIX, inflated byte 0)"
    ]
    assert complaints(darrow("summary", DATA / "nprocs_0.darshan")) == [
        f"darrow: {DATA / 'nprocs_0.darshan'}: warning: number of processes: 0, 1 or more expected (job)"
    ]
    assert complaints(darrow("summary", PARTIAL)) == []  # a note


def test_info_tells_problems_in_its_output():
    run = darrow("info", LOST)
    assert complaints(run) == []
    assert "error    record_fragment  POSIX" in run.stdout.decode()


def test_a_full_disk_is_told():
    with open("/dev/full", "wb") as full:
        run = subprocess.run([*command(), "info", str(GOOD)], stdout=full, stderr=subprocess.PIPE, check=False)
    assert run.returncode == SOME_LOST
    assert complaints(run) == [f"darrow: standard output: {os.strerror(errno.ENOSPC)}"]


@pytest.mark.parametrize("handled", [signal.SIG_DFL, signal.SIG_IGN])
def test_a_reader_that_goes_away_is_no_error(handled: signal.Handlers):
    run = subprocess.Popen(
        [*command(), "modules", "--all"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        restore_signals=False,
        preexec_fn=lambda: signal.signal(signal.SIGPIPE, handled),
    )
    assert run.stdout
    assert run.stderr
    run.stdout.readline()
    run.stdout.close()
    assert run.stderr.read() == b""
    assert run.wait(60) in (DONE, -signal.SIGPIPE)
    run.stderr.close()


# Several logs, pipes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["info", "summary"])
def test_several_logs_in_their_order(name: str):
    given = [GOOD, NO_LOG, PARTIAL, LOST]
    logs = logs_of(name, *given)
    assert [log["file"] for log in logs] == list(map(str, given))
    assert ["error" in log for log in logs] == [False, True, False, False]
    assert logs[1]["error"] == {"code": "not_a_log", "message": "the file is empty", "region": "header", "offset": 0}
    files = [row[0] for row in rows_of(name, *given)[1:]]
    assert list(dict.fromkeys(files)) == list(map(str, given))
    text = darrow(name, *given).stdout.decode()
    assert [line for line in text.splitlines() if line.startswith("/")] == [str(log) for log in given if log != NO_LOG]


@pytest.mark.parametrize("name", ["info", "summary"])
def test_standard_input(name: str):
    expected = [{**log, "file": "<stdin>"} for log in logs_of(name, GOOD)]
    assert logs_of(name, "-", input=GOOD.read_bytes()) == expected
    with GOOD.open("rb") as file:
        assert logs_of(name, "-", stdin=file) == expected


def test_a_pipe_as_a_file(tmp_path: Path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(["cp", str(GOOD), str(fifo)]):
        assert logs_of("info", fifo) == [{**log, "file": str(fifo)} for log in logs_of("info", GOOD)]


# What is told ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["info", "summary"])
@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_formats_agree(log: Path, name: str):
    (told,) = logs_of(name, log)
    header, *rows = rows_of(name, log)
    assert header[:8] == ["log", *JOB_COLUMNS]
    assert all(len(row) == len(header) for row in rows)
    if "error" in told:
        assert [row[-1] for row in rows] == [told["error"]["code"]]
        return
    job = told["job"] or dict.fromkeys(JOB_COLUMNS)
    names = header[8:]
    if name == "summary":
        told["modules"] = [{**module, "status": "read"} for module in told["modules"]]
    expected = [
        [told["file"], *(job[key] for key in JOB_COLUMNS), *map(module.get, names)] for module in told["modules"]
    ]
    if not expected:
        expected = [[told["file"], *(job[key] for key in JOB_COLUMNS), *[None] * (len(names) - 1), "no_modules"]]
    shown = {None: "", True: "true", False: "false"}
    written = [[shown[cell] if cell is None or isinstance(cell, bool) else cell for cell in row] for row in expected]
    assert [
        [type(b)(a) for a, b in zip(row, want, strict=True)] for row, want in zip(rows, written, strict=True)
    ] == written
    if name == "info":
        assert list(told) == ["file", "format", "job", "modules", "mounts", "names", "problems"]
    else:
        tables = ["modules", "categories", "access_sizes", "common_accesses", "mounts", "records"]
        assert list(told) == ["file", "job", *tables, "problems"]


@pytest.mark.parametrize("format", ["table", "csv", "json"])
@pytest.mark.parametrize("name", ["info", "summary"])
def test_no_control_reaches_a_terminal(name: str, format: str):
    run = darrow(name, "--format", format, *LOGS)
    text = (run.stdout + run.stderr).decode()  # valid UTF-8
    if format == "csv":  # texts are kept where a program reads them
        text = in_terminal(name, "--format", format, *LOGS)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e]", text)


def test_odd_text_is_shown():
    text = darrow(
        "info", *(DATA / f"{name}.darshan" for name in ("exe-odd", "exe-invalid-utf8", "mounts-odd"))
    ).stdout.decode()
    for odd in (r"odd exe tab\there new", r"bytes \xff\xfe\xe9", r"/mnt/tab\there", "/mnt/üñí", r"/mnt/\xff\xfe"):
        assert odd in text
    (log,) = logs_of("info", DATA / "exe-odd.darshan")
    assert "odd exe tab\there new" in log["job"]["exe"]
    run = darrow("info", "no\x1b[31m\nfile")
    assert complaints(run) == [r"darrow: no\x1b[31m\nfile: No such file or directory"]


def test_absurd_and_missing_times():
    (log,) = logs_of("info", DATA / "ctime.darshan")
    assert (log["job"]["start"], log["job"]["start_time_sec"]) == (None, 2**62)
    assert "4,611,686,018,427,387,904 s since 1970" in darrow("info", DATA / "ctime.darshan").stdout.decode()
    (log,) = logs_of("info", DATA / "clock-stepped-back.darshan")
    assert log["job"]["run_time"] < -3599
    assert re.fullmatch(r"2025-05-16T09:15:14\.\d{9}Z", log["job"]["start"])


def totals(facts: dict[str, Any], module: str) -> tuple[int, int, int]:
    told = facts["totals"][module]
    return told.get("files", told.get("FILES")), *(told.get(f"{module}_BYTES_{way}", 0) for way in ("READ", "WRITTEN"))


@pytest.mark.parametrize(
    ("log", "module"),
    [
        *[
            (DATA / f"{name}.darshan", "POSIX")
            for name in ("posix-partial-shared", "file-categories", "many-shared-per-rank")
        ],
        (DATA / "stdio-streams.darshan", "STDIO"),
        (LARGE / "posix-100k.darshan", "POSIX"),
        (LARGE / "posix-10k.darshan", "POSIX"),
    ],
    ids=lambda value: getattr(value, "stem", value),
)
def test_summary_against_what_the_program_counted(log: Path, module: str):
    if not log.exists():
        pytest.skip("needs the folder `shared` beside the repository")
    facts = json.loads(log.with_suffix(".facts.json").read_text())
    (told,) = logs_of("summary", log)
    (row,) = (row for row in told["modules"] if row["module"] == module)
    assert (row["files"], row["bytes_read"], row["bytes_written"]) == totals(facts, module)
    assert (told["job"]["nprocs"], told["job"]["uid"]) == (facts["job"]["nprocs"], facts["job"]["uid"])
    assert row["time_by_slowest"] == row["unique_time_by_slowest"] + row["shared_time_by_slowest"]
    assert row["rate"] == pytest.approx((row["bytes_read"] + row["bytes_written"]) / row["time_by_slowest"])


def test_mounts_that_are_used_come_first():
    (log,) = logs_of("info", GOOD)
    assert [mount["names"] for mount in log["mounts"]] == [0, 10, 0, 0]
    lines = darrow("info", GOOD).stdout.decode().splitlines()
    assert lines[lines.index("  mount     type    names") + 1].split() == ["/scratch", "lustre", "10"]


# The dictionary -------------------------------------------------------------------------------------------------------


def test_modules():
    header, *rows = rows_of("modules")
    assert header == ["module", "sql_name", "id", "current_version", "counters", "meaning"]
    assert [row[0] for row in rows] == [line.split()[0] for line in darrow("modules").stdout.decode().splitlines()[1:]]
    assert all(re.fullmatch("[a-z0-9_]+", row[1]) and int(row[3]) >= 1 and int(row[4]) >= 1 for row in rows)


@pytest.mark.parametrize("name", ["MPI-IO", "mpi-io", "mpiio", "MPIIO"])
def test_counters_of_a_module(name: str):
    text = darrow("modules", name).stdout.decode()
    assert text.startswith("MPI-IO (id 2, version 3): ")
    assert re.search(r"^  MPIIO_BYTES_READ +i64   bytes +sum ", text, re.M)
    rows = rows_of("modules", name)
    assert {row[0] for row in rows[1:]} == {"MPI-IO"}
    (module,) = json.loads(darrow("modules", name, "--format", "json").stdout)["modules"]
    assert [field["name"] for field in module["fields"]] == [row[1] for row in rows[1:]]


def test_families_stand_for_their_counters():
    short, full = (darrow("modules", "apmpi", *option).stdout.decode() for option in ([], ["--all"]))
    assert "MPI_{OP}_CALL_COUNT" in short
    assert "MPI_SEND_CALL_COUNT" not in short
    assert "MPI_SEND_CALL_COUNT" in full
    (module,) = json.loads(darrow("modules", "apmpi", "--format", "json").stdout)["modules"]
    named = [field["name"] for field in module["fields"]]
    for family in module["families"]:
        pattern = re.sub(r"\\\{.*?\\\}", ".+", re.escape(family["pattern"]))
        assert len([name for name in named if re.fullmatch(pattern, name)]) == family["members"]


# The terminal ---------------------------------------------------------------------------------------------------------


def in_terminal(*arguments: str | Path, width: int = 80, **variables: str) -> str:
    """What the command writes to a terminal of that width, line ends as usual."""
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    run = subprocess.Popen(
        [*command(), *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**environment, "TERM": "xterm", **variables},
    )
    os.close(theirs)

    def pieces() -> Iterator[bytes]:
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # how Linux tells that the other side has closed
                return
            if not piece:
                return
            yield piece

    out = b"".join(pieces())
    os.close(ours)
    run.wait(60)
    return out.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("arguments", [("info", *LOGS), ("summary", *LOGS), ("modules",)], ids=lambda given: given[0])
def test_lines_fit_the_terminal(arguments: tuple[str | Path, ...], width: int):
    text = in_terminal(*arguments, width=width, NO_COLOR="1")
    names = set(map(str, LOGS))
    # Below 80, columns that are not shortened may pass.
    assert not [line for line in text.splitlines() if len(line) > max(width, 80) and line not in names]


def test_counters_fit_80_columns():
    text = in_terminal("modules", "posix", NO_COLOR="1")
    assert max(map(len, text.splitlines())) <= 80
    assert "\n      read calls of all variants\n" in text  # the meaning goes below


def test_long_text_is_cut_on_terminals_only():
    log = DATA / "exe-long.darshan"
    assert "…" in in_terminal("summary", log)
    assert "…" in in_terminal("info", log)
    for name in ("summary", "info"):
        text = darrow(name, log).stdout.decode()
        assert "…" not in text
        assert "--option-number-051=/scratch/project/input/deck_051.inp" in text


@pytest.mark.parametrize(
    ("variables", "bold"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_headers_are_bold_on_terminals_only(variables: dict[str, str], bold: bool):
    assert ("\x1b[1mmodule\x1b[0m" in in_terminal("summary", GOOD, **variables)) == bold
    assert b"\x1b" not in darrow("summary", GOOD, env={**os.environ, **variables}).stdout


def test_columns_overrides_the_width():
    assert "\n      read calls of all variants\n" not in in_terminal("modules", "posix", COLUMNS="200")


# Commands of other programs -------------------------------------------------------------------------------------------


@pytest.fixture
def others(tmp_path: Path) -> dict[str, str]:
    """An environment with a darrow-hello on PATH."""
    program = tmp_path / "darrow-hello"
    program.write_text('#!/bin/sh\nprintf "%s," "$@"\nexit 7\n')
    program.chmod(0o755)
    (tmp_path / "darrow-data").write_text("no program")
    return {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}


def test_other_programs_extend_the_command(others: dict[str, str]):
    run = darrow("hello", "a b", "--format", "--", "", env=others)
    assert (run.returncode, run.stdout) == (7, b"a b,--format,--,,")
    assert darrow("help", "hello", env=others).stdout == b"--help,"


def test_other_programs_are_listed(others: dict[str, str]):
    known = re.search(r"\nCommands of other programs .*:\n  (.*)\n", darrow("--help", env=others).stdout.decode())
    assert known
    assert "hello" in known[1].split()
    assert "data" not in known[1].split()
    assert "hello" in complaints(darrow("nonsense", env=others))[0]


@pytest.mark.parametrize("name", ["../hello", "data", "--hello"])
def test_what_is_no_command_is_not_run(name: str, others: dict[str, str]):
    assert darrow(name, env=others).returncode == USAGE


# Speed ----------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["info", "summary"])
def test_starts_in_milliseconds(name: str):
    def used() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        darrow(name, GOOD)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    assert min(used() for _ in range(10)) < 0.010


@pytest.mark.parametrize(("device", "what"), [("/dev/zero", "all zeros"), ("/dev/urandom", "not a Darshan log")])
def test_endless_sources_fail_at_once(device, what):
    run = darrow("info", device)
    assert run.returncode == 4
    assert what in run.stderr.decode()


def with_damage(tmp_path: Path, slot: int, start: int = 0) -> Path:
    """A good log of format 3.41 with rubbish in the region of a module."""
    data = bytearray((DATA / "posix-ops.darshan").read_bytes())
    offset, length = struct.unpack_from("<QQ", data, 48 + 16 * slot)
    data[offset + start : offset + length] = b"\x55" * (length - start)
    path = tmp_path / "damaged.darshan"
    path.write_bytes(data)
    return path


def test_strict_summary_judges_regions_that_it_does_not_read(tmp_path):
    path = with_damage(tmp_path, HEATMAP)
    assert darrow("summary", path).returncode == DONE
    run = darrow("summary", "--strict", path)
    assert run.returncode == NOTHING
    assert "HEATMAP" in run.stderr.decode()


def test_a_summary_marks_damaged_modules(tmp_path):
    for start, nothing in ((0, True), (60, False)):  # from the first byte on; behind some records
        path = with_damage(tmp_path, POSIX, start)
        run = darrow("summary", path)
        assert run.returncode == SOME_LOST
        assert "  POSIX!  " in run.stdout.decode()
        assert "\n  ! damaged: " in run.stdout.decode()
        (log,) = logs_of("summary", path)
        (module,) = log["modules"]
        assert module["damaged"] is True
        assert (
            (module["bytes_read"] is None)
            == (module["files"] is None)
            == (module["time_by_slowest"] is None)
            == nothing
        )
    (module,) = logs_of("summary", DATA / "posix-ops.darshan")[0]["modules"]
    assert module["damaged"] is False


def test_csv_tells_what_was_lost_on_stderr(tmp_path):
    run = darrow("info", "--format", "csv", with_damage(tmp_path, POSIX))
    assert run.returncode == SOME_LOST
    assert "POSIX" in run.stderr.decode()


def test_a_header_with_rubbish_behind_it_is_nothing(tmp_path):
    data = (DATA / "posix-ops.darshan").read_bytes()
    path = tmp_path / "rubbish.darshan"
    path.write_bytes(data[:1328] + b"\x55" * (len(data) - 1328))
    assert darrow("info", path).returncode == NOTHING
    assert darrow("summary", path).returncode == NOTHING
    assert darrow("summary", path, DATA / "posix-ops.darshan").returncode == SOME_LOST


@pytest.mark.parametrize("value", ["x", "0", "1", "false", "99999999999999999999"])
@pytest.mark.parametrize(
    "option", ["parse --total", "parse --raw", "dxt --show-incomplete", "info --strict", "summary --strict"]
)
def test_flags_take_no_value(option: str, value: str) -> None:
    """No crash, and no silent reading of it as something else."""
    name, flag = option.split()
    run = darrow(name, f"{flag}={value}", DATA / "example.darshan")
    assert (run.returncode, run.stdout) == (USAGE, b"")
    assert f"{name}: {flag} takes no value".encode() in run.stderr
