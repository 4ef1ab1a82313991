"""What LOG may be: files, directories, patterns for the shell, lists of logs, the standard input, in any mixture.

`summary --by` puts all of them into one table, `summary` and `info` tell each log; all find the same ones.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from corpus import DATA
from test_cli import DONE, NOTHING, SOME_LOST, command, complaints, darrow, logs_of, rows_of
from test_cli_groups import fleet, fleet_logs, made, read_json, told

NO_PERMISSIONS = os.geteuid() == 0


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Logs at several depths, of 1, 10, … bytes, and what is none."""
    root = tmp_path / "tree"
    for i, path in enumerate(
        ["b.darshan", "a.darshan", "x/deep/er/c.darshan", "x/d.darshan_partial", ".hidden.darshan"]
    ):
        made(root / path, 10**i, jobid=i + 1)
    for path in ("README.txt", "x/e.darshan.gz", "x/darshan", "x/f.DARSHAN", "notes.darshan.txt"):
        (root / path).write_text("no log")
    (root / "empty").mkdir()
    return root


ALL = 11111


def found(*arguments: str | Path, code: int = DONE, **options: object) -> tuple[int, int]:
    """How many logs, and all bytes."""
    everything = told("--by", "module", *arguments, code=code, **options)
    return everything["logs"], sum(group["bytes"] for group in everything["groups"])


# Directories ----------------------------------------------------------------------------------------------------------


def test_directories_hold_logs_at_any_depth(tree: Path):
    """By their endings; anything else is passed over without a word."""
    run = darrow("summary", "--by", "module", "--format", "json", tree)
    assert (run.returncode, run.stderr) == (DONE, b"")
    everything = read_json(run)
    assert (everything["logs"], everything["groups"][0]["bytes"]) == (5, ALL)
    assert found(tree / "x") == (2, 1100)
    assert found(f"{tree}/x/") == (2, 1100)
    assert found(".", cwd=tree) == (5, ALL)


@pytest.mark.parametrize("name", ["info", "summary"])
def test_each_log_of_a_directory(name: str, tree: Path):
    """Without --by each is told, in the order of their names."""
    files = [Path(log["file"]).relative_to(tree).as_posix() for log in logs_of(name, tree)]
    assert files == [".hidden.darshan", "a.darshan", "b.darshan", "x/d.darshan_partial", "x/deep/er/c.darshan"]
    assert len(rows_of(name, tree)) == 6
    text = darrow(name, tree).stdout.decode()
    assert all(file in text for file in files)


def test_the_folders_of_darshan():
    """Year, month, day."""
    assert fleet()["n_logs"] == len(logs_of("info", fleet_logs()[0].parents[3]))


def test_other_endings_are_logs_if_they_are_named(tree: Path):
    made(tree / "job.log", 7, jobid=99)
    assert found(tree) == (5, ALL)
    assert found(tree / "job.log") == (1, 7)
    assert found(tree / "job.log", tree) == (6, ALL + 7)


@pytest.mark.parametrize("name", [["summary", "--by", "uid"], ["summary"], ["info"]], ids=" ".join)
def test_directories_without_logs(name: list[str], tree: Path):
    """Nothing could be read, and it is said why."""
    run = darrow(*name, tree / "empty")
    assert run.returncode == NOTHING
    assert len(complaints(run)) == 1
    assert "empty" in complaints(run)[0]


def test_links_in_circles(tree: Path):
    """Links to directories within one are not followed; one that is named is. Links to logs are logs."""
    (tree / "x" / "up").symlink_to(tree)
    (tree / "x" / "self").symlink_to(".")
    (tree / "again.darshan").symlink_to(tree / "a.darshan")
    (tree / "x" / "broken").symlink_to("nowhere")
    everything = told("--by", "module", "--threads=1", tree)
    assert everything["logs"] == 5
    assert [Path(entry["file"]).name for entry in everything["repeated"]] == ["again.darshan"]
    assert found(tree / "x" / "up") == (5, ALL)


def test_a_link_that_leads_nowhere(tree: Path):
    """It is called a log, and cannot be read."""
    (tree / "gone.darshan").symlink_to("nowhere")
    everything = told("--by", "module", tree, code=SOME_LOST)
    assert everything["logs"] == 5
    (failure,) = everything["failures"]
    assert (Path(failure["file"]).name, failure["code"]) == ("gone.darshan", "io")


def test_directories_that_are_called_as_logs(tree: Path):
    made(tree / "run.darshan" / "y.darshan", 7, jobid=99)
    assert found(tree) == (6, ALL + 7)
    (tree / "link.darshan").symlink_to(tree / "x")
    assert found(tree) == (6, ALL + 7)


