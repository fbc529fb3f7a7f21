# SPDX-License-Identifier: Apache-2.0
"""Reinforcement learning with verifiable rewards on tasks of different difficulty.

    python examples/pytorch/locks.py

A prompt is a row of symbols. The policy must answer each of them by another symbol, by a rule that
depends on the place, and is told only whether the whole answer is right. So a long prompt is never
solved before the rules of its first places are known, and a short one soon teaches nothing. Prints
the share of held-out prompts of all lengths that each arm solves after the same number of updates.
"""

from __future__ import annotations

import argparse
from typing import cast

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

import gradus
from compare import print_comparison
from gradus.torch import PromptSampler

SYMBOLS, LONGEST, BLANK = 6, 20, 6
ATTEMPTS, PROMPTS = 8, 16  # per prompt; per update
TASKS = [f"length {length}" for length in range(1, LONGEST + 1)]


def make_prompts(count: int, generator: torch.Generator) -> tuple[Tensor, list[str]]:
    """`count` prompts of each length, with BLANK after their end, and the task of each."""
    rows = torch.randint(SYMBOLS, (LONGEST * count, LONGEST), generator=generator)
    lengths = torch.arange(1, LONGEST + 1).repeat_interleave(count)
    rows[torch.arange(LONGEST) >= lengths[:, None]] = BLANK
    return rows, [TASKS[int(length) - 1] for length in lengths]


class Policy(nn.Module):
    """Reads a symbol and its place; every answer is drawn on its own."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(LONGEST * (SYMBOLS + 1), 32)
        self.output = nn.Linear(32, SYMBOLS)

    def forward(self, prompts: Tensor) -> torch.distributions.Categorical:
        places = torch.arange(LONGEST) * (SYMBOLS + 1)
        logits = self.output(torch.tanh(self.embedding(prompts + places)))
        return torch.distributions.Categorical(logits=logits)  # type: ignore[no-untyped-call]


class Run:
    """The prompts, the hidden rule and the policy of a seed."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        generator = torch.Generator().manual_seed(seed)
        self.rule = torch.rand(LONGEST, SYMBOLS, generator=generator).argsort(1)
        self.prompts, self.tasks = make_prompts(200, generator)
        self.held_out, _ = make_prompts(50, generator)
        self.policy = Policy()
        self.optimizer = torch.optim.Adam(self.policy.parameters(), 0.01)

    def solved(self, prompts: Tensor, answers: Tensor) -> Tensor:
        """1 for each answer that is right at all places of its prompt, otherwise 0."""
        blank = prompts == BLANK
        expected = self.rule[torch.arange(LONGEST), prompts.masked_fill(blank, 0)]
        return ((answers == expected) | blank).all(1).float()

    def update(self, prompts: Tensor) -> Tensor:
        """A step of policy gradient. Returns the rewards."""
        drawn = self.policy(prompts)
        answers = drawn.sample()
        rewards = self.solved(prompts, answers)
        groups = rewards.view(-1, ATTEMPTS)
        advantages = (groups - groups.mean(1, keepdim=True)).flatten()
        chosen = drawn.log_prob(answers).masked_fill(prompts == BLANK, 0).sum(1)
        self.optimizer.zero_grad()
        (-(advantages * chosen).mean()).backward()
        self.optimizer.step()
        return rewards

    def train(self, syllabus: gradus.Syllabus, updates: int) -> float:
        """Returns the share of held-out prompts that the most likely answers solve."""
        sampler = PromptSampler(syllabus, self.tasks, PROMPTS, each=ATTEMPTS)
        loader: DataLoader[Tensor] = DataLoader(
            cast(Dataset[Tensor], self.prompts), sampler=sampler, batch_size=PROMPTS * ATTEMPTS
        )
        while updates > 0:
            for prompts in loader:
                sampler.reward_attempts(self.update(prompts).tolist(), "learnability")
                updates -= 1
                if updates == 0:
                    break
        with torch.no_grad():
            answers = self.policy(self.held_out).probs.argmax(2)
        return float(self.solved(self.held_out, answers).mean())


def make_syllabus(arm: str, seed: int) -> gradus.Syllabus:
    if arm == "uniform":
        return gradus.Syllabus(TASKS, "uniform", seed=seed)
    # What can be learned changes all the time: a large eta follows it.
    return gradus.Syllabus(TASKS, seed=seed, eta=0.05)


def main() -> None:
    parser = argparse.ArgumentParser(description="Prompts of different difficulty.")
    parser.add_argument("--updates", type=int, default=400, help="updates per run")
    parser.add_argument("--seeds", type=int, default=5, help="runs per arm, 2 to 10")
    options = parser.parse_args()
    torch.set_num_threads(1)  # more threads do not help with tensors this small

    solved: dict[str, list[float]] = {"uniform": [], "p(1-p)": []}
    for seed in range(101, 101 + options.seeds):
        for arm, shares in solved.items():
            shares.append(Run(seed).train(make_syllabus(arm, seed), options.updates))
    print_comparison(solved, "share of prompts solved")


if __name__ == "__main__":
    main()
