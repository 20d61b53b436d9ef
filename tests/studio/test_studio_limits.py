"""Every request of the studio is bounded in time and size, and work that nobody waits for is ended."""

import asyncio
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.conftest import require

require("studio")

import uvicorn

import discreet
from discreet.studio import app, server
from discreet.studio.settings import MOST_TEXT, read_setting, read_text
from discreet.studio.telling.stories import OPENING_TABLE, STORIES
from discreet.studio.work import pool
from discreet.studio.work.answering import Question, answer

pytestmark = pytest.mark.slow  # every studio starts processes of its own
SLOW = "/?n=4&epsilon=7"
STUB = (sys.executable, str(Path(__file__).with_name("slow_studio.py")))
SOURCE = str(Path(discreet.__file__).parents[1])


@pytest.fixture
def at_work(tmp_path, monkeypatch):
    """The processes that are at work on something slow: their ids, in the order in which they began."""
    monkeypatch.setenv("SLOW_STUDIO", str(tmp_path))
    return lambda: [
        int(path.name)
        for path in sorted(tmp_path.glob("[0-9]*"), key=lambda path: path.stat().st_mtime_ns)
    ]


class ShortOfTime(pool.Pool):
    """Processes with little time for a question, but enough to say so: on a busy machine that may take seconds too."""

    async def ask(self, question, seconds=None):
        return await super().ask(question, None if question.given_up else seconds or 1)


@contextmanager
def studio(*, kind=pool.Pool, ahead=False, **limits):
    """Serve a studio with limits of its own; yield its port and its processes."""
    made = []

    def make():
        made.append(kind(command=STUB, **limits))
        return made[0]

    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app.build(server.names("127.0.0.1"), make, ahead=ahead), log_level="warning", lifespan="on"
    )
    serving = uvicorn.Server(config)
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    until(lambda: serving.started)
    try:
        yield listener.getsockname()[1], made[0]
    finally:
        serving.should_exit = True
        thread.join(timeout=120)
        listener.close()
        assert not thread.is_alive()
        assert not made[0].processes


def get(port, path, headers=()):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=300)) as connection:
        connection.request("GET", path, headers={"Connection": "close", **dict(headers)})
        reply = connection.getresponse()
        return (
            reply.status,
            reply.getheader("content-type"),
            reply.read().decode("utf-8", "replace"),
        )


@contextmanager
def asking(port, path):
    """Ask, and leave at the end without having read anything."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        yield


def until(true, seconds=120.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


def runs(pid):
    """Whether a process is still there and not just waiting to be collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_work_that_nobody_waits_for_ends_soon_and_others_are_answered_meanwhile(at_work):
    with studio(seconds=600) as (port, _):
        with asking(port, SLOW):
            until(at_work)
            (pid,) = at_work()
            assert runs(pid)
            assert get(port, "/?n=3&epsilon=1")[0] == 200, "others are answered"
            assert runs(pid), "as long as someone waits"
        until(lambda: not runs(pid))  # long before the 600 seconds that it may take
        assert get(port, "/?n=3&epsilon=1")[0] == 200


def test_the_plan_that_the_page_opens_with_is_there_before_it_is_asked_for():
    asked = []

    class Noting(pool.Pool):
        async def ask(self, question, seconds=None):
            asked.append(question.part)
            return await super().ask(question, seconds)

    with studio(kind=Noting, ahead=True) as (port, _):
        page = get(port, f"/?{OPENING_TABLE.but(sizes='').query()}")[2]
        assert f'data-table="{OPENING_TABLE.sizes}|{OPENING_TABLE.questions}|"' in page, (
            "the first of the examples"
        )
        until(lambda: asked == ["page", "table", "table"])
        query = OPENING_TABLE.but(n="5", privacy="0.5").query()

        def known():
            before, reply = len(asked), get(port, f"/table?{query}")
            return reply[2] if len(asked) == before else ""

        until(known)
        assert known() == answer(Question(part="table", query=query, base="")).body.decode(), (
            "whatever the tabs show"
        )
        until(
            lambda: get(port, f"/table/at-once?{STORIES['team'].setting.query()}")[2] == ""
        )  # nothing comes before it
        before = len(asked)
        assert (
            get(port, f"/table?{STORIES['team'].setting.query()}")[0] == 200
            and len(asked) == before
        )
        get(port, f"/table?{OPENING_TABLE.but(table_epsilon='2').query()}")
        assert asked[before:] == ["table"], "another one is planned"


