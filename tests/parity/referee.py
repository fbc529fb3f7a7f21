# SPDX-License-Identifier: Apache-2.0
"""One training step of the paper in PyTorch, in float64, differentiated by autograd.

Written from Graves et al. 2017, section 3, and Graves 2013 (the optimiser). The only thing taken
from Gradus is the order of the numbers in a flat array (gradus/nn/layout.h).
"""
import torch
import torch.nn.functional as F
from torch.distributions import Normal, kl_divergence
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)

WINDOW = 8  # visits over which the slope of a loss is taken
FLOOR = 0.5  # smallest loss per output, for xl


def layout(case):
    """[(name, rows, columns)] of the network's matrices."""
    h, shapes = case["cells"], []
    for layer in range(case["layers"]):
        below = h if layer else case["tokens"] + case["bits"] + case["reals"]
        shapes += [
            (f"lstm{layer}.input", below, 4 * h),
            (f"lstm{layer}.recurrent", h, 4 * h),
            (f"lstm{layer}.bias", 1, 4 * h),
        ]
    return shapes + [("output.weight", h, case["width"]), ("output.bias", 1, case["width"])]


def sizes(case):
    return [rows * columns for _, rows, columns in layout(case)]


def parts(case):
    """{name: slice} of phi, the numbers that the optimiser moves."""
    names, lengths = [name for name, _, _ in layout(case)], sizes(case)
    if case["objective"] == "vi":
        priors = {"global": 1, "tensor": len(names), "weight": sum(lengths)}[case["prior"]]
        names = [f"mean.{n}" for n in names] + [f"width.{n}" for n in names]
        names += ["prior.mean", "prior.width"]
        lengths = lengths * 2 + [priors] * 2
    result, at = {}, 0
    for name, length in zip(names, lengths):
        result[name] = slice(at, at + length)
        at += length
    return result


def bit_rows(numbers, width):
    return torch.tensor([[n >> j & 1 for j in range(width)] for n in numbers]).double()


def inputs(case, sequence):
    """(T, I): one-hot token, bits, reals."""
    columns = []
    if case["tokens"]:
        tokens = torch.tensor(sequence["tokens"])
        columns.append(F.one_hot(tokens + 1, case["tokens"] + 1)[:, 1:].double())
    if case["bits"]:
        columns.append(bit_rows(sequence["bits"], case["bits"]))
    if case["reals"]:
        columns.append(torch.tensor(sequence["reals"]).double().view(-1, case["reals"]))
    return torch.cat(columns, dim=1)


def lstm(case, layers, padded, lengths):
    """Returns the top layer's hidden states (T, B, H), by the function behind torch.nn.LSTM."""
    weights = []
    for w, r, b in layers:
        weights += [w.t().contiguous(), r.t().contiguous(), b[0], torch.zeros_like(b[0])]
    packed = pack_padded_sequence(padded, lengths, enforce_sorted=False)
    start = torch.zeros(case["layers"], len(lengths), case["cells"])
    hidden, _, _ = torch.lstm(
        packed.data,
        packed.batch_sizes,
        (start, start),
        weights,
        True,
        case["layers"],
        0.0,
        False,
        False,
    )
    return pad_packed_sequence(packed._replace(data=hidden))[0]


