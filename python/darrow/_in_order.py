"""Logs worked on by several threads; what comes of them is handed out in their order."""

from __future__ import annotations

import atexit
import os
from collections import deque
from threading import Condition, Thread
from weakref import WeakSet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    # Of some logs that follow one another, and the position of the first of them among all, the results; None is none,
    # but says that the work may end here.
    Work = Callable[[int, list[bytes]], Iterator[Any]]

# Logs that one thread takes at a time, and results of them that may wait.
_MOST_LOGS = 1024
_AHEAD = 3


class InOrder:
    """What a function gives for logs, to be gone through once; whoever goes no further ends the work.

    With several threads, parts of the logs are worked on at the same time: as many ahead of the one whose results are
    taken, and as many results of each, as keep the threads busy. An error comes where it would come without threads,
    and ends the work on what lies behind it.
    """

    def __init__(self, logs: list[bytes], threads: int, work: Work) -> None:
        self._logs = logs
        self._work = work
        self._threads = min(threads, len(logs))
        self._workers: list[Thread] = []
        self._changed = Condition()
        self._parts: list[_Part] = []
        self._begun = 0  # parts that a thread has taken
        self._taken = 0  # and those whose results were all handed out
        self._wanted = 0  # no part from here on is wanted

    def __iter__(self) -> Iterator[Any]:
        if self._threads > 1:
            return self._in_threads()
        return (result for result in self._work(0, self._logs) if result is not None)

    def _in_threads(self) -> Iterator[Any]:
        size = max(1, min(_MOST_LOGS, -(-len(self._logs) // (4 * self._threads))))
        self._parts = [_Part(first, self._logs[first : first + size]) for first in range(0, len(self._logs), size)]
        self._wanted = len(self._parts)
        self._workers = [Thread(target=self._run, daemon=True) for _ in range(self._threads)]
        _running.add(self)
        try:
            for thread in self._workers:
                thread.start()
            for part in self._parts:
                while (result := self._next_of(part)) is not None:
                    yield result
                with self._changed:
                    self._taken += 1
                    self._changed.notify_all()
        finally:
            self.stop()

    def stop(self) -> None:
        """Ends the work of the threads, and waits for them."""
        with self._changed:
            self._wanted = 0
            self._changed.notify_all()
        for thread in self._workers:
            if thread.ident is not None:
                thread.join()

    def without_threads(self) -> None:
        """After a fork: there are no threads here, and nobody gives back what they held."""
        self._changed = Condition()
        self._workers = []
        self._wanted = 0

    def _next_of(self, part: _Part) -> Any:
        with self._changed:
            self._changed.wait_for(lambda: part.results or part.is_done or not self._wanted)
            if part.results:
                self._changed.notify_all()
                return part.results.popleft()
        if not part.is_done:
            raise RuntimeError("reading was ended: by the end of Python, or by a fork, which leaves threads behind")
        error, part.error = part.error, None
        try:
            if error is not None:
                raise error
        finally:
            del error  # its traceback holds this frame: a ring otherwise
        return None

    def _run(self) -> None:
        """Works on one part after the other until there is none."""
        while (number := self._begin()) is not None:
            part = self._parts[number]
            try:
                for result in self._work(part.first, part.logs):
                    if not self._put(number, result):
                        break
            except BaseException as error:  # of this thread; raised again in the one that waits
                part.error = error
            with self._changed:
                if part.error is not None:
                    self._wanted = min(self._wanted, number + 1)
                part.is_done = True
                self._changed.notify_all()

    def _begin(self) -> int | None:
        """The next part, once it is not too far ahead; None if there is no other."""
        with self._changed:
            self._changed.wait_for(lambda: self._begun >= self._wanted or self._begun < self._taken + 2 * self._threads)
            if self._begun >= self._wanted:
                return None
            self._begun += 1
            return self._begun - 1

    def _put(self, number: int, result: Any) -> bool:
        """False if nobody wants the part any more."""
        part = self._parts[number]
        if result is not None:
            with self._changed:
                self._changed.wait_for(lambda: len(part.results) < _AHEAD or number >= self._wanted)
                part.results.append(result)
                self._changed.notify_all()
        return number < self._wanted


class _Part:
    """Some logs that follow one another, and what waits of them."""

    def __init__(self, first: int, logs: list[bytes]) -> None:
        self.first = first
        self.logs = logs
        self.results: deque[Any] = deque()
        self.error: BaseException | None = None
        self.is_done = False


# Threads that still work when Python ends would end the process with an abort: they are stopped before.
_running: WeakSet[InOrder] = WeakSet()


@atexit.register
def _stop_all() -> None:
    for one in list(_running):
        one.stop()


def _after_fork() -> None:
    for one in list(_running):
        one.without_threads()
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
