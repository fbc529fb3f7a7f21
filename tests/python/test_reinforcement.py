# SPDX-License-Identifier: Apache-2.0
"""Reinforcement learning: signals, environments, and samplers for verl and TRL. None of Gymnasium,
verl and TRL is in Debian, so stand-ins with their documented interfaces take their place."""

import collections
import copy
import importlib
import json
import sys
import types

import pytest
import torch
from torch.utils.data import DataLoader, Sampler

import gradus
from gradus.reinforcement import progress_by_task, syllabus_env
from gradus.torch.prompts import PromptSampler
from gradus.torch.trl import SyllabusMixin


def test_signals_are_means_over_the_groups_of_a_task():
    """By hand. a: groups 1 0 0 0 and 1 1 1 1, so p (1-p) is 3/16 and 0; the distances from the mean
    are 3/4, 1/4, 1/4, 1/4 and 0. b: one group 1 0."""
    tasks, groups = ["a"] * 8 + ["b"] * 2, [1] * 4 + [2] * 4 + [3] * 2
    rewards = [1, 0, 0, 0, 1, 1, 1, 1, 1, 0]
    assert progress_by_task(tasks, rewards, groups) == {"a": 3 / 32, "b": 1 / 4}
    assert progress_by_task(tasks, rewards, groups, "advantage") == {"a": 3 / 16, "b": 1 / 2}
    assert progress_by_task(tasks, rewards)["a"] == 5 / 8 * 3 / 8
    for wrong, message in [
        ((tasks, rewards[1:]), "10 tasks, 9 rewards and 10 groups"),
        ((["a"], [2.0]), "reward is 2.0, expected 0..1"),
        ((["a"], [1.0], None, "size"), 'signal is "size", expected'),
    ]:
        with pytest.raises(gradus.InputError, match=message):
            progress_by_task(*wrong)


@pytest.mark.parametrize("kind", [list, torch.tensor, lambda v: torch.tensor(v).numpy(), "scalars"])
def test_groups_and_rewards_may_be_tensors_or_arrays(kind):
    """Two groups with mean rewards 1/2 and 1/4."""
    tasks, rewards, groups = ["a"] * 6, [1.0, 0, 0, 0, 1, 0], [7, 7, 9, 9, 9, 9]
    if kind == "scalars":
        kind = lambda values: [torch.tensor(value) for value in values]
    found = progress_by_task(tasks, kind(rewards), kind(groups))
    assert found == {"a": pytest.approx((1 / 4 + 3 / 16) / 2)}
    with pytest.raises(gradus.InputError, match="groups contains .*expected a flat list"):
        progress_by_task(tasks, rewards, [[group] for group in groups])


class Corridor:
    """Stand-in for a gymnasium.Env: an episode of `length` steps whose return is given."""

    action_space = observation_space = None
    metadata, render_mode = {"render_modes": ["ansi"]}, "ansi"

    def __init__(self, returns, length=2):
        self.returns, self.length, self.resets, self.closed = returns, length, [], False

    def reset(self, *, seed=None, options=None):
        self.resets.append((seed, options))
        self.at = 0
        return 0, {"length": self.length}

    def step(self, action):
        self.at += 1
        share = self.returns(len(self.resets)) / self.length
        return self.at, share, False, self.at == self.length, {}

    def render(self):
        return f"at {self.at}"

    def close(self):
        self.closed = True


def episode(env, **reset):
    _, info = env.reset(**reset)
    ended = False
    while not ended:
        _, _, terminated, truncated, after = env.step(0)
        ended = terminated or truncated
    assert after["task"] == info["task"] and info["length"] == 2
    return info["task"]


def test_a_reset_chooses_an_environment_and_its_episode_settles_the_ticket():
    """Only the environment whose returns rise is worth visiting."""
    envs = {"rising": Corridor(lambda k: 0.1 * k), "flat": Corridor(lambda k: 7.0)}
    syllabus = gradus.Syllabus(envs, eta=0.2)
    env = syllabus_env(syllabus, envs, "lsg", window=4)
    with pytest.raises(gradus.InputError, match=r"call reset\(\) first"):
        env.step(0)
    tasks = [episode(env, seed=k) for k in range(200)]
    assert (syllabus.rounds, syllabus.outstanding) == (200, 0)
    assert collections.Counter(tasks)["rising"] > 120
    assert envs["rising"].resets[0][0] == tasks.index("rising")
    env.reset()
    env.reset()  # gives the first of the two up
    assert (syllabus.rounds, syllabus.outstanding) == (200, 1)
    env.close()
    assert all(each.closed for each in envs.values())
    assert (syllabus.rounds, syllabus.outstanding) == (200, 0)


