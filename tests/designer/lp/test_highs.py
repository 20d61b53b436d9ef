"""The door to HiGHS: one instance a thread, which keeps nothing from one program to the next."""

import threading

import pytest

from discreet.core.certificate import read_problem
from discreet.designer.lp import highs
from discreet.designer.lp.answer import leaning_cost
from discreet.designer.lp.program import KINDS, build
from discreet.designer.lp.start import NEAR, far_rows, labels, relabelled_basis
from discreet.designer.simplex.basis import factor
from discreet.designer.simplex.pivots import tie_weights
from discreet.designer.simplex.vertex import vertex


def solved(**asked):
    program = build(read_problem(alpha="3/4", loss="L1", **asked))
    return highs.solve(program, leaning_cost(program, tie_weights(program, 1)), seconds=600.0)


@pytest.mark.parametrize("kept", [0, highs.KEPT], ids=["new", "kept"])
def test_a_solve_does_not_depend_on_what_was_solved_before(kept, monkeypatch):
    monkeypatch.setattr(highs, "KEPT", kept)
    first = solved(n=6, properties="CM")
    assert solved(n=4, properties="RM WH", worst_case=True) is not None
    assert solved(n=6, properties="CM") == first is not None


def test_each_solve_has_its_own_seconds():
    class Late:
        limit = None

        def getRunTime(self):
            return 100.0

        def setOptionValue(self, name, value):
            assert name == "time_limit"
            self.limit = value

    late = Late()
    highs.limit(late, 3)
    assert late.limit == 103.0


def test_two_threads_do_not_share_an_instance():
    found = [highs._instance()]
    thread = threading.Thread(target=lambda: found.append(highs._instance()))
    thread.start()
    thread.join()
    assert found[0] is highs._instance() is not found[1]


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("shape", ["CM", "RH CH WH", "RM"])
def test_the_dual_program_has_the_same_optimum_from_a_start_and_from_nothing(shape, scaled):
    program = build(
        read_problem(n=7, alpha="3/4", loss="L1", properties=shape, prior="Binomial(0.3)")
    )
    cost = leaning_cost(program, tie_weights(program, 1))
    start = relabelled_basis(program, labels(program.problem))
    far = far_rows(program, start)
    ways = [{"method": "dual", "start": start, "later": rows} for rows in (None, far, far[:0])]
    ways += [{"method": "dual"}, {"method": "simplex"}]
    first, *others = (
        vertex(factor(program, highs.solve(program, cost, scaled=scaled, **way))) for way in ways
    )
    assert others == [first] * 4


def test_rows_that_wait_are_of_properties_far_from_the_diagonal_and_not_of_the_start():
    program = build(
        read_problem(n=7, alpha="3/4", loss="L1", properties="RM CH", prior="Binomial(0.3)")
    )
    start = relabelled_basis(program, labels(program.problem))
    far = set(far_rows(program, start).tolist())
    assert far and far.isdisjoint(start)
    kinds = {KINDS[program.kind[k]] for k in far}
    assert kinds == {"rm", "ch"}
    assert all(max(program.distance[[program.head[k], program.tail[k]]]) > NEAR for k in far)