def test_pipes_in_directories_are_no_logs(tree: Path):
    """Nobody writes into it: waiting for it would be forever."""
    os.mkfifo(tree / "pipe.darshan")
    try:
        run = subprocess.run([*command(), "summary", "--by", "uid", str(tree)], capture_output=True, timeout=2)
    except subprocess.TimeoutExpired:
        pytest.fail("waits for a pipe in the directory")
    assert run.returncode in (DONE, SOME_LOST)


@pytest.mark.skipif(NO_PERMISSIONS, reason="nothing is unreadable for root")
def test_directories_that_cannot_be_read(tree: Path):
    (tree / "x").chmod(0)
    try:
        everything = told("--by", "module", tree, code=SOME_LOST)
    finally:
        (tree / "x").chmod(0o755)
    assert everything["logs"] == 3
    assert [failure["file"] for failure in everything["failures"]] == [str(tree / "x")]


# Patterns -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "logs"),
    [
        ("*.darshan", 2),
        ("?.darshan", 2),
        ("[a-a].darshan", 1),
        ("x/*", 1),
        ("*/*.darshan_partial", 1),
        ("{a,b}.dars*", 2),
    ],
)
def test_patterns(pattern: str, logs: int, tree: Path):
    """Quoted, so that no shell replaces them. What they find may be directories, too."""
    if pattern == "x/*":
        shutil.rmtree(tree / "x" / "deep")
        for other in ("e.darshan.gz", "darshan", "f.DARSHAN"):
            (tree / "x" / other).unlink()
    assert found(tree / pattern)[0] == logs
    assert len(logs_of("info", tree / pattern)) == logs


def test_patterns_that_find_nothing(tree: Path):
    pattern = str(tree / "*.none")
    nothing = told("--by", "uid", pattern, code=NOTHING)
    assert [failure["file"] for failure in nothing["failures"]] == [pattern]
    everything = told("--by", "uid", pattern, tree, code=SOME_LOST)
    assert (everything["logs"], len(everything["failures"])) == (5, 1)
    assert darrow("info", pattern).returncode == NOTHING


def test_files_whose_names_look_like_patterns(tree: Path):
    log = made(tree / "odd" / "[ab]*.darshan", 7, jobid=99)
    made(tree / "odd" / "a1.darshan", 70, jobid=98)
    assert found(log) == (1, 7)


# Lists ----------------------------------------------------------------------------------------------------------------


def test_lists_of_logs(tree: Path):
    """A line each: files, directories, patterns; blank lines and the ends of lines of other systems do not matter."""
    logs = tree / "list.txt"
    logs.write_bytes(b"a.darshan\r\n\r\n\n   \nx\nb.d*\r\n.hidden.darshan")
    for name in ("@list.txt", f"@{logs}"):
        assert found(name, cwd=tree) == (5, ALL)
    assert len(logs_of("info", "@list.txt", cwd=tree)) == 5
    assert len(logs_of("summary", "@list.txt", cwd=tree)) == 5
    assert found("@-", cwd=tree, input=logs.read_bytes()) == (5, ALL)
    assert found("@-", "b.darshan", cwd=tree, input=b"a.darshan\n") == (2, 11)


def test_lists_tell_what_is_missing(tree: Path):
    everything = told("--by", "uid", "@-", cwd=tree, input=b"a.darshan\nmissing.darshan\n", code=SOME_LOST)
    assert (everything["logs"], [failure["file"] for failure in everything["failures"]]) == (1, ["missing.darshan"])


def test_lists_in_lists_are_files(tree: Path):
    """No list leads to another one, nor back to itself."""
    (tree / "list").write_text("@list\na.darshan\n")
    everything = told("--by", "uid", "@list", cwd=tree, code=SOME_LOST)
    assert (everything["logs"], [failure["file"] for failure in everything["failures"]]) == (1, ["@list"])


@pytest.mark.parametrize("name", [["summary", "--by", "uid"], ["summary"], ["info"]], ids=" ".join)
def test_lists_that_cannot_be_read(name: list[str], tree: Path):
    for given in (f"@{tree}/missing", f"@{tree}"):
        run = darrow(*name, given)
        assert run.returncode == NOTHING
        assert [given in line for line in complaints(run)] == [True]
        run = darrow(*name, "--format", "json", given, tree / "a.darshan")
        assert run.returncode == SOME_LOST


