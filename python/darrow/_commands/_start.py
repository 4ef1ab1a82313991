"""The programs of the package. They import what they need once Ctrl-C is no traceback any more."""

from __future__ import annotations

import os
import signal
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def export() -> int:
    """The program darrow-export: returns its exit code, as all here."""
    return _start("export")


def import_() -> int:
    """The program darrow-import."""
    return _start("import_")


def sql() -> int:
    """The program darrow-sql."""
    return _start("sql")


def lake() -> int:
    """The program darrow-lake."""
    return _start("lake")


def _start(command: str) -> int:
    """Runs a command. `darrow` starts it with SIGINT blocked, which would reach Python before it can be handled."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, as the caller wants it
        signal.signal(signal.SIGINT, _interrupted)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    return int(import_module(f"darrow._commands.{command}").main())


def _interrupted(_signal: int, _frame: object) -> NoReturn:
    os._exit(128 + signal.SIGINT)