def limited_lstm(case, layers, padded, lengths, limited):
    """Like lstm(), but clamps the derivative of each sequence's summed loss with respect to every
    gate input z to the limit. Like the loss, the limit is divided by the number of sequences.

    For each z, appends to `limited` which of the non-zero derivatives were clamped.
    """
    bound, batch = case["derivative_limit"] / len(lengths), len(lengths)
    below = padded
    for w, r, b in layers:
        h, c, hidden = torch.zeros(batch, case["cells"]), torch.zeros(batch, case["cells"]), []
        for x in below:
            z = x @ w + h @ r + b

            def clamp(slope):
                limited.append((slope.abs() > bound)[slope != 0])
                return slope.clamp(-bound, bound)

            if z.requires_grad:
                z.register_hook(clamp)
            i, f, g, o = z.chunk(4, dim=1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            hidden.append(h)
        below = torch.stack(hidden)
    return below


def logits(case, theta, sequences, limited):
    """Returns one (T, O) tensor per sequence."""
    matrices = [
        flat.view(rows, columns)
        for flat, (_, rows, columns) in zip(theta.split(sizes(case)), layout(case))
    ]
    layers = list(zip(matrices[0:-2:3], matrices[1:-2:3], matrices[2:-2:3]))
    padded = pad_sequence([inputs(case, s) for s in sequences])
    lengths = torch.tensor([len(s["scored"]) for s in sequences])
    if case["derivative_limit"]:
        hidden = limited_lstm(case, layers, padded, lengths, limited)
    else:
        hidden = lstm(case, layers, padded, lengths)
    outputs = hidden @ matrices[-2] + matrices[-1]
    return [outputs[:length, b] for b, length in enumerate(lengths.tolist())]


def output_losses(case, outputs, sequence):
    """Returns the loss (T) of each output in nats, scored or not."""
    if case["output"] == "softmax":
        return F.cross_entropy(outputs, torch.tensor(sequence["targets"]), reduction="none")
    target = bit_rows(sequence["targets"], case["width"])
    return F.binary_cross_entropy_with_logits(outputs, target, reduction="none").sum(dim=1)


def loss(case, theta, sequences, limited=None):
    """L(x, theta): mean over sequences of the sum over scored outputs."""
    rows = zip(logits(case, theta, sequences, [] if limited is None else limited), sequences)
    return sum(
        (output_losses(case, o, s) * torch.tensor(s["scored"])).sum() for o, s in rows
    ) / len(sequences)


def evaluation(case, theta, sequences):
    """Counts total loss, scored outputs, answers (runs of scored outputs) and wrong answers."""
    outputs = answers = wrong = 0
    for o, s in zip(logits(case, theta, sequences, []), sequences):
        if case["output"] == "softmax":
            right = o.argmax(dim=1) == torch.tensor(s["targets"])
        else:
            right = ((o > 0) == (bit_rows(s["targets"], case["width"]) > 0)).all(dim=1)
        runs = "".join(".wr"[scored * (1 + int(r))] for scored, r in zip(s["scored"], right))
        answers += len(runs.replace(".", " ").split())
        wrong += sum("w" in run for run in runs.replace(".", " ").split())
        outputs += sum(s["scored"])
    return dict(
        total_loss=float(loss(case, theta, sequences)) * len(sequences),
        outputs=outputs,
        answers=answers,
        wrong_answers=wrong,
    )


def posterior_and_prior(case, phi):
    """Returns both Gaussians over the weights, with a shared prior repeated for its weights."""
    mean, width, prior_mean, prior_width = split_vi(case, phi)
    if case["prior"] == "tensor":
        repeats = torch.tensor(sizes(case))
        prior_mean, prior_width = (p.repeat_interleave(repeats) for p in (prior_mean, prior_width))
    return Normal(mean, F.softplus(width)), Normal(prior_mean, F.softplus(prior_width))


def split_vi(case, phi):
    p = sum(sizes(case))
    priors = (len(phi) - 2 * p) // 2
    return phi.split([p, p, priors, priors])


def kl(case, phi):
    posterior, prior = posterior_and_prior(case, phi)
    return kl_divergence(posterior, prior).sum()


def sample(case, phi, noise):
    """Returns theta; for VI by the reparameterisation trick."""
    if case["objective"] != "vi":
        return phi
    posterior, _ = posterior_and_prior(case, phi)
    return posterior.loc + posterior.scale * noise


def penalty(case, phi):
    """What the objective adds to the data loss."""
    if case["objective"] == "vi":
        return kl(case, phi) / case["sequences"]
    return case["l2_decay"] / 2 * phi.dot(phi) if case["objective"] == "l2" else 0 * phi.sum()


class RmsProp:
    """Graves 2013, equations 38 to 45."""

    def __init__(self, case, size):
        self.case = case
        self.n, self.m, self.d = torch.zeros(3, size)

    def update(self, phi, gradient):
        c = self.case
        if c["clip"] and gradient.norm() > c["clip"]:
            gradient = gradient * c["clip"] / gradient.norm()
        self.n = c["decay"] * self.n + (1 - c["decay"]) * gradient**2
        self.m = c["decay"] * self.m + (1 - c["decay"]) * gradient
        self.v = self.n - self.m**2 if c["centred"] else self.n
        self.d = c["momentum"] * self.d - c["learning_rate"] * gradient / torch.sqrt(
            self.v + c["epsilon"]
        )
        return phi + self.d


def shrunk_drop(losses, errors=2):
    """The negative slope of the least-squares line through the losses. It is 0 within `errors`
    standard errors of 0; otherwise its square is reduced by their square, relative to itself."""
    n = len(losses)
    if n < 4:
        return torch.tensor(0.0)
    visits = torch.arange(float(n))
    design = torch.stack([visits, torch.ones(n)], dim=1)
    y = torch.stack(losses)[:, None]
    line = torch.linalg.lstsq(design, y).solution
    variance = (y - design @ line).square().sum() / (n - 2)
    slope, squared_error = line[0, 0], variance * torch.linalg.inv(design.t() @ design)[0, 0]
    return -slope * torch.clamp(1 - errors**2 * squared_error / slope**2, min=0)


def gradient(function, phi):
    """Value and gradient of function(phi)."""
    phi = phi.detach().requires_grad_()
    value = function(phi)
    return value.detach(), torch.autograd.grad(value, phi)[0]


def complexity(case, phi, data_gradient):
    """Returns what the complexity gains compare, before or after the step."""
    if case["objective"] == "vi":
        value, slope = gradient(lambda p: kl(case, p), phi)
        return dict(kl=value, kl_dot_gradient=slope.dot(data_gradient), slope=slope.norm())
    return dict(
        weight_norm=phi.dot(phi), weights_dot_gradient=phi.dot(data_gradient), slope=phi.norm()
    )


class Referee:
    """Trains the case's network from `phi`. step() returns everything that is compared."""

    def __init__(self, case, phi):
        self.case, self.phi = case, phi
        self.optimiser = RmsProp(case, len(phi))
        self.limited = []  # of gate inputs: which derivatives were clamped, in all updates
        self.losses, self.probe_losses = [], []  # of all batches and probes, before the updates

    def step(self, batch, probe, noise):
        case, phi = self.case, self.phi
        loss_at = lambda p, x: loss(case, sample(case, p, noise), x, self.limited)
        data, data_gradient = gradient(lambda p: loss_at(p, batch), phi)
        _, penalty_gradient = gradient(lambda p: penalty(case, p), phi)
        self.phi = self.optimiser.update(phi, data_gradient + penalty_gradient)
        before = complexity(case, phi, data_gradient)
        after = complexity(case, self.phi, data_gradient)
        losses = dict(
            loss_before=data,
            loss_after=loss_at(self.phi, batch),
            probe_before=loss_at(phi, probe),
            probe_after=loss_at(self.phi, probe),
        )
        _, probe_gradient = gradient(lambda p: loss_at(p, probe), phi)
        self.losses.append(data)
        self.probe_losses.append(losses["probe_before"])
        on_batch = evaluation(case, sample(case, phi, noise), batch)
        evaluated = self.evaluated(noise)
        return dict(
            losses=losses,
            drop=shrunk_drop(self.losses[-WINDOW:]),
            probe_drop=shrunk_drop(self.probe_losses[-WINDOW:]),
            excess=data - FLOOR * on_batch["outputs"] / len(batch),
            answers_right=1 - on_batch["wrong_answers"] / on_batch["answers"],
            probe_gradient=probe_gradient,
            before=before,
            after=after,
            data_gradient=data_gradient,
            gradient=data_gradient + penalty_gradient,
            phi=self.phi,
            v=self.optimiser.v,
            m=self.optimiser.m,
            d=self.optimiser.d,
            evaluation=evaluation(case, evaluated, probe),
        )

    def evaluated(self, noise):
        if self.case["objective"] == "vi" and not self.case["evaluate_at_sample"]:
            return split_vi(self.case, self.phi)[0]
        return sample(self.case, self.phi, noise)