def test_work_that_is_nearly_done_is_not_thrown_away(at_work, tmp_path, monkeypatch):
    monkeypatch.setattr(app, "GRACE", 300.0)
    with studio(seconds=600) as (port, processes):
        assert get(port, "/?n=3&epsilon=1")[0] == 200
        until(lambda: len(processes._idle) == 2)
        before = set(processes.processes)
        with asking(port, "/?n=3&epsilon=6"):
            until(at_work)
        assert len(processes._idle) == 1
        (tmp_path / "go").touch()
        until(lambda: len(processes._idle) == 2)
        assert processes.processes == before


TOO_LONG = (
    (SLOW, "text/html", "discreet design --n 4 --epsilon 7 -o mechanism.json"),
    (
        f"{SLOW}&prior=1/5+1/5+1/5+1/5+1/5",
        "text/html",
        "m = dc.design(n=4, epsilon=&#34;7&#34;, prior=",
    ),
    ("/files/figure.png" + SLOW[1:], "text/plain", 'm = dc.design(n=4, epsilon="7")'),
)


def test_what_takes_too_long_is_ended_and_answered_with_the_line_that_does_it(at_work):
    with studio(kind=ShortOfTime, seconds=600, at_once=len(TOO_LONG)) as (port, _):
        get(port, "/?n=3&epsilon=1")
        with ThreadPoolExecutor(len(TOO_LONG)) as askers:
            replies = list(askers.map(lambda asked: get(port, asked[0]), TOO_LONG))
        for (_, kind, line), (status, found, text) in zip(TOO_LONG, replies, strict=True):
            assert status == 503 and found.startswith(kind)
            assert "this takes longer than 1 s on this page: compute it with" in text
            assert line in text
        until(lambda: not any(runs(pid) for pid in at_work()))
        until(lambda: get(port, "/?n=3&epsilon=1")[0] == 200)  # new processes start


def test_a_price_that_takes_long_says_so_and_offers_itself(at_work, monkeypatch):
    monkeypatch.setattr(app, "PATIENCE", 0.3)
    with studio(kind=ShortOfTime, seconds=600) as (port, _):
        get(port, "/?n=3&epsilon=1")
        status, kind, text = get(port, "/price/F" + SLOW[1:])
        assert (status, kind) == (200, "text/html; charset=utf-8")
        assert (
            'takes long: <button type="button" class="small" data-compute="F">compute</button>'
            in text
        )
        assert 'data-compute="advice"' in get(port, "/advice" + SLOW[1:])[2]
        assert (
            "this takes longer than 1 s on this page" in get(port, f"/price/F{SLOW[1:]}&long=1")[2]
        )
        until(lambda: not any(runs(pid) for pid in at_work()))


def test_who_finds_everybody_at_work_is_told_so_in_time(at_work):
    with studio(seconds=600, at_once=1) as (port, processes), asking(port, SLOW):
        until(at_work)
        processes.seconds = 0.5
        status, kind, text = get(port, "/?n=3&epsilon=1")
        assert (status, kind) == (503, "text/plain; charset=utf-8")
        assert text == "the studio is busy with other designs: try again in a moment"


def test_a_process_that_dies_costs_one_answer_only(at_work):
    with studio(seconds=600) as (port, _):
        found = []
        asker = threading.Thread(target=lambda: found.append(get(port, SLOW)))
        asker.start()
        until(at_work)
        os.kill(at_work()[0], signal.SIGKILL)
        asker.join(timeout=300)
        assert found[0][0] == 503
        assert "ended without an answer" in found[0][2]
        assert get(port, "/?n=3&epsilon=1")[0] == 200


