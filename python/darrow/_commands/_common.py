"""What the commands share: messages, exit codes, progress."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from darrow.dataset import Dataset

# What a command tells its caller.
DONE = 0
USAGE = 2
LOST = 3  # something was lost or is untrusted, or some logs failed; the rest was done
NOTHING = 4  # nothing could be read or written


class Failed(Exception):
    """Ends a command with one line."""

    def __init__(self, message: str, code: int = NOTHING) -> None:
        super().__init__(message)
        self.code = code


class Terminated(BaseException):
    """SIGTERM: what is open is cleared away before the process ends."""


def complain(message: str) -> None:
    """One line on stderr."""
    text = " ".join(message.splitlines())
    print(f"darrow: {text}", file=sys.stderr)


def data_set(paths: Sequence[str]) -> tuple[Dataset, bool]:
    """The logs that arguments stand for, and whether some of these lead nowhere, which a line tells.

    Raises
    ------
    Failed
        There is no log at all.
    """
    from darrow import _core
    from darrow.dataset import Dataset

    logs, failures = _core.log_paths([os.fsencode(path) for path in paths], False)
    for path, message in failures:
        complain(f"{os.fsdecode(path)}: {message}")
    if not logs:
        raise Failed("there are no logs")
    return Dataset(logs), bool(failures)


class Progress:
    """A line on stderr that is written over, on terminals only."""

    def __init__(self, every: float = 0.1) -> None:
        self._shows = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._every = every
        self._last = 0.0
        self._width = 0

    def show(self, text: str) -> None:
        now = time.monotonic()
        if self._shows and now - self._last >= self._every:
            self._last = now
            print("\r" + text.ljust(self._width), end="", file=sys.stderr, flush=True)
            self._width = len(text)

    def clear(self) -> None:
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)
            self._width = 0


@contextmanager
def held_interrupts() -> Iterator[None]:
    """Ctrl-C waits: packages that are interrupted while they load abort, or seem to be missing."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run(command: Callable[[], int]) -> int:
    """Runs a command; what goes wrong becomes a line and an exit code, never a traceback."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, _terminate)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    sys.unraisablehook = _dropped
    before = signal.getsignal(signal.SIGINT)
    try:
        if before is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return _code_of(command)
        finally:
            signal.signal(signal.SIGINT, before)
            signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _code_of(command: Callable[[], int]) -> int:
    try:
        return command()
    except Failed as failure:
        complain(str(failure))
        return failure.code
    except Terminated:
        return 128 + signal.SIGTERM
    except (ValueError, ImportError) as error:  # DarrowError too
        complain(str(error))
    except MemoryError:
        complain("out of memory")
    except OSError as error:
        name = error.filename if error.filename is not None else ""
        complain(f"{os.fsdecode(name)}: {error.strerror}" if name and error.strerror else str(error))
    return NOTHING


def _dropped(unraisable: sys.UnraisableHookArgs) -> None:
    """Ctrl-C where Python drops what is raised (callbacks, as there are in imports) comes again a moment later."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, 0.01)
    else:
        sys.__unraisablehook__(unraisable)


def _terminate(_signal: int, _frame: object) -> None:
    raise Terminated