def test_the_end_of_an_episode_can_be_rendered_and_a_removed_task_earns_nothing():
    envs = {"one": Corridor(lambda k: 1.0), "other": Corridor(lambda k: 1.0)}
    syllabus = gradus.Syllabus(envs)
    env = syllabus_env(syllabus, envs)
    assert (env.metadata, env.render_mode) == ({"render_modes": ["ansi"]}, "ansi")
    with pytest.raises(gradus.InputError, match=r"call reset\(\) first"):
        env.render()
    episode(env)
    assert env.render() == "at 2"
    with pytest.raises(gradus.InputError, match=r"or it has ended: call reset\(\) first"):
        env.step(0)
    _, info = env.reset()
    env.step(0)
    syllabus.remove(info["task"])
    assert env.step(0)[3] and syllabus.rounds == 1
    _, info = env.reset()
    assert info["task"] in syllabus.tasks


def test_resumed_environments_go_on_with_the_returns_that_they_remember():
    def make():
        envs = {"rising": Corridor(lambda k: 0.1 * k), "flat": Corridor(lambda k: 7.0)}
        syllabus = gradus.Syllabus(envs, eta=0.2)
        return syllabus, syllabus_env(syllabus, envs, "lsg", window=4)

    syllabus, env = make()
    for _ in range(50):
        episode(env)
    other, again = make()
    other.load_state_dict(json.loads(json.dumps(syllabus.state_dict())))
    again.gain.load_state_dict(json.loads(json.dumps(env.gain.state_dict())))
    for task in env.envs:
        again.envs[task].resets = list(env.envs[task].resets)
    assert [episode(env) for _ in range(50)] == [episode(again) for _ in range(50)]


def test_environments_learn_from_success_and_refuse_what_they_cannot_measure():
    envs = {"half": Corridor(lambda k: k % 2), "never": Corridor(lambda k: 0)}
    syllabus = gradus.Syllabus(envs)
    env = syllabus_env(syllabus, envs, "lrn")
    for _ in range(4):
        episode(env)
    assert syllabus.rounds == 4
    for signal in ["pg", "xl", "lsg:lrn", "lsgg"]:
        expected = f'signal is "{signal}", expected one that returns can measure: alsg, lsg or lrn'
        with pytest.raises(gradus.InputError, match=expected):
            syllabus_env(syllabus, envs, signal)
    envs["never"].action_space = "another"
    with pytest.raises(gradus.InputError, match='action_space of "never" is another, expected'):
        syllabus_env(syllabus, envs)
    with pytest.raises(gradus.InputError, match='envs has no entry for "never"'):
        syllabus_env(syllabus, {"half": envs["half"]})


TASKS = ["a", "b", "b", "c", "a", "b", "c", "c", "b", "a", "c", "b"]


def prompt_sampler(**options):
    syllabus = gradus.Syllabus(["a", "b", "c"], eta=0.2)
    return PromptSampler(syllabus, TASKS, 3, **options)


def test_prompts_are_repeated_and_rewarded_by_batch():
    sampler = prompt_sampler(each=2, passes=2)
    assert len(sampler) == 4 * 3 * 2 * 2
    places = iter(sampler)
    for _ in range(4):
        chunk = [next(places) for _ in range(12)]
        assert chunk[:6] == chunk[6:] and chunk[0:6:2] == chunk[1:6:2]
        before = sampler.syllabus.rounds
        sampler.reward_attempts([1, 0] * 3)
        assert sampler.syllabus.rounds == before + 3
    assert next(places, None) is None
    with pytest.raises(gradus.InputError, match="no batch to reward"):
        sampler.reward({})


def test_tickets_of_tasks_without_progress_are_dropped():
    sampler = prompt_sampler()
    chunk = [TASKS[place] for _, place in zip(range(3), sampler)]
    sampler.reward({chunk[0]: 1.0})
    settled = chunk.count(chunk[0])
    assert (sampler.syllabus.rounds, sampler.syllabus.outstanding) == (settled, 0)


def test_rewards_of_unknown_tasks_are_refused_and_the_batch_can_still_be_rewarded():
    sampler = prompt_sampler()
    next(iter(sampler))
    with pytest.raises(gradus.InputError, match='unknown task "z"'):
        sampler.reward({"a": 1.0, "z": 1.0})
    sampler.reward(dict.fromkeys("abc", 1.0))
    assert (sampler.syllabus.rounds, sampler.syllabus.outstanding) == (3, 0)


