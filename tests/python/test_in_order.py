"""Logs worked on by several threads: results in order, none that nobody wants, an end when there should be one."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator

import darrow
import pytest
from corpus import DATA
from darrow._in_order import InOrder
from darrow.scanned import _ScanReader
from robustness import in_child

GOOD = str(DATA / "example.darshan")
DAMAGED = str(DATA / "badver_mod.darshan")
LOGS = [str(number).encode() for number in range(400)]
EACH_PART = -(-len(LOGS) // 16)  # of four threads


def names(first: int, logs: list[bytes]) -> Iterator[str | None]:
    """Each log with its position, at an uneven pace."""
    for position, log in enumerate(logs, first):
        yield None
        time.sleep(random.random() / 2000)
        yield f"{position} {log.decode()}"


@pytest.mark.parametrize("threads", [1, 2, 4, 1000])
def test_order(threads: int) -> None:
    assert list(InOrder(LOGS, threads, names)) == [f"{number} {number}" for number in range(len(LOGS))]
    assert list(InOrder([], threads, names)) == []


def test_no_more_is_read_than_is_wanted() -> None:
    begun: list[int] = []

    def work(first: int, logs: list[bytes]) -> Iterator[int]:
        begun.append(first)
        yield from range(first, first + len(logs))

    results = iter(InOrder(LOGS, 4, work))
    assert next(results) == 0
    time.sleep(0.5)
    assert len(begun) <= 8
    assert [0, *results] == list(range(len(LOGS)))
    assert begun == sorted(begun)


def test_an_error_comes_in_order_and_ends_the_work() -> None:
    begun: list[int] = []

    def work(first: int, logs: list[bytes]) -> Iterator[int | None]:
        begun.append(first)
        if first == 3 * EACH_PART:
            raise ValueError("here")
        while first > 3 * EACH_PART:
            yield None  # without end, but for the error
        yield from range(first, first + len(logs))

    results: list[int] = []
    with pytest.raises(ValueError, match="here"):
        results.extend(InOrder(LOGS, 4, work))
    assert len(begun) < 12


def test_who_goes_no_further_ends_the_work() -> None:
    def endless(first: int, logs: list[bytes]) -> Iterator[int | None]:
        yield first
        while True:
            yield None

    before = threading.active_count()
    results = iter(InOrder(LOGS, 4, endless))
    assert next(results) == 0
    assert threading.active_count() == before + 4
    del results
    assert threading.active_count() == before


def read_on_after_a_fork(log: str) -> str:
    batches = darrow.scan([log] * 300, threads=3)["POSIX"].batches(1)
    next(batches)
    inside, outside = os.pipe()
    if os.fork() == 0:
        try:
            for _ in batches:
                pass
        except RuntimeError as error:
            os.write(outside, str(error).encode())
        os._exit(0)
    os.wait()
    os.close(outside)
    assert sum(len(batch) for batch in batches) == 300 * len(darrow.open(log)["POSIX"]) - 1
    return os.read(inside, 1000).decode()


def test_a_fork_leaves_the_threads_behind() -> None:
    assert "fork" in in_child(read_on_after_a_fork, GOOD, seconds=60)


SUMS = {
    "aggregate": lambda dataset: dataset["POSIX"].aggregate(),
    "summary": lambda dataset: dataset.summary(by="job"),
    "no rows": lambda dataset: list(dataset["POSIX"].select(ids=[5]).batches()),
}


def interrupted(how: str, threads: int, log: str) -> list[object]:
    """Seconds until sums over logs that would take long have ended, and what they raised."""
    dataset = darrow.scan([log] * 200_000, threads=threads)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    try:
        SUMS[how](dataset)
    except KeyboardInterrupt:
        return [time.monotonic() - begin, "KeyboardInterrupt"]
    return [time.monotonic() - begin, ""]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("how", SUMS)
def test_an_interrupt_does_not_wait_for_all_logs(how: str, threads: int) -> None:
    seconds, raised = in_child(interrupted, how, threads, GOOD)
    assert raised == "KeyboardInterrupt"
    assert seconds < 5


def interrupted_anywhere(rounds: int) -> int:
    """How many of so many interrupts, each at another moment of work that takes longer, are raised."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    rng = random.Random(rounds)
    raised = 0
    for _ in range(rounds):
        signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.0005, 0.01))
        try:
            for _ in InOrder(LOGS * 200, 3, lambda first, logs: iter(range(first, first + len(logs)))):
                pass
            time.sleep(1)
        except KeyboardInterrupt:
            raised += 1
    return raised


def test_an_interrupt_at_any_moment_ends_the_work() -> None:
    """Between taking and giving back a lock, too: then the threads waited for ever."""
    assert in_child(interrupted_anywhere, 500, seconds=60) == 500


def interrupted_streams(rounds: int, log: str) -> list[str]:
    """What ended reads of a stream that were interrupted, each at another moment."""
    pytest.importorskip("pyarrow")
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    rng = random.Random(rounds)
    raised = set()
    dataset = darrow.scan([log] * 100_000, threads=3)
    for _ in range(rounds):
        signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.005, 0.03))
        try:
            dataset["POSIX"].select("rank").to_arrow()
        except (Exception, KeyboardInterrupt) as error:
            raised.add(type(error).__name__)
    return sorted(raised)


def test_interrupted_streams_raise_the_interrupt() -> None:
    """It was swallowed by callbacks that ran while the frames of the interrupted read ended."""
    assert in_child(interrupted_streams, 40, GOOD, seconds=60) == ["KeyboardInterrupt"]


def test_an_interrupt_that_another_callback_swallows_comes_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")

    def interrupted(*_: object) -> Iterator[None]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(_ScanReader, "batches", interrupted)
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        with pytest.raises(KeyboardInterrupt):
            darrow.scan(GOOD)["POSIX"].to_arrow()
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_error_does_not_wait_for_all_logs() -> None:
    dataset = darrow.scan([GOOD] * 2000 + [DAMAGED] + [GOOD] * 200_000, threads=2, strict=True)
    begin = time.monotonic()
    with pytest.raises(darrow.DarrowError, match="version 9"):
        dataset["POSIX"].aggregate()
    assert time.monotonic() - begin < 10
