"""How fast counts are released: `python -m bench.sampling`, one run, side by side.

1,000,000 counts in 0..12 through the geometric mechanism (alpha = 10/11) against the keystream's
own word rate, OpenDP's vector geometric noise with a clip, and diffprivlib's GeometricTruncated; 39
group sizes mixed in one call; and what large groups cost: a million draws of sizes mixed from 128
to 100,000, and one draw at n = 10^9 in a fresh process. Each rate is the best of several timed runs
of the whole call (checks included), for each second of processor time, so that other work on the
machine weighs on nobody; everything here runs on one thread. Whether small groups have become
slower since some commit says `python -m bench.versions COMMIT --only sampling`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import discreet as dc
from bench.machine import machine
from bench.peers import Peer, run_peer
from discreet.sampler import KeyedWords, ReleaseSecret, draw, system_words
from discreet.sampler.alias import build_table
from discreet.sampler.digits import draw_family

COUNTS, N, ALPHA = 1_000_000, 12, "10/11"
LARGE, NATION = (128, 100_000), 10**9
RESULT = Path("build/bench/sampling.json")

OPENDP = Peer(
    name="opendp",
    tries=(("opendp", "numpy"),),
    check="import opendp.prelude, numpy",
    script="""
import json, math, random, sys, time
from importlib.metadata import version
import numpy as np
import opendp.prelude as dp
size, n, runs = map(int, sys.argv[1:])
dp.enable_features("contrib")
space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
noisy = dp.m.make_geometric(*space, scale=1 / math.log(1.1))
counts = [random.randint(0, n) for _ in range(size)]
seconds, walls = [], []
for _ in range(runs):
    start, wall = time.process_time(), time.perf_counter()
    released = np.clip(np.asarray(noisy(counts)), 0, n)
    seconds.append(time.process_time() - start)
    walls.append(time.perf_counter() - wall)
assert released.shape == (size,)
print(json.dumps({"version": version("opendp"), "seconds": seconds, "wall": walls, "counts": size}))
""",
)
DIFFPRIVLIB = Peer(
    name="diffprivlib",
    tries=(("diffprivlib",), ("diffprivlib", "scikit-learn<1.7")),
    check="from diffprivlib.mechanisms import GeometricTruncated",
    script="""
import json, math, random, sys, time
from importlib.metadata import version
from diffprivlib.mechanisms import GeometricTruncated
size, n, runs = map(int, sys.argv[1:])
mechanism = GeometricTruncated(epsilon=math.log(1.1), sensitivity=1, lower=0, upper=n)
counts = [random.randint(0, n) for _ in range(size)]
seconds, walls = [], []
for _ in range(runs):
    start, wall = time.process_time(), time.perf_counter()
    released = [mechanism.randomise(count) for count in counts]
    seconds.append(time.process_time() - start)
    walls.append(time.perf_counter() - wall)
