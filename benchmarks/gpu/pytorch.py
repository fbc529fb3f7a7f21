# SPDX-License-Identifier: Apache-2.0
"""PyTorch on the shapes of the paper's experiments, for comparison with gpu_networks.

One training step with prediction gain: forward, backward, RMSProp (centred, with momentum), and the
loss on the same batch again. Prints millions of input steps per second. Needs a CUDA GPU.

    python3 benchmarks/gpu/pytorch.py
"""

import time

import torch

SHAPES = {  # layers, batch, steps, inputs, outputs; all with 512 cells
    "n-gram": (2, 32, 150, 60, 60),
    "repeat copy, mean length": (1, 32, 59, 10, 9),
    "repeat copy, target": (1, 32, 184, 10, 9),
    "bAbI": (2, 16, 100, 160, 160),
}
CELLS = 512


class Network(torch.nn.Module):
    def __init__(self, layers, inputs, outputs):
        super().__init__()
        self.lstm = torch.nn.LSTM(inputs, CELLS, layers)
        self.output = torch.nn.Linear(CELLS, outputs)

    def forward(self, x):
        return self.output(self.lstm(x)[0])


def train_step(network, optimiser, x, y, half):
    """Returns a function that does one step and leaves the gain on the GPU."""

    def loss():
        with torch.autocast("cuda", torch.float16, enabled=half):
            logits = network(x)
        return (
            torch.nn.functional.cross_entropy(
                logits.float().flatten(0, 1), y.flatten(), reduction="sum"
            )
            / x.shape[1]
        )

    def step():
        optimiser.zero_grad(set_to_none=False)
        before = loss()
        # Half-precision gradients need a loss scale. It is fixed, and undone before the optimiser's
        # step.
        (before * 1024 if half else before).backward()
        if half:
            torch._foreach_div_([p.grad for p in network.parameters()], 1024.0)
        optimiser.step()
        with torch.no_grad():
            return before.detach() - loss()

    return step


def graphed(step):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def rate(step, steps_of_batch):
    for _ in range(3):
        step()
    torch.cuda.synchronize()
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < 1.0:
        for _ in range(5):
            step()
        torch.cuda.synchronize()
        count += 5
    return count * steps_of_batch / (time.perf_counter() - start) / 1e6


def measure(shape, half, graph, tf32, pad):
    layers, batch, steps, inputs, outputs = shape
    if pad:  # cuDNN's persistent kernels need sizes that are multiples of 128
        inputs, outputs = 128 * -(-inputs // 128), 128 * -(-outputs // 128)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
    torch.manual_seed(1)
    network = Network(layers, inputs, outputs).cuda()
    optimiser = torch.optim.RMSprop(
        network.parameters(),
        lr=1e-5,
        alpha=0.95,
        eps=1e-4,
        momentum=0.9,
        centered=True,
        capturable=graph,
        foreach=True,
    )
    x = torch.nn.functional.one_hot(torch.randint(inputs, (steps, batch)), inputs).float().cuda()
    y = torch.randint(outputs, (steps, batch)).cuda()
    step = train_step(network, optimiser, x, y, half)
    return rate(graphed(step) if graph else step, batch * steps)


def ensemble(shape, networks):
    """One layer of `networks` networks at once: batched bfloat16 products, no prediction gain."""
    _, batch, steps, inputs, outputs = shape
    make = lambda *size: (0.04 * torch.randn(networks, *size, device="cuda")).requires_grad_()
    weights = [
        make(inputs, 4 * CELLS),
        make(CELLS, 4 * CELLS),
        make(1, 4 * CELLS),
        make(CELLS, outputs),
    ]
    optimiser = torch.optim.RMSprop(
        weights,
        lr=1e-5,
        alpha=0.95,
        eps=1e-4,
        momentum=0.9,
        centered=True,
        capturable=True,
        foreach=True,
    )
    x = torch.randn(networks, steps * batch, inputs, device="cuda", dtype=torch.bfloat16)
    y = torch.randint(outputs, (networks * steps * batch,), device="cuda")

    def step():
        optimiser.zero_grad(set_to_none=False)
        w_in, w_rec, bias, w_out = (w.to(torch.bfloat16) for w in weights)
        z_in = (x @ w_in + bias).view(networks, steps, batch, 4 * CELLS)
        h = c = torch.zeros(networks, batch, CELLS, device="cuda", dtype=torch.bfloat16)
        all_h = []
        for t in range(steps):
            i, f, g, o = (z_in[:, t] + h @ w_rec).chunk(4, -1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            all_h.append(h)
        logits = (torch.stack(all_h, 1) @ w_out.unsqueeze(1)).float().reshape(-1, outputs)
        torch.nn.functional.cross_entropy(logits, y).backward()
        optimiser.step()

    return rate(graphed(step), networks * batch * steps)


def main():
    print(
        torch.cuda.get_device_name(),
        "PyTorch",
        torch.__version__,
        "cuDNN",
        torch.backends.cudnn.version(),
    )
    modes = {
        "eager, fp32": dict(half=False, graph=False, tf32=False, pad=False),
        "graph, TF32": dict(half=False, graph=True, tf32=True, pad=False),
        "graph, fp16, padded to 128": dict(half=True, graph=True, tf32=True, pad=True),
    }
    for mode, options in modes.items():
        for name, shape in SHAPES.items():
            try:
                print(
                    f"{mode:28} {name:26} {measure(shape, **options):6.2f} million steps/s",
                    flush=True,
                )
            except RuntimeError as error:
                print(f"{mode:28} {name:26} failed: {str(error).splitlines()[0]}", flush=True)
    name = "repeat copy, mean length"
    print(
        f"{'50 networks batched, bf16':28} {name:26} {ensemble(SHAPES[name], 50):6.2f} million steps/s in total, without gain"
    )


if __name__ == "__main__":
    main()
