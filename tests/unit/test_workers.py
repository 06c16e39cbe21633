from __future__ import annotations

import os
import signal
import sys
import threading

import pytest

from torus_site import workers
from torus_site.errors import BuildError, Problem
from torus_site.workers import FEWEST, share

MANY = range(FEWEST * 3 + 1)
HERE = str(os.getpid()).encode()
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")


def double(number):
    return str(2 * number).encode()


def tell_process(_):
    return str(os.getpid()).encode()


@pytest.fixture(autouse=True)
def alone(request, monkeypatch):
    """Let the tests stand alone: what others used in this process may have left idle threads."""
    if "beside_another_thread" not in request.node.name:
        monkeypatch.setattr(workers.threading, "active_count", lambda: 1)


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_thing_is_worked_on_once_whatever_the_number_of_jobs(jobs):
    done = list(share(double, MANY, jobs=jobs))
    assert sorted(done) == [(number, double(number)) for number in MANY]


def test_no_work_is_no_trouble():
    assert list(share(double, [], jobs=2)) == []


@on_linux
def test_much_work_is_done_in_other_processes():
    found = {number for _, number in share(tell_process, MANY, jobs=2)}
    assert HERE not in found
    assert 1 <= len(found) <= 2


@on_linux
def test_a_few_heavy_pieces_are_shared_when_asked_for():
    assert HERE not in {number for _, number in share(tell_process, range(2), jobs=2, fewest=2)}


def test_an_answer_may_be_long():
    done = dict(share(lambda number: bytes([number]) * 1_000_000, range(7), jobs=3, fewest=2))
    assert done == {number: bytes([number]) * 1_000_000 for number in range(7)}


def test_little_work_is_done_in_this_process():
    found = {number for _, number in share(tell_process, range(FEWEST - 1), jobs=2)}
    assert found == {HERE}


def test_beside_another_thread_all_is_done_in_this_process():
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        found = {number for _, number in share(tell_process, MANY, jobs=2)}
    finally:
        done.set()
        thread.join()
    assert found == {HERE}


def test_elsewhere_than_on_linux_all_is_done_in_this_process(monkeypatch):
    monkeypatch.setattr(workers.sys, "platform", "other")
    assert {number for _, number in share(tell_process, MANY, jobs=2)} == {HERE}


def test_an_error_in_a_copy_is_raised_here_with_its_problems():
    def work(number):
        if number == 7:
            raise BuildError(Problem("page.md", found="seven"))
        return b"fine"

    with pytest.raises(BuildError, match=r"page\.md: found seven"):
        list(share(work, MANY, jobs=2))


@on_linux
def test_what_a_killed_copy_left_is_done_here():
    here = os.getpid()

    def work(number):
        if number % 10 == 3 and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return double(number)

    assert sorted(share(work, MANY, jobs=2)) == [(number, double(number)) for number in MANY]


@on_linux
def test_copies_end_when_nobody_wants_their_answers_any_more(monkeypatch):
    fork, made = os.fork, []

    def fork_and_tell():
        copy = fork()
        made.append(copy)
        return copy

    monkeypatch.setattr(workers.os, "fork", fork_and_tell)
    answers = share(double, range(100_000), jobs=2)
    next(answers)
    answers.close()
    assert len(made) == 2
    for copy in made:
        with pytest.raises(ChildProcessError):
            os.waitpid(copy, os.WNOHANG)


@on_linux
@pytest.mark.parametrize("possible", [0, 1])
def test_where_no_more_copies_can_be_made_the_work_is_done_all_the_same(monkeypatch, possible):
    fork, made = os.fork, []

    def fork_until_full():
        if len(made) == possible:
            raise BlockingIOError
        made.append(1)
        return fork()

    monkeypatch.setattr(workers.os, "fork", fork_until_full)
    assert sorted(share(double, MANY, jobs=3)) == [(number, double(number)) for number in MANY]