@pytest.mark.parametrize("name", ["each", "passes", "batch_size"])
@pytest.mark.parametrize("value", [0, -1, 1.5])
def test_a_number_of_prompts_or_repetitions_below_one_is_refused(name, value):
    arguments = {"batch_size": 3, name: value}
    with pytest.raises(gradus.InputError, match=f"{name} is {value}, expected a whole number, 1"):
        PromptSampler(gradus.Syllabus(["a", "b", "c"]), TASKS, **arguments)


def test_a_state_with_another_task_of_some_prompts_is_refused():
    saved = json.loads(json.dumps(prompt_sampler().state_dict()))
    prompt_sampler().load_state_dict(saved)
    other = PromptSampler(gradus.Syllabus(["a", "b", "c"], eta=0.2), TASKS[::-1], 3)
    with pytest.raises(gradus.InputError, match="different tasks of its prompts: their hash is"):
        other.load_state_dict(saved)
    for damaged in (None, {}, {**saved, "batches": 3}, {**saved, "syllabus": None}):
        with pytest.raises(gradus.InputError, match="saved"):
            prompt_sampler().load_state_dict(damaged)


class Config(dict):
    """Stand-in for omegaconf's DictConfig."""

    __getattr__ = dict.__getitem__


@pytest.fixture
def verl(monkeypatch):
    """Stand-in for verl: the two abstract classes of its sampler module."""

    class AbstractSampler(Sampler):
        def __init__(self, data_source, data_config):
            ...

    class AbstractCurriculumSampler(AbstractSampler):
        def update(self, batch):
            ...

    name = "verl.experimental.dataset.sampler"
    for part in ("verl", "verl.experimental", "verl.experimental.dataset", name):
        monkeypatch.setitem(sys.modules, part, types.ModuleType(part))
    sys.modules[name].AbstractCurriculumSampler = AbstractCurriculumSampler
    monkeypatch.delitem(sys.modules, "gradus.torch.verl", raising=False)
    yield importlib.import_module("gradus.torch.verl"), AbstractCurriculumSampler
    sys.modules.pop("gradus.torch.verl", None)


def verl_batch(places, score):
    """Stand-in for verl's DataProto, with two attempts per prompt, whose order is mixed up."""
    rows = [(place, attempt) for attempt in (0, 1) for place in reversed(places)]
    scores = torch.zeros(len(rows), 4)
    scores[:, 2] = torch.tensor([score(TASKS[place], attempt) for place, attempt in rows])
    return types.SimpleNamespace(
        batch={
            "token_level_scores": scores,
            "advantages": scores[:, 2:3].expand(-1, 4) - 0.5,
            "response_mask": torch.tensor([1.0, 1, 1, 0]).expand(len(rows), 4),
        },
        non_tensor_batch={
            "uid": [f"id {place}" for place, _ in rows],
            "data_source": [TASKS[place] for place, _ in rows],
        },
    )


@pytest.mark.parametrize("signal", ["learnability", "advantage"])
def test_verl_makes_updates_and_resumes_the_sampler(verl, signal):
    """Only task b has attempts that differ, or advantages other than 0. As verl does: no workers, and
    the state is saved after training on a batch, before update()."""
    module, base = verl
    data = [{"data_source": task} for task in TASKS]
    config = Config(train_batch_size=3, sampler=Config(signal=signal, seed=3))
    # An advantage is the score less 0.5.
    of_b, others = {"learnability": ([0.0, 1.0], 1.0), "advantage": ([1.0, 1.0], 0.5)}[signal]
    score = lambda task, attempt: of_b[attempt] if task == "b" else others

    def train(sampler, batches, save_at=None):
        seen = []
        while len(seen) < batches:
            for places in DataLoader(range(len(data)), sampler=sampler, batch_size=3):
                seen.append(places.tolist())
                if len(seen) == save_at:
                    return seen, copy.deepcopy(sampler.state_dict())
                sampler.update(batch=verl_batch(seen[-1], score))
                if len(seen) == batches:
                    break
        return seen

    sampler = module.SyllabusSampler(data_source=data, data_config=config)
    assert isinstance(sampler, base) and len(sampler) == 12
    seen = train(sampler, 60)
    drawn = collections.Counter(TASKS[place] for batch in seen for place in batch)
    assert drawn["b"] == max(drawn.values()) and sampler.syllabus.probabilities()["b"] > 0.5
    assert sampler.syllabus.outstanding == 0

    first, saved = train(module.SyllabusSampler(data, config), 60, save_at=6)
    assert first == seen[:6]
    other = module.SyllabusSampler(data, config)
    other.load_state_dict(json.loads(json.dumps(saved)))
    assert len(next(iter(zip(*[iter(other)] * 3)))) == 3
    assert other.syllabus.rounds == 15, "the tickets of the sixth batch earn nothing"
    with pytest.raises(gradus.InputError, match='no column "kind"'):
        module.SyllabusSampler(data, Config(train_batch_size=3, sampler=Config(task_key="kind")))
    with pytest.raises(gradus.InputError, match='signal is "size", expected "learnability" or'):
        module.SyllabusSampler(data, Config(train_batch_size=3, sampler=Config(signal="size")))


