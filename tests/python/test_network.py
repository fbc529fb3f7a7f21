# SPDX-License-Identifier: Apache-2.0
"""The networks of finished runs in PyTorch: the same logits as the engine's, and what the program
evaluates, writes and answers with them."""

import json
import re

import pytest

torch = pytest.importorskip("torch")

import gradus
from command import program
from gradus import _core
from gradus.torch import load_network

# Of the largest logit. Both compute in single precision, whose relative error is 6e-8, but add in
# another order; over a hundred steps, differences of 6e-7 were measured.
TOLERANCE = 1e-5

SMALL = {"optimiser.learning_rate": 3e-3, "evaluation.interval": 2000, "evaluation.sequences": 8}


def close(found, expected):
    return (found - expected).abs().max() <= TOLERANCE * expected.abs().max()


@pytest.mark.parametrize("objective", ["ml", "l2", "vi"])
@pytest.mark.parametrize("layers", [1, 2])
def test_sigmoid_outputs_are_those_of_the_engine(tmp_path, objective, layers):
    settings = {
        **SMALL,
        "repeat_copy": {"max_length": 3, "max_repeats": 3},
        "network": {"cells": 24, "layers": layers},
        "objective": objective,
        "steps": 20_000,
    }
    for _ in gradus.train(settings, folder=tmp_path / "run"):
        pass
    generator = torch.Generator().manual_seed(1)
    bits = torch.randint(0, 2, (100, 9), generator=generator)
    reals = torch.randn(100, 1, generator=generator)
    masks = [sum(int(bit) << i for i, bit in enumerate(row)) for row in bits]
    for checkpoint in ("best", "last"):
        network = load_network(tmp_path / "run", checkpoint)
        assert not network.softmax and network.vocabulary == [] and network.num_layers == layers
        with torch.no_grad():
            logits, _ = network(network.inputs(bits=bits.tolist(), reals=reals.tolist()))
        folder = str(tmp_path / "run")
        engine = _core.network_outputs(folder, checkpoint, [], masks, reals[:, 0].tolist(), 100)
        assert close(logits[:, 0], torch.tensor(engine))
        assert logits.abs().max() > 1, "a network that learned nothing proves nothing"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run on a text and on pairs, two layers."""
    folder = tmp_path_factory.mktemp("own")
    data = folder / "data"
    data.mkdir()
    (data / "squares.txt").write_text("".join(f"{i * i} " for i in range(600)))
    pairs = [
        {"input": [a, b, ">", None], "target": sorted([a, b])} for a in range(7) for b in range(7)
    ]
    (data / "sort.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    settings = {
        **SMALL,
        "curriculum": "files",
        "files": {"path": str(data), "sequence": 60, "context": 20},
        "network": {"cells": 32, "layers": 2},
        "steps": 100_000,
    }
    list(gradus.train(settings, folder=folder / "run"))
    return folder / "run"


def logits_of(network, tokens):
    with torch.no_grad():
        return network(network.inputs(tokens))[0][:, 0]


def test_softmax_outputs_are_those_of_the_engine(trained):
    network = load_network(trained)
    assert network.softmax and network.checkpoint == "best"
    tokens = [-1] + [network.vocabulary.index(c) for c in "64 81 100 121 144 169 " * 9]
    tokens = tokens[:60]  # as long as in training: on longer ones the state may amplify differences
    engine = _core.network_outputs(str(trained), "best", tokens, [], [], len(tokens))
    assert close(logits_of(network, tokens), torch.tensor(engine))


def test_the_file_of_weights_loads_into_an_lstm_of_pytorch(trained):
    [best] = (trained / "checkpoints").glob("best-*")
    data = (best / "weights.safetensors").read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    facts = header.pop("__metadata__")
    state = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        numbers = torch.frombuffer(bytearray(data[begin:end]), dtype=torch.float32)
        state[name] = numbers.reshape(entry["shape"])
    outputs = [state.pop("output.weight"), state.pop("output.bias")]
    lstm = torch.nn.LSTM(len(json.loads(facts["vocabulary"])), 32, 2)
    lstm.load_state_dict(state)
    network = load_network(trained)
    tokens = [-1, 3, 2, 1]
    with torch.no_grad():
        hidden, _ = lstm(network.inputs(tokens))
        logits = torch.nn.functional.linear(hidden, *outputs)[:, 0]
    assert torch.equal(logits, logits_of(network, tokens))


def mean_loss(network, sequences):
    """Nats per scored output of sequences [(inputs, {step: target})]."""
    losses = []
    for inputs, targets in sequences:
        scores = torch.log_softmax(logits_of(network, inputs).double(), 1)
        losses += [-scores[step, target].item() for step, target in targets.items()]
    return sum(losses) / len(losses)


@pytest.mark.program
def test_eval_prints_the_loss_that_pytorch_computes(trained, tmp_path):
    network = load_network(trained)
    index = network.vocabulary.index
    text = "".join(f"{i * i} " for i in range(700, 730))
    symbols = [index(c) for c in text]
    sequences = []
    for first in range(0, len(symbols), 60):
        part = symbols[first : first + 60]
        if len(part) > 20:
            sequences.append(([-1] + part[:-1], {t: part[t] for t in range(20, len(part))}))
    (tmp_path / "mine.txt").write_text(text)
    shown = json.loads(program("eval", trained, "--file", tmp_path / "mine.txt", "--json"))
    assert shown["results"][0]["loss"] == pytest.approx(mean_loss(network, sequences), rel=1e-6)


@pytest.mark.program
def test_sample_writes_what_pytorch_finds_most_likely(trained):
    network = load_network(trained)
    text = "64 81 "
    for _ in range(80):
        tokens = [-1] + [network.vocabulary.index(c) for c in text]
        text += network.vocabulary[int(logits_of(network, tokens)[-1].argmax())]
    call = ["sample", trained, "--prompt", "64 81 ", "--temperature", 0, "--length", 80]
    assert program(*call) == text


@pytest.mark.program
def test_sample_draws_with_the_probabilities_of_pytorch(trained):
    """The log probability of a sampled text is what its distribution makes one expect."""
    network = load_network(trained)
    text = program("sample", trained, "--length", 1500, "--temperature", 1.3)
    tokens = [network.vocabulary.index(symbol) for symbol in re.findall("<unk>|.", text)]
    scores = torch.log_softmax(logits_of(network, [-1] + tokens[:-1]).double() / 1.3, 1)
    mean = (scores.exp() * scores).sum(1)
    variance = (scores.exp() * scores**2).sum(1) - mean**2
    drawn = scores[range(len(tokens)), tokens]
    assert len(tokens) == 1500
    assert abs((drawn - mean).sum()) < 3 * variance.sum().sqrt()
    # Other temperatures are told apart.
    assert variance.sum().sqrt() < 0.05 * -mean.sum()


@pytest.mark.program
def test_answer_prints_what_pytorch_finds_most_likely(trained):
    network = load_network(trained)
    questions = [[a, b, ">", None] for a in range(7) for b in range(7)] + [[3, ">"], [6, 5, 4, ">"]]
    expected = []
    for question in questions:
        inputs = [-1 if x is None else network.vocabulary.index(str(x)) for x in question]
        steps = range(question.index(">"), len(question))
        best = logits_of(network, inputs).argmax(1)
        expected.append(" ".join(network.vocabulary[best[step]] for step in steps))
    lines = "".join(json.dumps({"input": question}) + "\n" for question in questions)
    assert program("answer", trained, text=lines).splitlines() == expected


def test_networks_that_are_not_there_are_refused(tmp_path, trained):
    with pytest.raises(gradus.InputError, match="contains no run"):
        load_network(tmp_path)
    with pytest.raises(gradus.InputError, match='expected "best" or "last"'):
        load_network(trained, "first")
    with pytest.raises(gradus.InputError, match="expected tokens, bits or reals"):
        load_network(trained).inputs()
