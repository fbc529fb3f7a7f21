# SPDX-License-Identifier: Apache-2.0
"""The PyTorch counterpart of worker.cc for compare.py: torch.nn.LSTM, autograd, and the optimiser
as foreach operations."""
import json
import sys
import time

import torch
import torch.nn.functional as F


class Network(torch.nn.Module):
    def __init__(self, case):
        super().__init__()
        inputs = case["tokens"] + case["bits"] + case["reals"]
        self.lstm = torch.nn.LSTM(inputs, case["cells"], case["layers"])
        self.out = torch.nn.Linear(case["cells"], case["width"])

    def forward(self, x, first_scored):
        return self.out(self.lstm(x)[0][first_scored:])


def make_batch(case):
    """Dense inputs (T, B, I), zero after the first `inputs` steps, and the scored targets."""
    torch.manual_seed(1)
    t, b, n = case["steps"], case["sequences"], case["inputs"]
    x = torch.zeros(t, b, case["tokens"] + case["bits"] + case["reals"])
    if case["tokens"]:
        x[:n, :, : case["tokens"]] = F.one_hot(
            torch.randint(case["tokens"], (n, b)), case["tokens"]
        )
    if case["bits"]:
        end = case["tokens"] + case["bits"]
        x[:n, :, case["tokens"] : end] = torch.randint(2, (n, b, case["bits"])).float()
    if case["output"] == "softmax":
        return x, torch.randint(case["width"], (case["scored"], b))
    return x, torch.randint(2, (case["scored"], b, case["width"])).float()


def total_loss(case, outputs, y):
    if case["output"] == "softmax":
        return F.cross_entropy(outputs.flatten(0, 1), y.flatten(), reduction="sum")
    return F.binary_cross_entropy_with_logits(outputs, y, reduction="sum")


class RmsProp:
    """Graves 2013, as in gradus/nn/rmsprop.h."""

    def __init__(self, parameters):
        self.p = parameters
        self.n, self.m, self.d = ([torch.zeros_like(p) for p in parameters] for _ in range(3))

    @torch.no_grad()
    def update(self, gradients):
        torch._foreach_mul_(self.n, 0.95)
        torch._foreach_addcmul_(self.n, gradients, gradients, 0.05)
        torch._foreach_mul_(self.m, 0.95)
        torch._foreach_add_(self.m, gradients, alpha=0.05)
        v = torch._foreach_add(self.n, 1e-4)
        torch._foreach_addcmul_(v, self.m, self.m, -1.0)
        torch._foreach_sqrt_(v)
        torch._foreach_mul_(self.d, 0.9)
        torch._foreach_addcdiv_(self.d, gradients, v, -1e-5)
        torch._foreach_add_(self.p, self.d)


class Trainer:
    def __init__(self, case):
        self.case = case
        self.x, self.y = make_batch(case)
        self.network = Network(case)
        self.parameters = list(self.network.parameters())
        self.trained = self.parameters
        if case["objective"] == "vi":
            mean = [p.detach().clone() for p in self.parameters]
            self.trained = mean + [torch.full_like(p, -3.9) for p in self.parameters]
        self.optimiser = RmsProp(self.trained)

    @torch.no_grad()
    def sample(self, noise):
        half = len(self.parameters)
        width = [F.softplus(r) for r in self.trained[half:]]
        for p, mean, w, e in zip(self.parameters, self.trained, width, noise):
            torch.addcmul(mean, w, e, out=p)
        return width

    def loss(self):
        first = self.case["steps"] - self.case["scored"]
        return total_loss(self.case, self.network(self.x, first), self.y) / self.case["sequences"]

    def update(self):
        variational = self.case["objective"] == "vi"
        if variational:
            noise = [torch.randn_like(p) for p in self.parameters]
            width = self.sample(noise)
        gradients = list(torch.autograd.grad(self.loss(), self.parameters))
        if variational:
            gradients = self.variational_gradients(gradients, noise, width)
        self.optimiser.update(gradients)
        if self.case["prediction_gain"]:
            if variational:
                self.sample(noise)
            with torch.no_grad():
                self.loss()

    @torch.no_grad()
    def variational_gradients(self, gradients, noise, width):
        """The prior is fixed at N(0, 0.1^2), which saves a pass that Gradus makes."""
        half, variance, share = len(gradients), 0.01, 1e-6
        means, rhos = [], []
        for g, e, w, mean, rho in zip(gradients, noise, width, self.trained, self.trained[half:]):
            means.append(g + mean * (share / variance))
            rhos.append((g * e + (w / variance - 1 / w) * share) * torch.sigmoid(rho))
        return means + rhos


def main():
    case = json.loads(sys.stdin.readline())
    torch.set_num_threads(case["threads"])
    trainer = Trainer(case)
    trainer.update()
    print(json.dumps({"version": torch.__version__}), flush=True)
    for _ in sys.stdin:
        start, processor, updates = time.perf_counter(), time.process_time(), 0
        while time.perf_counter() - start < 0.2:
            trainer.update()
            updates += 1
        print(
            (time.perf_counter() - start) / updates,
            (time.process_time() - processor) / updates,
            flush=True,
        )


if __name__ == "__main__":
    main()
