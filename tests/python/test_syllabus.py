# SPDX-License-Identifier: Apache-2.0
"""gradus.Syllabus from Python: tickets, rewards, refusals, state."""

import copy
import json
import math
import pickle
import types

import numpy
import pytest

import gradus


def make(tasks=("a", "b", "c"), **settings):
    return gradus.Syllabus(tasks, **{"seed": 3, "eta": 0.2, **settings})


def teach(syllabus, rounds):
    """Settles `rounds` draws. Task "b" earns more each time, the others less."""
    drawn = []
    for _ in range(rounds):
        ticket = syllabus.draw()
        drawn.append(ticket)
        syllabus.reward(ticket, ticket.id if ticket.name == "b" else -ticket.id, cost=2)
    return drawn


def test_a_ticket_names_its_task_and_its_probability():
    syllabus = make()
    ticket = syllabus.draw()
    assert isinstance(ticket, gradus.Ticket)
    assert syllabus.tasks[ticket.task] == ticket.name
    assert ticket.probability == syllabus.probabilities()[ticket.name] == pytest.approx(1 / 3)
    assert ticket.id == 0 and syllabus.issued == 1 and syllabus.outstanding == 1


def test_a_reward_is_progress_over_cost_scaled_by_the_history():
    syllabus = make()
    assert syllabus.reward(syllabus.draw(), 6, cost=4) == gradus.Reward(raw=1.5, scaled=0.0)
    assert syllabus.reward(syllabus.draw(), 8, cost=4) == (2.0, 1.0)
    assert syllabus.reward(syllabus.draw(), 1) == (1.0, -1.0)
    assert syllabus.rounds == 3
    assert syllabus.reward_range() == pytest.approx((1.2, 1.8))


def test_the_policy_turns_to_the_task_that_is_learned():
    syllabus = make()
    teach(syllabus, 200)
    assert syllabus.probabilities()["b"] > 0.6
    assert sum(syllabus.probabilities().values()) == pytest.approx(1)
    expected = -sum(p * math.log(p) for p in syllabus.probabilities().values())
    assert syllabus.entropy() == pytest.approx(expected, abs=1e-12)


def test_the_same_seed_draws_the_same_and_another_does_not():
    names = [[t.name for t in teach(make(seed=seed), 50)] for seed in (3, 3, 4)]
    assert names[0] == names[1] != names[2]


def test_late_rewards_weigh_by_the_probability_of_their_draw():
    """Compares with a gradus.Policy that gets the same rewards."""
    syllabus, policy, scale = make(), gradus.Policy("exp3s", 3, eta=0.2), gradus.RewardScale(seed=3)
    tickets = [syllabus.draw() for _ in range(20)]
    for ticket in reversed(tickets):
        syllabus.reward(ticket, ticket.id)
        policy.update(ticket.task, ticket.probability, scale.scale(ticket.id))
    assert list(syllabus.probabilities().values()) == policy.probabilities()


def test_a_ticket_travels_between_processes_as_it_is():
    syllabus = make()
    ticket = pickle.loads(pickle.dumps(syllabus.draw()))
    syllabus.reward(gradus.Ticket(*ticket), 1)


def test_a_tensor_or_anything_with_a_float_is_a_progress():
    torch = pytest.importorskip("torch")
    syllabus = make()
    assert syllabus.reward(syllabus.draw(), torch.tensor(3.0), torch.tensor(2.0)).raw == 1.5
    for progress in ([3.0, 4.0], torch.tensor([3.0, 4.0]), numpy.array([3.0, 4.0])):
        rewards = syllabus.reward_batch(syllabus.draw(2), progress, torch.tensor(2.0))
        assert [reward.raw for reward in rewards] == [1.5, 2.0]
    everything = types.MappingProxyType(dict(zip(syllabus.tasks, torch.arange(3.0))))
    assert [reward.raw for reward in syllabus.reward_all(everything).values()] == [0, 1, 2]