assert len(released) == size and 0 <= min(released) and max(released) <= n
print(json.dumps({"version": version("diffprivlib"), "seconds": seconds, "wall": walls, "counts": size}))
""",
)


def best(run: Callable[[], object], runs: int) -> float:
    """Return the least processor time of `runs` runs, after one to warm up."""
    run()
    times = []
    for _ in range(runs):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def raw_keystream() -> None:
    """Make as many words as there are counts, straight from the cipher, in pieces of 128 KiB."""
    cipher = Cipher(algorithms.AES(os.urandom(32)), modes.CTR(os.urandom(16))).encryptor()
    zeros, space = bytes(1 << 17), bytearray(1 << 17)
    for _ in range(0, COUNTS * 8, len(zeros)):
        cipher.update_into(zeros, space)


def our_rates(runs: int) -> dict[str, float]:
    """Return counts a second, best of `runs`, with whatever loop DISCREET_COMPILED asks for."""
    rng = np.random.default_rng(1)  # test data; the draws themselves use the system's words
    source, mechanism = system_words(), dc.geometric(n=N, alpha=ALPHA)
    counts = rng.integers(0, N + 1, COUNTS)
    sizes = [dc.geometric(n=n, alpha=ALPHA) for n in range(2, 41)]
    which = rng.integers(0, len(sizes), COUNTS)
    mixed = (rng.random(COUNTS) * (which + 3)).astype(np.int64)
    listed = counts.tolist()
    timed: dict[str, Callable[[], object]] = {
        "AES words, raw": raw_keystream,
        "AES words, taken": lambda: [source.take(1 << 15) for _ in range(0, COUNTS, 1 << 15)],
        "release, one size": lambda: mechanism.release(counts),
        "draw, 39 sizes": lambda: draw(sizes, which, mixed, source),
        "release, a list": lambda: mechanism.release(listed),
    }
    return {name: COUNTS / best(run, 5 if "list" in name else runs) for name, run in timed.items()}


def growth() -> list[dict[str, Any]]:
    """Return what a mechanism costs as n grows: to build, for its first count, for the next, for
    a million.
    """
    rows = []
    for n in (12, 40, 127, 128, 1_000, 100_000, NATION):
        start = time.perf_counter()
        mechanism = dc.geometric(n=n, alpha=ALPHA)
        built = time.perf_counter()
        mechanism.release(n // 2)
        first = time.perf_counter()
        again = best(lambda m=mechanism, n=n: m.release(n // 2), 20)
        few = np.random.default_rng(2).integers(0, n + 1, 20)
        counts = np.resize(few, COUNTS)
        rows.append(
            {
                "n": n,
                "build_ms": 1e3 * (built - start),
                "first_count_ms": 1e3 * (first - built),
                "next_count_ms": 1e3 * again,
                "kept": f"table {build_table(mechanism.form).nbytes / 1000:.0f} kB"
                if n <= 127
                else "nothing",
                "rate_20_counts": COUNTS / best(lambda m=mechanism, c=counts: m.release(c), 3),
            }
        )
    return rows


def large_groups(runs: int) -> dict[str, float]:
    """Return processor seconds of a million draws, large sizes mixed, and of a process's first
    draw at n = 10^9.
    """
    rng = np.random.default_rng(3)
    sizes = rng.integers(LARGE[0], LARGE[1] + 1, COUNTS)
    counts = (rng.random(COUNTS) * (sizes + 1)).astype(np.int64)
    names = rng.integers(
        0, 256, (COUNTS, 64), dtype=np.uint8
    )  # as wide as those of a release on Spark
    seconds = {}
    for kind, short in (("geometric", "GM"), ("fair", "EM")):
        for alpha in (Fraction(ALPHA), Fraction(9999, 10_000)):
            work = lambda kind=kind, alpha=alpha: draw_family(
                kind, alpha, sizes, counts, system_words()
            )
            seconds[f"{short}, alpha = {alpha}, a million draws"] = best(work, runs)
    secret = ReleaseSecret.fresh()
    keyed = lambda: draw_family(
        "geometric", Fraction(ALPHA), sizes, counts, KeyedWords(secret, names)
    )
    seconds[f"GM, alpha = {ALPHA}, a million draws, keyed"] = best(keyed, 3)
    for kind, short in (("geometric", "GM"), ("fair", "EM")):
        seconds[f"{short}, alpha = {ALPHA}, one cold draw at n = {NATION}"] = min(
            cold_draw(kind) for _ in range(3)
        )
    return seconds


def cold_draw(kind: str) -> float:
    """Return processor seconds of the first mechanism and draw of a process that has imported
    the sampler.
    """
    code = f"""
