"""`darrow completion` and `darrow help --man`: the same options as --help, for shells and as man pages."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from test_cli import DONE, USAGE, command, complaints, darrow

BUILT_IN = ("info", "summary", "modules", "convert", "merge", "analyze", "diff", "parse", "dxt")
COMMANDS = (*BUILT_IN, "export", "import", "sql", "lake")  # the last four tell it themselves
ACTIONS = ("lake update", "lake compact", "lake info")
SHELLS = ("bash", "zsh", "fish")


def text_of(*arguments: str) -> str:
    run = darrow(*arguments)
    assert (run.returncode, run.stderr) == (DONE, b"")
    return run.stdout.decode()


def options_of(name: str) -> set[str]:
    """What --help tells."""
    heads = re.findall(r"^  (-.*?)(?:  |$)", text_of(*name.split(), "--help"), re.MULTILINE)
    return {word for head in heads for word in re.split(r"[ ,]+", head) if re.fullmatch(r"--?[a-z][a-z0-9-]*", word)}


# Shells ---------------------------------------------------------------------------------------------------------------


def complete(*words: str, cwd: Path | None = None) -> list[str]:
    """What bash proposes for the last word."""
    script = (
        f"source <({command()[0]} completion bash); COMP_WORDS=({' '.join(map(repr, words))}); "
        f"COMP_CWORD={len(words) - 1}; _darrow; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=cwd)
    assert run.stderr == ""
    return sorted(filter(None, run.stdout.split("\n")))


needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


@needs_bash
def test_commands_in_bash():
    assert set(COMMANDS) < set(complete("darrow", ""))
    assert complete("darrow", "mer") == ["merge"]
    assert complete("darrow", "help", "an") == ["analyze"]
    assert complete("darrow", "completion", "") == sorted(SHELLS)


@needs_bash
@pytest.mark.parametrize("name", [*COMMANDS, *ACTIONS])
def test_options_in_bash(name: str):
    assert set(complete("darrow", *name.split(), "-")) == options_of(name)


@needs_bash
def test_values_in_bash(tmp_path: Path):
    (tmp_path / "a.darshan").write_bytes(b"")
    assert complete("darrow", "info", "--format", "") == ["csv", "json", "table"]
    assert complete("darrow", "convert", "--byte-order", "b") == ["big"]
    assert complete("darrow", "summary", "--module", "dxt") == ["dxt_mpiio", "dxt_posix"]
    assert complete("darrow", "modules", "pos") == ["posix"]
    assert complete("darrow", "merge", "-o", "a", cwd=tmp_path) == ["a.darshan"]
    assert complete("darrow", "merge", "a", cwd=tmp_path) == ["a.darshan"]
    assert complete("darrow", "summary", "--limit", "a", cwd=tmp_path) == []
    assert complete("darrow", "report", "a", cwd=tmp_path) == ["a.darshan"]  # a program of its own


@needs_bash
def test_values_of_commands_of_the_package_in_bash(tmp_path: Path):
    (tmp_path / "a.darshan").write_bytes(b"")
    (tmp_path / "all").mkdir()
    assert complete("darrow", "export", "--format", "") == ["arrow", "csv", "json", "parquet"]
    assert complete("darrow", "export", "--table", "posix") == ["posix"]
    assert complete("darrow", "export", "--table", "j") == ["jobs"]
    assert complete("darrow", "export", "--rank", "a", cwd=tmp_path) == []
    assert complete("darrow", "export", "a", cwd=tmp_path) == ["a.darshan", "all"]
    assert complete("darrow", "export", "a.darshan", "-o", "a", cwd=tmp_path) == ["all"]
    assert complete("darrow", "import", "a", cwd=tmp_path) == ["all"]
    assert complete("darrow", "import", "all", "--output", "a", cwd=tmp_path) == ["a.darshan", "all"]
    assert complete("darrow", "sql", "--about", "posix") == ["posix", "posix_files", "posix_jobs"]
    assert complete("darrow", "sql", "select 1", "a", cwd=tmp_path) == ["a.darshan", "all"]
    assert complete("darrow", "sql", "--lake", "a", cwd=tmp_path) == ["all"]


@needs_bash
def test_actions_in_bash(tmp_path: Path):
    (tmp_path / "a.darshan").write_bytes(b"")
    assert complete("darrow", "lake", "") == ["compact", "info", "update"]
    assert complete("darrow", "lake", "info") == ["info"]  # a command has this name too
    assert complete("darrow", "lake", "info", "--format", "c") == ["csv"]
    assert complete("darrow", "lake", "update", "lake", "a", cwd=tmp_path) == ["a.darshan"]
    assert complete("darrow", "lake", "compact", "a", cwd=tmp_path) == []


@needs_bash
def test_files_in_bash(tmp_path: Path):
    """Names stay whole, whatever is in them, and no pattern is taken for one."""
    names = ["a b.darshan", "a*.darshan", "a[1].darshan", "a1.darshan", "ä.darshan"]
    for name in names:
        (tmp_path / name).write_bytes(b"")
    assert complete("darrow", "info", "", cwd=tmp_path) == sorted(names)
    assert complete("darrow", "info", "a b", cwd=tmp_path) == ["a b.darshan"]
    assert complete("darrow", "merge", "-o", "a*", cwd=tmp_path) == ["a*.darshan"]
    assert complete("darrow", "info", "b*", cwd=tmp_path) == []


@needs_bash
@pytest.mark.parametrize("parted", [True, False])
def test_values_after_an_equals_sign_in_bash(parted: bool, tmp_path: Path):
    """Whether bash parts words there, as it does by default, or not."""
    (tmp_path / "a.darshan").write_bytes(b"")

    def values(command: str, option: str, start: str) -> list[str]:
        words = [option, "=", *filter(None, [start])] if parted else [f"{option}={start}"]
        proposed = complete("darrow", command, *words, cwd=tmp_path)
        return proposed if parted else [word.removeprefix(f"{option}=") for word in proposed]

    assert values("convert", "--compression", "b") == ["bzip2"]
    assert values("info", "--format", "") == ["csv", "json", "table"]
    assert values("merge", "--output", "a") == ["a.darshan"]
    assert values("summary", "--limit", "a") == []
    assert len(values("parse", "--compat", "")) > 0


@needs_bash
def test_what_bash_types(tmp_path: Path):
    """In a terminal, with quotes and blanks; only directories where no file can be meant."""
    (tmp_path / "my log.darshan").write_bytes(b"")
    (tmp_path / "all tables").mkdir()
    rc = tmp_path / "rc"
    rc.write_text(text_of("completion", "bash") + "darrow() { printf '<%s>' \"$@\"; }; PS1=; HISTFILE=\n")
    for typed, completed in (
        ("info my", "<info><my log.darshan>"),
        ("info my\\ l", "<info><my log.darshan>"),
        ('info "my l', "<info><my log.darshan>"),
        ("info ./my\\ ", "<info><./my log.darshan>"),
        ("import al", "<import><all tables/>"),
        ('import "all', "<import><all tables/>"),
        ("import my", "<import><my>"),
        ("export my\t-o al", "<export><my log.darshan><-o><all tables/>"),
    ):
        main, other = pty.openpty()
        with subprocess.Popen(
            ["bash", "--noprofile", "--rcfile", rc, "-i"],
            stdin=other, stdout=other, stderr=other, cwd=tmp_path, start_new_session=True,
        ) as bash:  # fmt: skip
            os.close(other)
            os.write(main, f"darrow {typed}\t\nexit\n".encode())
            said = b""
            with contextlib.suppress(OSError):  # the end of a terminal
                while more := os.read(main, 4096):
                    said += more
            os.close(main)
            bash.wait()
        assert completed.encode() in said, (typed, said)


@pytest.mark.parametrize("shell", SHELLS)
def test_every_option_is_in_the_script(shell: str):
    script = text_of("completion", shell)
    for name in (*COMMANDS, *ACTIONS):
        assert name in script
        for option in options_of(name) - {"-h", "--help"}:
            mark = option if shell != "fish" else f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            assert mark in script, (name, option)


@pytest.mark.parametrize(("shell", "check"), [("bash", "bash -n"), ("zsh", "zsh -n"), ("fish", "fish --no-execute")])
def test_the_shell_takes_the_script(shell: str, check: str, tmp_path: Path):
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    script = tmp_path / "script"
    script.write_text(text_of("completion", shell))
    subprocess.run([*check.split(), script], check=True)


def test_descriptions_are_whole():
    """With what stands behind semicolons and colons, which zsh needs escaped."""
    help_text = "and exit codes those of the build: 255 where it stops, else 0"
    assert help_text in text_of("completion", "fish")
    assert help_text.replace(":", "\\:") in text_of("completion", "zsh")
    for line in re.findall(r"^ +'--\S+=?-?\[.*$", text_of("completion", "zsh"), re.MULTILINE):
        description = line[line.index("[") + 1 : line.index("]")]
        assert not re.search(r"(?<!\\):", description), line


def test_quotes_are_closed():
    """Also where there is no shell to ask: descriptions hold nothing that ends them."""
    for shell in ("zsh", "fish"):
        for line in text_of("completion", shell).splitlines():
            assert line.startswith("#") or line.count("'") % 2 == 0, line


@pytest.mark.parametrize("arguments", [[], ["tcsh"], ["bash", "zsh"]])
def test_shells_that_are_not_known(arguments: list[str]):
    run = darrow("completion", *arguments)
    assert (run.returncode, run.stdout) == (USAGE, b"")
    assert complaints(run)[0] == "darrow: completion: one shell is needed, of bash, zsh, fish"


def test_help_of_completion():
    text = text_of("completion", "--help")
    assert text_of("help", "completion") == text
    assert text_of("help", "--help") == text_of("help", "help")
    assert "\nExamples:\n  darrow completion bash " in text


def test_what_fish_proposes(tmp_path: Path):
    if shutil.which("fish") is None:
        pytest.skip("needs fish")
    script = tmp_path / "darrow.fish"
    script.write_text(text_of("completion", "fish"))
    (tmp_path / "a.darshan").write_bytes(b"")
    (tmp_path / "all").mkdir()

    def proposed(line: str) -> set[str]:
        run = subprocess.run(
            ["fish", "--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"', script.name, line],
            capture_output=True, text=True, check=True, cwd=tmp_path,
        )  # fmt: skip
        assert run.stderr == ""
        return {line.partition("\t")[0] for line in run.stdout.splitlines()}

    assert set(COMMANDS) < proposed("darrow ")
    assert proposed("darrow lake ") == {"update", "compact", "info"}
    assert proposed("darrow lake info --") == {"--format"}
    assert "--strict" in proposed("darrow info --")
    assert proposed("darrow export --format ") == {"parquet", "csv", "json", "arrow"}
    assert proposed("darrow export a") == {"a.darshan", "all/"}
    assert proposed("darrow import a") == proposed("darrow export -o a") == {"all/"}


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("darrow lak", "lake"),
        ("darrow lake up", "lake update"),
        ("darrow lake update --forg", "lake update --forget-vanished"),
        ("darrow export --format pa", "export --format parquet"),
        ("darrow export a.", "export a.darshan"),
        ("darrow import a", "import all"),  # Enter takes the slash away
        ("darrow info --str", "info --strict"),
    ],
)
def test_what_zsh_types(typed: str, completed: str, tmp_path: Path):
    if shutil.which("zsh") is None:
        pytest.skip("needs zsh")
    functions = tmp_path / "functions"
    functions.mkdir()
    (functions / "_darrow").write_text(text_of("completion", "zsh"))
    (tmp_path / "a.darshan").write_bytes(b"")
    (tmp_path / "all").mkdir()
    setup = "fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word; PS1="
    report = 'darrow() { print -r -- "<$*>"; }'
    main, other = pty.openpty()
    with subprocess.Popen(
        ["zsh", "-f", "-i"], stdin=other, stdout=other, stderr=other, cwd=tmp_path, start_new_session=True,
        env={**os.environ, "TERM": "dumb", "HOME": str(tmp_path)},
    ) as zsh:  # fmt: skip
        os.close(other)
        os.write(main, f"{setup}; {report}\n{typed}\t\nexit\n".encode())
        said = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while more := os.read(main, 4096):
                said += more
        os.close(main)
        zsh.wait()
    assert f"<{completed}>".encode() in said, said


# Man pages ------------------------------------------------------------------------------------------------------------


def shown(page: str) -> str:
    """The page as a terminal shows it, without what makes letters bold."""
    tool = shutil.which("groff")
    if tool is None:
        pytest.skip("needs groff")
    run = subprocess.run(
        [tool, "-ww", "-K", "utf8", "-man", "-Tutf8", "-rLL=200n"], input=page.encode(), capture_output=True, check=True
    )
    assert run.stderr == b""
    return re.sub(r"\x1b\[[0-9;]*m|.\x08", "", run.stdout.decode())


@pytest.mark.parametrize("name", [*COMMANDS, "completion", "help"])
def test_man_pages(name: str):
    """All that --help tells, word for word."""
    page = shown(text_of("help", "--man", name))
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"):
        assert re.search(rf"^{section}$", page, re.MULTILINE)
    for option in options_of(name):
        assert re.search(rf"(^|[ ,]){option}\b", page, re.MULTILINE), option
    plain = re.sub(r"\W+", " ", page)
    for line in text_of(name, "--help").partition("\nExamples:\n")[2].splitlines():
        assert re.sub(r"\W+", " ", line).strip() in plain
    for word in re.findall(r"\S*\\\S*", text_of(name, "--help")):
        assert word in page


def test_actions_are_on_the_page_of_their_command():
    page = shown(text_of("help", "--man", "lake"))
    plain = re.sub(r"\s+", " ", page)
    for name in ACTIONS:
        text = text_of(*name.split(), "--help")
        assert f" darrow {name} [OPTION…] DIR" in plain
        assert text.splitlines()[0].partition(": ")[2].lower() in plain.lower()
        for option in options_of(name):
            assert re.search(rf"(^|[ ,]){option}\b", page, re.MULTILINE), option
    assert re.search(r"^ACTIONS$", page, re.MULTILINE)


def test_the_page_of_the_program():
    page = shown(text_of("help", "--man"))
    for name in COMMANDS:
        assert re.search(rf"^ +{name} ", page, re.MULTILINE)
    assert "Exit codes: 0 done" in page


def test_a_page_that_is_not_there():
    run = darrow("help", "--man", "nonsense")
    assert (run.returncode, run.stdout) == (USAGE, b"")