@pytest.mark.parametrize(
    "reward",
    [
        lambda syllabus, ticket: syllabus.reward(ticket, None),
        lambda syllabus, ticket: syllabus.reward(ticket, "much"),
        lambda syllabus, ticket: syllabus.reward_batch([ticket], [None]),
        lambda syllabus, ticket: syllabus.reward_batch([ticket], 1, "much"),
        lambda syllabus, ticket: syllabus.reward_all({"a": 1, "b": 2, "c": "much"}),
        lambda syllabus, ticket: syllabus.reward_all({"a": 1, "b": 2, "c": 3}, None),
        lambda syllabus, ticket: gradus.Gain("pg").progress({"loss_before": None}),
    ],
)
def test_what_is_no_number_is_refused_by_name(reward):
    syllabus = make()
    ticket = syllabus.draw()
    before = syllabus.state_dict()
    expected = "(progress|cost|loss_before) is (None|'much'), expected a number"
    with pytest.raises(gradus.InputError, match=expected):
        reward(syllabus, ticket)
    assert syllabus.state_dict() == before


def test_a_state_goes_through_json_and_continues_exactly():
    whole = make(reservoir=10)
    teach(whole, 60)
    late = [whole.draw() for _ in range(3)]
    state = json.loads(json.dumps(whole.state_dict()))
    for resumed in (make(reservoir=10), gradus.Syllabus.from_state_dict(state)):
        resumed.load_state_dict(state)
        assert resumed.state_dict() == whole.state_dict()
        assert resumed.fingerprint() == whole.fingerprint()
    for ticket in late:
        whole.reward(ticket, 7)
        resumed.reward(ticket, 7)
    assert teach(resumed, 100) == teach(whole, 100)


CLONES = [copy.deepcopy] + [
    lambda it, protocol=protocol: pickle.loads(pickle.dumps(it, protocol))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
]


@pytest.mark.parametrize("clone", CLONES)
def test_a_copy_goes_on_exactly_and_on_its_own(clone):
    """Of a syllabus with tasks added and limited, and of a policy."""
    syllabus = make(prior={"a": 3, "b": 1, "c": 2})
    teach(syllabus, 30)
    syllabus.add("d")
    syllabus.limit("d", ceiling=0.1)
    late = syllabus.draw()
    copied = clone(syllabus)
    assert copied.state_dict() == syllabus.state_dict()
    for each in (syllabus, copied):
        each.reward(late, 3)
    assert teach(copied, 40) == teach(syllabus, 40)
    syllabus.draw()
    assert copied.issued == syllabus.issued - 1
    for name in gradus.policies():
        given = {"probabilities": [0.5, 0.5]} if name == "fixed" else {}
        policy = gradus.Policy(name, 2, **given)
        policy.update(0, 0.5, 1.0)
        copied = clone(policy)
        for each in (policy, copied):
            each.update(1, 0.5, 0.5)
        assert copied.probabilities() == policy.probabilities()
        assert copied.settings == policy.settings


@pytest.mark.parametrize(
    "other, message",
    [
        (dict(tasks=("a", "x", "c")), 'a different task set: task 1 is "b", expected "x"'),
        (dict(tasks=("a", "b")), "a different task set: 3 tasks, expected 2"),
        (dict(seed=4), "a different seed: 3, expected 4"),
        (dict(eta=0.1), "a different policy setting"),
        (dict(policy="exp3"), 'a different policy: "exp3s", expected "exp3"'),
        (dict(reservoir=5), "a different reward scale"),
    ],
)
def test_the_state_of_another_syllabus_is_refused_saying_what_differs(other, message):
    syllabus = make(**other)
    before = syllabus.state_dict()
    with pytest.raises(gradus.InputError, match=message.replace("(", r"\(")):
        syllabus.load_state_dict(make().state_dict())
    assert syllabus.state_dict() == before


@pytest.mark.parametrize(
    "state", [None, 3, [], {}, {"format": "gradus-syllabus"}, {"format": object()}]
)
def test_what_is_no_state_is_refused(state):
    for load in (make().load_state_dict, gradus.Syllabus.from_state_dict):
        with pytest.raises(gradus.InputError, match="damaged|different"):
            load(state)


@pytest.mark.parametrize(
    "progress, cost, message",
    [
        (math.nan, 1, "progress is nan, expected a finite number"),
        (math.inf, 1, "progress is inf"),
        (1, 0, "cost is 0, expected a finite number above 0"),
        (1, -1, "cost is -1"),
        (1, math.nan, "cost is nan"),
    ],
)
def test_a_bad_reward_is_refused_and_changes_nothing(progress, cost, message):
    syllabus = make()
    ticket = syllabus.ticket_for("b")
    before = syllabus.state_dict()
    with pytest.raises(gradus.InputError, match=r"task 1 \(b\): " + message):
        syllabus.reward(ticket, progress, cost)
    assert syllabus.state_dict() == before
    syllabus.reward(ticket, 1)