import time
import discreet as dc, discreet.sampler, discreet.core.named
start = time.process_time()
dc.{kind}(n={NATION}, alpha="{ALPHA}").release({NATION // 2})
print(time.process_time() - start)
"""
    return float(
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
    )


def compiled_rates(runs: int) -> dict[str, float] | None:
    """Measure again in a process that asks for the compiled loop, where Numba is there."""
    if importlib.util.find_spec("numba") is None:
        return None
    command = [sys.executable, "-m", "bench.sampling", "--ours", "--runs", str(runs)]
    done = subprocess.run(
        command,
        env={**os.environ, "DISCREET_COMPILED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    rates: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return rates


def verdicts(
    ours: dict[str, float],
    compiled: dict[str, float] | None,
    large: dict[str, float],
    peers: list[dict[str, Any]],
) -> list[dict[str, Any]]:
    """Compare with what was asked: of OpenDP's rate, of the word rate, of mixed sizes and of
    large groups.
    """
    words, one, mixed = ours["AES words, raw"], ours["release, one size"], ours["draw, 39 sizes"]
    rows = [
        ("one size / AES words", one / words, 0.08),
        ("39 sizes / AES words", mixed / words, 0.04),
        ("39 sizes / one size", mixed / one, 0.5),
    ]
    rows += [
        ("one size / OpenDP", one / p["rate"], 300)
        for p in peers
        if p["name"] == "opendp" and "rate" in p
    ]
    if compiled:
        rows.append(
            (
                "stretch: compiled, one size / AES words",
                compiled["release, one size"] / compiled["AES words, raw"],
                0.4,
            )
        )
    at_least = [
        {"what": what, "measured": measured, "wanted": f">= {wanted:g}", "met": measured >= wanted}
        for what, measured, wanted in rows
    ]
    at_most = [
        {
            "what": what,
            "measured": large[what],
            "wanted": f"<= {wanted:g} s",
            "met": large[what] <= wanted,
        }
        for what, wanted in (
            (f"GM, alpha = {ALPHA}, a million draws", 0.2),
            (f"GM, alpha = {ALPHA}, one cold draw at n = {NATION}", 0.01),
        )
    ]
    return at_least + at_most


def show(report: dict[str, Any]) -> None:
    """Print the report for a person."""
    host = report["machine"]
    print(
        f"{host['system']}, {host['processor']}, {host['cores']} cores, load {host['load_before']}"
    )
    print(", ".join(f"{name} {number}" for name, number in host["versions"].items()))
    print(
        f"\n{COUNTS:,} counts in 0..{N}, alpha = {ALPHA}, millions for each second of "
        "processor time"
    )
    for title, rates in (("NumPy", report["ours"]), ("compiled", report["compiled"])):
        for name, rate in (rates or {}).items():
            print(f"  {title:9} {name:20} {rate / 1e6:10.2f}")
    for peer in report["peers"]:
        for reason in peer.get("tried before", []) + peer.get("missing", []):
            print(f"  {peer['name']}: {reason}")
        if "rate" in peer:
            ratio = report["ours"]["release, one size"] / peer["rate"]
            shown = f"{peer['name']:11} {peer['version']:18} {peer['rate'] / 1e6:10.2f}"
            print(f"  {shown}   ours is {ratio:,.0f} times as fast")
        else:
            print(f"  {peer['name']:9} did not run")
    print(f"\nLarge groups, n mixed in {LARGE[0]}..{LARGE[1]}, seconds of processor time")
    for name, seconds in report["large"].items():
        print(f"  {name:46} {seconds:8.4f}")
    print(
        "\n           n   build ms   first count ms   next ms   kept              millions/s "
        "at 20 different counts"
    )
    for row in report["growth"]:
        print(
            f"  {row['n']:10}   {row['build_ms']:8.2f}   {row['first_count_ms']:14.2f}   "
            f"{row['next_count_ms']:7.3f}   {row['kept']:15} {row['rate_20_counts'] / 1e6:8.1f}"
        )
    print(f"  largest memory of the process: {report['memory_mb']:.0f} MB\n")
    for verdict in report["verdicts"]:
        met = "met" if verdict["met"] else "NOT met"
        print(
            f"  {verdict['what']:46} {verdict['measured']:8.3g}   wanted {verdict['wanted']}   "
            f"{met}"
        )


def main() -> int:
    """Measure, print, write JSON; the exit code says whether what is required was met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=30, help="timed runs of each of ours")
    parser.add_argument("--peer-runs", type=int, default=3, help="timed runs of each peer")
    parser.add_argument("--json", type=Path, default=RESULT, help="where to write the numbers")
    parser.add_argument("--ours", action="store_true", help="only our own rates, as JSON")
    options = parser.parse_args()
    if options.ours:
        print(json.dumps(our_rates(options.runs)))
        return 0
    peers = [run_peer(peer, COUNTS, N, options.peer_runs) for peer in (OPENDP, DIFFPRIVLIB)]
    for peer in peers:
        if "seconds" in peer:
            peer["rate"] = peer["counts"] / min(peer["seconds"])
    ours, compiled, large = (
        our_rates(options.runs),
        compiled_rates(options.runs),
        large_groups(options.runs),
    )
    report = {
        "machine": machine(),
        "ours": ours,
        "compiled": compiled,
        "large": large,
        "peers": peers,
        "growth": growth(),
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        / (1 << (20 if sys.platform == "darwin" else 10)),
        "verdicts": verdicts(ours, compiled, large, peers),
    }
    show(report)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(report, indent=1) + "\n")
    print(f"\nwritten to {options.json}")
    required = [
        verdict["met"]
        for verdict in report["verdicts"]
        if not verdict["what"].startswith("stretch")
    ]
    return 0 if all(required) else 1


if __name__ == "__main__":
    raise SystemExit(main())