def test_a_stopped_studio_leaves_nothing_running(at_work):
    with studio(seconds=600) as (port, processes), asking(port, SLOW):
        until(at_work)
        until(lambda: len(processes.processes) >= 2)
        pids = [process.pid for process in processes.processes]
    until(lambda: not any(map(runs, pids)))


def test_a_process_whose_server_was_killed_ends_by_itself(at_work):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([SOURCE, str(Path(__file__).parents[2])])}
    line = json.dumps(asdict(Question(part="page", query=SLOW[2:], base=""))).encode() + b"\n"
    with subprocess.Popen(
        [*STUB, "0.5"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    ) as process:
        process.stdin.write(line)
        process.stdin.flush()  # and stays open: nobody says that it is over
        assert process.wait(timeout=300) == -signal.SIGALRM
    with subprocess.Popen(
        [*STUB, "60"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    ) as process:
        process.stdin.close()
        assert process.wait(timeout=300) == 0


def test_a_failure_of_ours_is_answered_and_the_process_goes_on(tmp_path):
    stub = tmp_path / "failing.py"
    stub.write_text(
        "import sys\nfrom discreet.studio.work.process import main\nfrom discreet.studio.work.answering import answer\n"
        "def work(question):\n    print('printed in between')\n"
        "    return answer(question) if 'n=3' in question.query else 1 / 0\n"
        "main(float(sys.argv[1]), work)\n"
    )

    async def asked():
        async with pool.Pool(command=(sys.executable, str(stub))) as made:
            failed = await made.ask(Question(part="advice", query="n=4&epsilon=1", base=""))
            at_work = set(made.processes)
            answered = await made.ask(Question(part="advice", query="n=3&epsilon=1", base=""))
            return failed.status, answered.status, at_work <= made.processes

    with ThreadPoolExecutor(1) as thread:  # the browser's tests leave a loop running in this one
        assert thread.submit(asyncio.run, asked()).result() == (500, 200, True)


def test_addresses_and_entries_have_a_largest_size():
    with studio() as (port, processes):
        status, _, text = get(port, "/?prior=" + "1" * app.MOST_QUERY)
        assert status == 414
        assert text == "an address may carry at most 30,000 characters here"
        status, _, text = get(port, "/?n=2&epsilon=1&prior=" + "1" * (MOST_TEXT + 1))
        assert status == 200
        assert ">prior must be at most 4,000 characters on this page, not 4,001" in text
        assert get(port, "/?" + "&".join(f"pin=n%3D{k}" for k in range(60)))[0] == 200
        assert len(processes.processes) <= pool.AT_ONCE + 1


def test_a_long_entry_is_refused_never_cut():
    weights = " ".join(["1/41"] * 41)
    assert read_setting(read_text(f"n=40&epsilon=1&prior={weights}")).valid
    many = " ".join(["1/4100000"] * 1000)
    assert set(read_setting(read_text(f"n=40&epsilon=1&prior={many}")).errors) == {"prior"}
    assert set(read_setting(read_text(f"n={'1' * 5000}&epsilon={'1' * 5000}")).errors) == {
        "n",
        "epsilon",
    }
    assert (
        answer(Question(part="page", query=f"n=40&epsilon=1&prior={many}", base="")).status == 200
    )


def test_a_real_design_is_ended_inside_the_solver(at_work):
    with studio(seconds=600) as (port, processes):
        get(port, "/?n=3&epsilon=1")
        for seconds in (1, 10, 100):  # on a busy machine time may be up before the work has begun
            processes.seconds = seconds
            status, _, text = get(port, "/?n=4&epsilon=5")
            assert status == 503 and f"longer than {seconds} s" in text
            if at_work():
                break
        (pid,) = at_work()
        until(lambda: not runs(pid))  # long before the 605 seconds after which it ends by itself
        processes.seconds = 600
        assert get(port, "/?n=3&epsilon=1")[0] == 200