def test_a_ticket_is_settled_once():
    syllabus = make()
    ticket, dropped = syllabus.draw(), syllabus.draw()
    syllabus.reward(ticket, 1)
    syllabus.drop(dropped)
    for used in (ticket, dropped):
        assert not syllabus.is_outstanding(used)
        for use in (lambda: syllabus.reward(used, 1), lambda: syllabus.drop(used)):
            with pytest.raises(gradus.InputError, match=f"ticket {used.id} has already been"):
                use()


@pytest.mark.parametrize("ticket", [None, 3, "ticket", (1, "a"), (0, "a", "much", 0)])
def test_what_is_no_ticket_is_refused(ticket):
    with pytest.raises(gradus.InputError, match="expected a Ticket returned by draw"):
        make().reward(ticket, 1)


def test_a_forged_or_unissued_ticket_is_refused():
    syllabus = make()
    ticket = syllabus.draw()
    with pytest.raises(gradus.InputError, match="was changed after it was drawn"):
        syllabus.reward(ticket._replace(probability=0.9), 1)
    with pytest.raises(gradus.InputError, match="ticket 9 was never issued"):
        syllabus.reward(ticket._replace(id=9), 1)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(tasks="abc"), "tasks is 'abc', expected a list of names"),
        (dict(tasks=3), "tasks is 3, expected a list of names"),
        (dict(tasks=[]), "tasks is empty"),
        (dict(tasks=["a", 1]), "task 1 is 1, expected a name"),
        (dict(tasks=["a", "a"]), 'task "a" is listed twice'),
        (dict(policy="exp3z"), 'unknown policy "exp3z"; did you mean "exp3s"'),
        (dict(epsilom=0.1), 'unknown setting "epsilom"; did you mean "epsilon"'),
        (dict(bogus=1), "low high reservoir rounds eta beta epsilon prior discount temperature w"),
        (dict(policy="exp3", epsilon=0.1), "policy exp3 has no setting epsilon"),
        (dict(policy="corral", bases="exp3", epsilon=0.05), "none of the bases exp3 of policy"),
        (dict(policy="corral", bases="corral", epsilon=0.05), "none of the bases corral of"),
        (
            dict(policy="corral", bases="exp3ix", rounds=9),
            "rounds is given, but policy corral has no automatic eta",
        ),
        (dict(prior={"a": 1}), 'prior has no entry for "b"'),
        (dict(prior={"a": 1, "b": 0}), "prior of task 1 is 0, expected a weight above 0"),
        (dict(eta="large"), 'eta is "large", expected a number from 0 to 100 or "auto"'),
        (dict(rounds=0), "rounds is 0, expected a whole number, 1 or more"),
        (dict(rounds="many"), 'rounds is "many", expected a whole number, 1 or more'),
        (dict(eta=0.1, rounds=9), "rounds is 9 and eta 0.1, expected only one of them"),
        (
            dict(policy="uniform", rounds=9),
            "rounds is given, but policy uniform has no automatic eta",
        ),
        (dict(eta=-1), "eta is -1, expected a number from 0"),
        (dict(reservoir=0), "reservoir is 0"),
        (dict(low=0.9), "reward quantiles are 0.9 and 0.8"),
        (dict(seed=-1), "seed is -1, expected a whole number from 0"),
        (dict(seed=1.5), "seed is 1.5"),
        (dict(seed=2**64), "seed is 18446744073709551616"),
        (dict(policy="fixed", probabilities={"a": 1}), 'probabilities has no entry for "b"'),
        (dict(policy="fixed", probabilities={"a": 1, "x": 0}), 'unknown task "x"'),
        (dict(policy="fixed", probabilities=[1]), "1 probabilities, expected one for each of 2"),
    ],
)
def test_bad_arguments_are_named_with_what_was_expected(arguments, message):
    with pytest.raises(gradus.InputError) as refusal:
        gradus.Syllabus(**{"tasks": ["a", "b"], **arguments})
    assert message in str(refusal.value)