@pytest.mark.parametrize("name", [["summary", "--by", "uid"], ["summary"], ["info"]], ids=" ".join)
def test_empty_lists(name: list[str]):
    """Nothing could be read, and it is said why."""
    run = darrow(*name, "@-", input=b"\n\n")
    assert run.returncode == NOTHING
    assert len(complaints(run)) == 1


def test_files_whose_names_begin_with_an_at(tree: Path):
    made(tree / "@a.darshan", 7, jobid=99)
    assert found("@a.darshan", cwd=tree) == (1, 7)


# The standard input ---------------------------------------------------------------------------------------------------


def test_a_log_from_the_standard_input(tree: Path):
    log = (tree / "a.darshan").read_bytes()
    assert found("-", input=log) == (1, 10)
    assert found("-", tree / "b.darshan", input=log) == (2, 11)
    everything = told("--by", "job", "--threads=1", tree / "a.darshan", "-", input=log)
    assert everything["repeated"] == [{"file": "<stdin>", "same_as": str(tree / "a.darshan")}]
    assert [group["log"] for group in told("--by", "job", "-", input=log)["groups"]] == ["<stdin>"]


def test_no_log_from_the_standard_input(tree: Path):
    for text in (b"", b"no log at all, but some text"):
        nothing = told("--by", "uid", "-", input=text, code=NOTHING)
        assert [failure["file"] for failure in nothing["failures"]] == ["<stdin>"]
    assert told("--by", "uid", "-", tree, input=b"", code=SOME_LOST)["logs"] == 5


# Names of files -------------------------------------------------------------------------------------------------------

ODD_NAMES = [
    *(b"a b.darshan", b" first and last .darshan", b"new\nline.darshan", b'tab\t"quote".darshan', b"\xff\xfe.darshan"),
    *("ü→.darshan".encode(), b"-dash.darshan", b"esc\x1b[31m.darshan"),
]


def test_odd_names(tmp_path: Path):
    """In a directory, and told in all formats; what is not UTF-8 as \\xNN."""
    shown = set()
    for i, name in enumerate(ODD_NAMES):
        path = tmp_path / os.fsdecode(name)
        made(path, 10**i, jobid=i)
        shown.add(str(tmp_path) + "/" + name.decode("utf-8", "backslashreplace"))
    everything = told("--by", "job", tmp_path)
    assert everything["logs"] == len(ODD_NAMES)
    assert {group["log"] for group in everything["groups"]} == shown
    assert {row[1] for row in rows_of("summary", "--by", "job", tmp_path)[1:]} == shown
    assert {log["file"] for log in logs_of("info", tmp_path)} == shown
    for arguments in (["summary", "--by", "job"], ["summary"], ["info"]):
        assert b"\x1b" not in darrow(*arguments, tmp_path).stdout


def test_odd_names_of_what_cannot_be_read(tmp_path: Path):
    """Of a bad log, too, the name is told so that all of it is one line and no terminal obeys it."""
    for name in ODD_NAMES:
        (tmp_path / os.fsdecode(name)).write_bytes(b"no log")
    nothing = told("--by", "uid", tmp_path, code=NOTHING)
    assert len({failure["file"] for failure in nothing["failures"]}) == len(ODD_NAMES)
    run = darrow("summary", "--by", "uid", tmp_path)
    assert len(complaints(run)) == len(ODD_NAMES)
    assert b"\x1b" not in run.stderr


def test_odd_names_in_lists(tmp_path: Path):
    names = [name for name in ODD_NAMES if b"\n" not in name]
    for i, name in enumerate(names):
        made(tmp_path / os.fsdecode(name), 10**i, jobid=i)
    everything = told("--by", "job", "@-", cwd=tmp_path, input=b"\n".join(names))
    assert (everything["logs"], everything["failures"]) == (len(names), [])


def test_what_does_not_exist():
    for arguments in (["summary", "--by", "uid"], ["summary"], ["info"]):
        run = darrow(*arguments, DATA / "no such.darshan")
        assert run.returncode == NOTHING
        assert len(complaints(run)) == 1
    nothing = told("--by", "uid", DATA / "no such.darshan", code=NOTHING)
    (failure,) = nothing["failures"]
    assert (failure["code"], failure["counted"]) == ("io", False)


def test_many_logs(tmp_path: Path):
    """More than threads hold in their queue, of the same file: read again and again, counted once."""
    log = made(tmp_path / "a.darshan", 7)
    everything = told("--by", "uid", "--threads=8", "@-", input=f"{log}\n".encode() * 3000)
    assert (everything["logs"], everything["groups"][0]["bytes"], len(everything["repeated"])) == (1, 7, 2999)
