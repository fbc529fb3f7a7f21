# SPDX-License-Identifier: Apache-2.0
"""Tasks that are added, removed and limited: properties that hold for random histories."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradus

POLICIES = {"exp3s": dict(eta=0.05), "exp3": dict(eta=0.05), "uniform": {}, "fixed": None}

# Allows for rounding over a few dozen operations on probabilities.
TOLERANCE = 1e-9


def make(policy, tasks):
    arguments = POLICIES[policy]
    if arguments is None:
        whole = len(tasks) * (len(tasks) + 1) / 2
        arguments = dict(probabilities=[(i + 1) / whole for i in range(len(tasks))])
    return gradus.Syllabus(tasks, policy, **arguments)


def teach(syllabus, rewards):
    for progress in rewards:
        syllabus.reward(syllabus.draw(), progress)


rewards = st.lists(st.integers(-5, 5), max_size=20)
names = st.integers(2, 6).map(lambda n: [f"t{i}" for i in range(n)])


@given(st.sampled_from(sorted(POLICIES)), names, rewards)
@settings(max_examples=60, deadline=None)
def test_add_gives_the_newcomer_its_share_and_keeps_ratios(policy, tasks, history):
    syllabus = make(policy, tasks)
    teach(syllabus, history)
    before = syllabus.probabilities()
    syllabus.add("new")
    after = syllabus.probabilities()
    share = 1 / (len(tasks) + 1)
    assert after["new"] == pytest.approx(share, abs=TOLERANCE)
    for task in tasks:
        assert after[task] == pytest.approx(before[task] * (1 - share), abs=TOLERANCE)


@given(st.sampled_from(sorted(POLICIES)), names, rewards, st.data())
@settings(max_examples=60, deadline=None)
def test_remove_keeps_the_ratios_of_the_others(policy, tasks, history, data):
    syllabus = make(policy, tasks)
    teach(syllabus, history)
    epsilon = 0.05 if policy == "exp3s" else 0
    # Exploration is spread over the remaining tasks; the learned weights keep their ratios.
    weight = {t: p - epsilon / len(tasks) for t, p in syllabus.probabilities().items()}
    gone = data.draw(st.sampled_from(tasks))
    syllabus.remove(gone)
    left = 1 - epsilon - weight.pop(gone)
    for task, p in syllabus.probabilities().items():
        expected = (1 - epsilon) * weight[task] / left + epsilon / (len(tasks) - 1)
        assert p == pytest.approx(expected, abs=TOLERANCE)


ACTIONS = ("draw", "reward", "add", "remove", "freeze", "unfreeze", "floor", "ceiling")


@given(st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 999)), max_size=60))
@settings(max_examples=80, deadline=None)
def test_whatever_is_done_limits_hold_and_a_copy_goes_on_alike(actions):
    syllabus, tickets, added = make("exp3s", ["t0", "t1", "t2"]), [], 0
    for action, number in actions:
        task = syllabus.tasks[number % len(syllabus)]
        try:
            if action == "draw":
                tickets.append(syllabus.draw())
                assert syllabus.limit_of(tickets[-1].name).frozen is False
            elif action == "reward" and tickets:
                syllabus.reward(tickets.pop(number % len(tickets)), number)
            elif action == "add":
                added += 1
                syllabus.add(f"new{added}")
            elif action in ("remove", "freeze", "unfreeze"):
                getattr(syllabus, action)(task)
            elif action == "floor":
                syllabus.limit(task, floor=number / 1998)
            elif action == "ceiling":
                syllabus.limit(task, ceiling=(number + 1) / 1000)
        except gradus.InputError:
            pass  # a refusal is allowed; the checks below show that it changes nothing
        for name, p in syllabus.probabilities().items():
            floor, ceiling, frozen = syllabus.limit_of(name)
            assert p == 0 if frozen else floor - 1e-12 <= p <= ceiling + 1e-12
        assert math.isclose(sum(syllabus.probabilities().values()), 1, abs_tol=1e-9)
    copy = gradus.Syllabus.from_state_dict(syllabus.state_dict())
    assert copy.fingerprint() == syllabus.fingerprint()
    for _ in range(20):
        ticket = syllabus.draw()
        assert copy.draw() == ticket
        assert copy.reward(ticket, ticket.id) == syllabus.reward(ticket, ticket.id)


def test_a_floor_keeps_a_policy_from_collapsing():
    free, held = make("exp3s", ["a", "b", "c"]), make("exp3s", ["a", "b", "c"])
    held.limit("c", floor=0.2)
    for syllabus in (free, held):
        for number in range(2000):
            ticket = syllabus.draw()
            syllabus.reward(ticket, number if ticket.name == "a" else 0)
    assert free.probabilities()["c"] < 0.1
    assert held.probabilities()["c"] == pytest.approx(0.2)


def test_the_same_limits_on_many_tasks_hold_and_continue_exactly():
    names = [str(number) for number in range(2000)]
    syllabus = gradus.Syllabus(names, seed=1, eta=1e-3)
    syllabus.limit(names, floor=0.5 / 2000, ceiling=0.01)
    syllabus.limit(names[:3], ceiling=1)
    for number in range(400):
        syllabus.reward(syllabus.draw(), float(number % 5))
    shares = syllabus.probabilities()
    assert all(0.5 / 2000 <= share <= 0.01 for share in list(shares.values())[3:])
    assert sum(shares.values()) == pytest.approx(1, abs=1e-11)
    assert max(shares.values()) > 0.002 and 0.5 / 2000 in shares.values()
    copy = gradus.Syllabus.from_state_dict(syllabus.state_dict())
    assert copy.probabilities() == shares
    assert [copy.draw() for _ in range(100)] == [syllabus.draw() for _ in range(100)]


def test_limits_of_several_tasks_are_set_together_or_not_at_all():
    syllabus = gradus.Syllabus(["a", "b", "c"])
    with pytest.raises(gradus.InputError, match="floors .* sum to 1.2"):
        syllabus.limit(["a", "b"], floor=0.6)
    with pytest.raises(gradus.InputError, match='unknown task "d"'):
        syllabus.limit(["a", "d"], floor=0.1)
    with pytest.raises(gradus.InputError, match="expected a list of names"):
        syllabus.limit(3, floor=0.1)
    assert syllabus.limit_of("a") == gradus.Limit(0, 1, False)


def test_a_ceiling_holds_and_what_it_leaves_goes_to_the_others_in_their_ratios():
    syllabus = gradus.Syllabus(["abc", "d", "e"], "fixed", probabilities=[0.6, 0.3, 0.1])
    syllabus.limit("abc", ceiling=0.2)
    assert syllabus.probabilities() == pytest.approx({"abc": 0.2, "d": 0.6, "e": 0.2})


def test_frozen_tasks_are_not_drawn_and_thaw_with_what_they_had():
    syllabus = make("exp3s", ["a", "b"])
    teach(syllabus, range(30))
    before = syllabus.probabilities()
    syllabus.freeze("a")
    assert {syllabus.draw().name for _ in range(50)} == {"b"}
    with pytest.raises(gradus.InputError, match=r"task 0 \(a\) is frozen"):
        syllabus.ticket_for("a")
    syllabus.unfreeze("a")
    assert syllabus.probabilities() == before


def test_tickets_of_a_removed_task_are_void_and_others_stay_good():
    syllabus = make("exp3s", ["a", "b", "c"])
    gone, kept = syllabus.ticket_for("b"), syllabus.ticket_for("c")
    syllabus.remove("b")
    assert syllabus.is_void(gone) and not syllabus.is_void(kept)
    with pytest.raises(gradus.InputError, match='ticket 0 is void: its task "b" was removed'):
        syllabus.reward(gone, 1)
    copy = gradus.Syllabus.from_state_dict(syllabus.state_dict())
    for each in (syllabus, copy):
        each.reward(kept, 1)
        assert each.is_void(gone)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda s: s.remove("x"), 'unknown task "x"'),
        (lambda s: s.freeze("taks1"), 'unknown task "taks1"; did you mean "task1"'),
        (lambda s: s.add("task1"), 'task "task1" already exists'),
        (lambda s: (s.remove("task1"), s.remove("task2")), "the only task cannot be removed"),
        (lambda s: (s.freeze("task1"), s.freeze("task2")), "every task would be frozen"),
        (lambda s: s.limit("task1", floor=-0.1), r"floor of task 0 \(task1\) is -0.1"),
        (lambda s: s.limit("task1", floor=math.nan), r"floor of task 0 \(task1\) is nan"),
        (lambda s: s.limit("task1", ceiling=2), r"ceiling of task 0 \(task1\) is 2"),
        (lambda s: s.limit("task1", floor=0.6, ceiling=0.5), "expected a number from 0 to its"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    with pytest.raises(gradus.InputError, match=message):
        change(make("exp3s", ["task1", "task2"]))