# Values that every policy that has the setting accepts: the default, and another one.
GIVEN = {
    "eta": ["auto", 0.1],
    "beta": [0, 0.1],
    "epsilon": [0.05, 0.1],
    "discount": [0.9, 0.5],
    "temperature": [0.1, 0.5],
    "window": ["auto", 50],
    "rounds": [10],
    "prior": [[1, 2]],
    "probabilities": [[0.25, 0.75]],
    "bases": ["exp3s,boltzmann,thompson", "exp3s,exp3"],
}
READ = {
    "exp3s": {"eta", "beta", "epsilon", "rounds", "prior"},
    "exp3": {"eta", "rounds", "prior"},
    "exp3ix": {"prior"},
    "tsallis": {"prior"},
    "boltzmann": {"discount", "temperature", "epsilon", "prior"},
    "ducb": {"window", "epsilon", "prior"},
    "swucb": {"window", "epsilon", "prior"},
    "thompson": {"window", "epsilon", "prior"},
    "corral": set(GIVEN) - {"probabilities"},
    "uniform": set(),
    "fixed": {"probabilities"},
}


def test_a_setting_that_the_policy_does_not_have_is_refused_whatever_its_value():
    """By a syllabus, a policy on its own and a replay alike."""
    assert list(READ) == list(gradus.policies())
    for policy, read in READ.items():
        needed = {"probabilities": [0.5, 0.5]} if policy == "fixed" else {}
        for setting, values in GIVEN.items():
            for value in values:
                given = {**needed, setting: value}
                makers = [
                    lambda: gradus.Syllabus(["a", "b"], policy, **given),
                    lambda: gradus.Policy(policy, 2, **given),
                    lambda: gradus.replay([("a", 1.0, 1.0)], ["a", "b"], policy, **given),
                ]
                for maker in makers[: 2 if setting == "rounds" else 3]:
                    if setting in read:
                        maker()
                    else:
                        refusal = f"has no setting {setting}|^{setting} is given"
                        with pytest.raises(gradus.InputError, match=refusal):
                            maker()


# eta is 2 sqrt(ln 2 / 20000). Without rounds it is 0.2 / 2 for the first 138 rewards.
def test_an_automatic_eta_is_a_number_if_the_rounds_are_known():
    for settings in (dict(rounds=10_000), dict(rounds=10_000, eta="auto")):
        syllabus = gradus.Syllabus(["a", "b"], **settings)
        assert syllabus.settings["eta"] == pytest.approx(0.0117741, rel=1e-5)
    assert gradus.Policy("exp3", 2, rounds=10_000).settings["eta"] == syllabus.settings["eta"]
    assert gradus.Syllabus(["a", "b"]).settings["eta"] == "auto"
    assert gradus.Syllabus(["a", "b"], eta="auto", rounds=None).settings["eta"] == "auto"
    automatic, fixed = gradus.Policy("exp3s", 2), gradus.Policy("exp3s", 2, eta=0.1)
    for policy in (automatic, fixed):
        policy.update(0, 0.5, 1.0)
    assert automatic.probabilities() == fixed.probabilities()


@pytest.mark.parametrize("policy", ["exp3s", "exp3"])
@pytest.mark.parametrize("rounds", [None, 400])
def test_a_syllabus_with_an_automatic_eta_continues_exactly(policy, rounds):
    def new():
        return gradus.Syllabus(("a", "b", "c"), policy, seed=3, rounds=rounds)

    whole = new()
    teach(whole, 300)
    state = json.loads(json.dumps(whole.state_dict()))
    loaded = new()
    loaded.load_state_dict(state)
    expected = teach(whole, 100)
    assert teach(loaded, 100) == expected
    assert teach(gradus.Syllabus.from_state_dict(state), 100) == expected


def test_fixed_probabilities_may_be_given_by_name():
    syllabus = gradus.Syllabus(["a", "b"], "fixed", probabilities={"b": 0.25, "a": 0.75})
    assert syllabus.probabilities() == {"a": 0.75, "b": 0.25}
    assert syllabus.settings["probabilities"] == [0.75, 0.25]


def test_a_probe_task_is_uniform_and_belongs_to_its_ticket():
    syllabus = make()
    tickets = [syllabus.draw() for _ in range(3000)]
    probes = [syllabus.probe_task(ticket) for ticket in tickets]
    assert probes == [syllabus.probe_task(ticket) for ticket in tickets]
    for task in syllabus.tasks:  # four standard deviations of a binomial
        assert abs(probes.count(task) - 1000) < 4 * math.sqrt(3000 * 2 / 9)


def test_importing_gradus_imports_neither_torch_nor_pandas():
    import subprocess
    import sys

    code = (
        "import gradus, sys; sys.exit(any(m in sys.modules for m in ('torch', 'pandas', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