class GRPOTrainer:
    """Stand-in for TRL's trainer: its attributes, a loader that fetches a batch early as accelerate's
    does, and rewards of two functions."""

    def __init__(self, folder, **options):
        self.args = types.SimpleNamespace(
            generation_batch_size=6,
            steps_per_generation=1,
            dataloader_num_workers=0,
            ignore_data_skip=True,
            output_dir=str(folder),
            should_save=True,
        )
        vars(self.args).update(options)
        self.num_generations, self.num_iterations = 2, 1
        self.train_dataset = [{"task": task} for task in TASKS]
        self.reward_weights = torch.tensor([1.0, 0.0])
        self.model = types.SimpleNamespace(training=True)
        self.state = types.SimpleNamespace(global_step=0)
        self.is_deepspeed_enabled = False

    def _calculate_rewards(self, inputs, prompts, completions, completion_ids_list):
        right = [float(number % 2) if row["task"] == "b" else 0.0 for number, row in inputs]
        return torch.tensor([[value, float("nan")] for value in right])

    def _save_checkpoint(self, model, trial):
        ...

    def _load_from_checkpoint(self, resume_from_checkpoint, model=None):
        ...

    def _load_optimizer_and_scheduler(self, checkpoint):
        ...

    def train(self, batches, resume=None):
        """With DeepSpeed, the Trainer does not call _load_from_checkpoint."""
        if resume is not None and not self.is_deepspeed_enabled:
            self._load_from_checkpoint(resume)
        self._load_optimizer_and_scheduler(resume)
        seen = []
        while len(seen) < batches:
            loader = iter(
                DataLoader(
                    range(len(TASKS)),
                    sampler=self._get_train_sampler(),
                    batch_size=self.args.generation_batch_size,
                )
            )
            following = next(loader, None)
            while following is not None and len(seen) < batches:
                places, following = following.tolist(), next(loader, None)
                rows = [(number, self.train_dataset[place]) for number, place in enumerate(places)]
                self._calculate_rewards(rows, None, None, None)
                seen.append(places)
                self.state.global_step += 1
        return seen


class SyllabusTrainer(SyllabusMixin, GRPOTrainer):
    pass


def trl_trainer(folder, **options):
    trainer = SyllabusTrainer(folder, **options)
    trainer.syllabus = gradus.Syllabus(["a", "b", "c"], eta=0.3)
    return trainer


def test_trl_draws_groups_rewards_them_and_resumes(tmp_path):
    trainer = trl_trainer(tmp_path)
    seen = trainer.train(60)
    for places in seen:
        assert places[0::2] == places[1::2], "the attempts at a prompt are neighbours"
    assert trainer.syllabus.rounds == 180
    assert trainer.syllabus.probabilities()["b"] > 0.5
    trainer.model.training = False
    trainer._calculate_rewards([], None, None, None)
    assert trainer.syllabus.rounds == 180, "an evaluation is no reward"

    half = trl_trainer(tmp_path)
    first = half.train(30)
    half._save_checkpoint(None, None)
    for deepspeed in (False, True):
        resumed = trl_trainer(tmp_path)
        resumed.is_deepspeed_enabled = deepspeed
        then = resumed.train(30, resume=str(tmp_path / "checkpoint-30"))
        assert first + then == seen
    with pytest.raises(gradus.InputError, match="gradus.json: no such file"):
        trl_trainer(tmp_path).train(1, resume=str(tmp_path))
    with pytest.raises(gradus.InputError, match="ignore_data_skip is False, expected True"):
        trl_trainer(tmp_path, ignore_data_skip=False).train(1, str(tmp_path / "checkpoint-30"))


def test_trl_needs_a_syllabus_and_no_workers(tmp_path):
    with pytest.raises(gradus.InputError, match="set trainer.syllabus"):
        SyllabusTrainer(tmp_path).train(1)
    with pytest.raises(gradus.InputError, match="dataloader_num_workers is 2, expected 0"):
        trl_trainer(tmp_path, dataloader_num_workers=2).train(1)
