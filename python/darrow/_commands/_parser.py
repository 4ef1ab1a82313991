"""What a command takes, told once: its command line, --help, and what `darrow` makes completion and man pages from."""

from __future__ import annotations

import argparse
import sys
from textwrap import fill, wrap

from darrow._commands._common import USAGE, complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, NoReturn

FORMAT_HELP = "table (for people, the default), csv or json"
LOGS_HELP = (
    "a directory stands for all files below it that end with .darshan, a quoted pattern ('runs/*.darshan') for what "
    "it matches, @FILE for the lines of a file (@- of the standard input)"
)
_WIDTH = 80
_TEXT_AT = 27  # where help texts begin
# What a shell proposes for a value, by what stands for it.
_PROPOSED = {"DIR": "directories", "FILE": "files", "LOG": "files", "OUT": "files", "PATH": "files"}


class Parser(argparse.ArgumentParser):
    """The options of a command, or of an action of one: those of `add_subparsers`.

    Parameters
    ----------
    prog
        What is typed: "darrow lake update".
    summary, takes, about, exits
        What it does in a few words, what stands behind `prog` ("[OPTION…] LOG… -o DIR"), paragraphs, and what the
        exit codes mean.
    examples
        Command lines.
    """

    def __init__(
        self, prog: str, *, summary: str, takes: str, about: str, exits: str, examples: Sequence[str], **others: Any
    ) -> None:
        super().__init__(prog=prog, add_help=False, allow_abbrev=False, **others)
        self._summary, self._takes, self._examples = summary, takes, examples
        self._about = "\n\n".join(_filled(paragraph) for paragraph in about.split("\n\n"))
        self._exits = _filled(f"Exit codes: {exits}").removeprefix("Exit codes: ")
        self._words: dict[str, Callable[[], Iterable[str]]] = {}
        self.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
        self.add_argument("--command-table", action=_Tell, nargs=0, help=argparse.SUPPRESS)

    def propose(self, option: str, words: Callable[[], Iterable[str]]) -> None:
        """Has shells propose words for the value of an option that takes others too."""
        self._words[option] = words

    def error(self, message: str) -> NoReturn:
        complain(f"{message}; {self.prog} --help tells more")
        raise SystemExit(USAGE)

    # For people

    def format_help(self) -> str:
        text = f"{self.prog}: {self._summary}.\n\nUsage: {self.prog} {self._takes}\n\n{self._about}\n"
        if actions := self._actions_of_it():
            text += "\nActions:\n" + "".join(_line(f"  {name}", it._summary) for name, it in actions)
            text += f"{self.prog} ACTION --help tells more.\n"
        text += "\nOptions:\n"
        for option in self._options():
            names = ", ".join(option.option_strings)
            text += _line(f"  {names} {_value(option)}".rstrip(), option.help or "")
        text += _line("  -h, --help", "this help")
        text += f"\nExit codes: {self._exits}\n\nExamples:\n"
        return text + "".join(f"  {example}\n" for example in self._examples)

    def print_help(self, file: Any = None) -> None:
        _write(self.format_help())

    # For `darrow`

    def table(self) -> Iterator[str]:
        """The same as entries, "KEY VALUE" each, which `src/cli/told_table.cpp` reads; those of actions follow."""
        yield f"command {self.prog.removeprefix('darrow ')}"
        yield f"summary {self._summary}"
        yield f"usage {self._takes}"
        yield f"about {self._about}\n"
        for argument in self._actions:
            if not argument.option_strings and not isinstance(argument, argparse._SubParsersAction):
                yield from self._argument(argument)
        for option in self._options():
            yield f"option {', '.join(option.option_strings)}"
            yield from self._value_of(option, _value(option))
            yield f"help {option.help}"
            if isinstance(option, argparse._AppendAction):
                yield "again "
        yield f"exits {self._exits}\n"
        for example in self._examples:
            yield f"example {example}"
        for _, action in self._actions_of_it():
            yield from action.table()

    def _argument(self, argument: argparse.Action) -> Iterator[str]:
        names = argument.metavar if isinstance(argument.metavar, tuple) else (argument.metavar or argument.dest,)
        for name in names:
            yield f"argument {name}"
            yield from self._value_of(argument, name)
        if argument.nargs:
            yield "again "

    def _value_of(self, option: argparse.Action, value: str) -> Iterator[str]:
        if value and option.option_strings:
            yield f"value {value}"
        if value in _PROPOSED:
            yield f"propose {_PROPOSED[value]}"
        words = self._words.get(option.option_strings[-1]) if option.option_strings else None
        for choice in option.choices or (words() if words else ()):
            yield f"choice {choice}"

    def _options(self) -> list[argparse.Action]:
        return [it for it in self._actions if it.option_strings and it.help != argparse.SUPPRESS]

    def _actions_of_it(self) -> list[tuple[str, Parser]]:
        of = [it for it in self._actions if isinstance(it, argparse._SubParsersAction)]
        return [pair for it in of for pair in it.choices.items()]


class _Tell(argparse.Action):
    """`--command-table`: the entries, a NUL byte behind each."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        assert isinstance(parser, Parser)
        _write("".join(f"{entry}\0" for entry in ("darrow-command-table 1", *parser.table(), "end ")))
        raise SystemExit


def _value(option: argparse.Action) -> str:
    return "" if option.nargs == 0 else str(option.metavar)


def _filled(text: str) -> str:
    return fill(text, _WIDTH, break_on_hyphens=False, break_long_words=False)


def _line(head: str, text: str) -> str:
    """A head and its text, in a column of its own."""
    lines = wrap(text, _WIDTH - _TEXT_AT, break_on_hyphens=False, break_long_words=False)
    if len(head) + 2 > _TEXT_AT:
        lines.insert(0, "")
    return (
        "\n".join([head.ljust(_TEXT_AT if lines[0] else 0) + lines[0], *(" " * _TEXT_AT + it for it in lines[1:])])
        + "\n"
    )


def _write(text: str) -> None:
    """In UTF-8, as all of `darrow` writes."""
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()
