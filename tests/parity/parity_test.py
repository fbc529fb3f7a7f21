# SPDX-License-Identifier: Apache-2.0
"""Compares gradus/nn and gradus/gains with PyTorch: thirty updates of each case, in double and in
float. The referee starts from the same phi and then trains independently.

`python3 tests/parity/parity_test.py` (with GRADUS_TRACE set) prints the largest errors.
"""
import json
import os
import subprocess
import sys

import pytest

from cases import CASES, LIMITED

try:
    import torch
except ImportError:
    if os.environ.get("GRADUS_WITHOUT_TORCH") != "1":
        raise
    pytest.skip("no PyTorch, and GRADUS_WITHOUT_TORCH is set", allow_module_level=True)

from referee import Referee, parts

# Largest allowed difference, relative to the scale of the quantity: for an array, the largest entry
# so far of its named part; for a difference of two numbers, the first of them; for a dot product,
# the product of the norms. Measured over all cases: below 1e-14 in double and 1e-5 in float, which
# is what rounding errors of 1e-16 and 6e-8 become in thirty updates. The margins allow for another
# BLAS or compiler, but not for a wrong term: the smallest one anywhere, the gradient of KL/S at S =
# 1.69e8, is 1e-8 of the whole.
TOLERANCE = {"double": 1e-12, "float": 5e-5}


def trace(case, real):
    """Returns the starting phi and the updates that Gradus makes."""
    run = subprocess.run(
        [os.environ["GRADUS_TRACE"]],
        input=json.dumps({**case, "real": real}),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return torch.tensor(lines[0]["phi"]), lines[1:]


def scalars(result):
    """Returns {name: (value, scale)} of measurements and gains, by the paper's definitions."""
    losses, before, after = (result[k] for k in ("losses", "before", "after"))
    squared = result["data_gradient"].norm() ** 2
    found = {name: (value, value) for name, value in losses.items()}
    found["gradient_norm"] = found["gpg"] = (squared, squared)
    found["lsg"] = (result["drop"], losses["loss_before"])
    found["alsg"] = (result["drop"].abs(), losses["loss_before"])
    found["hsg"] = (result["probe_drop"], losses["probe_before"])
    found["xl"] = (result["excess"], losses["loss_before"])
    right = result["answers_right"]
    found["answers_right"], found["lrn"] = (right, 1), (right * (1 - right), 1)
    product = result["data_gradient"].dot(result["probe_gradient"])
    norms = result["data_gradient"].norm() * result["probe_gradient"].norm()
    for name in ("probe_dot_gradient", "gspg", "gtpg", "gmpg"):
        found[name] = (product, norms)
    found["pg"] = (losses["loss_before"] - losses["loss_after"], losses["loss_before"])
    for name in ("spg", "tpg", "mpg", "hpg"):
        found[name] = (losses["probe_before"] - losses["probe_after"], losses["probe_before"])
    names = dict(kl="vcg", kl_dot_gradient="gvcg", weight_norm="l2g", weights_dot_gradient="gl2g")
    size, product = [key for key in names if key in before]
    found[f"{size}_before"] = (before[size], before[size])
    found[f"{size}_after"] = (after[size], after[size])
    found[names[size]] = (after[size] - before[size], before[size])
    scale = before["slope"] * result["data_gradient"].norm()
    found[product] = found[f"printed {names[product]}"] = (before[product], scale)
    found[names[product]] = (-before[product], scale)
    return {name: (float(value), abs(float(scale))) for name, (value, scale) in found.items()}


def gradus_scalars(update):
    """Returns {name: value} from the trace, without what was not measured."""
    found = {**update["measured"], **update["gains"]}
    found.update({f"printed {name}": update["printed"][name] for name in ("gvcg", "gl2g")})
    return {name: value for name, value in found.items() if value is not None}


def compare(case, update, result, scales):
    """Yields (quantity, value in Gradus, value in PyTorch, relative error), in order of use.

    Updates `scales`, the largest entry so far of each part of each array.
    """
    theirs, ours = scalars(result), gradus_scalars(update)
    assert set(ours) == set(theirs), "measured by one side but not the other"
    rows = [
        (name, ours[name], value, abs(ours[name] - value) / scale)
        for name, (value, scale) in theirs.items()
    ]
    yield from (row for row in rows if row[0].endswith("before"))
    for array in ("gradient", "m", "v", "d", "phi"):
        mine = torch.tensor(update[array])
        for name, where in parts(case).items():
            value, difference = result[array][where], (mine - result[array])[where].abs()
            scale = max(scales.get((array, name), 0.0), float(value.abs().max()))
            scales[array, name], at = scale, int(difference.argmax())
            yield (
                f"{array} of {name}[{at}]",
                float(mine[where][at]),
                float(value[at]),
                float(difference[at]) / scale,
            )
    yield from (row for row in rows if not row[0].endswith("before"))
    mine, value = update["evaluation"], result["evaluation"]
    yield (
        "evaluation",
        mine["total_loss"],
        value["total_loss"],
        abs(mine["total_loss"] / value["total_loss"] - 1),
    )
    for name in ("outputs", "answers", "wrong_answers"):
        yield name, mine[name], value[name], abs(mine[name] - value[name])


def errors(name, real):
    """Yields (update, quantity, Gradus, PyTorch, relative error) over a whole case."""
    case = CASES[name]
    phi, updates = trace(case, real)
    assert len(phi) == list(parts(case).values())[-1].stop
    assert len(updates) == case["updates"]
    referee, scales = Referee(case, phi), {}
    for number, update in enumerate(updates, start=1):
        noise = torch.tensor(update["noise"])
        result = referee.step(update["batch"], update["probe"], noise)
        for row in compare(case, update, result, scales):
            yield number, *row
    if name in LIMITED:
        share = float(torch.cat([mask.flatten() for mask in referee.limited]).double().mean())
        assert 0.25 < share < 0.75, f"the limit of {name} affects {share:.0%} of the derivatives"


@pytest.mark.parametrize("real", TOLERANCE)
@pytest.mark.parametrize("name", CASES)
def test_agrees_with_pytorch_at_every_update(name, real):
    for number, quantity, ours, theirs, error in errors(name, real):
        if not error <= TOLERANCE[real]:
            pytest.fail(
                f"{name}, {real}: first difference at update {number} of "
                f"{CASES[name]['updates']}, {quantity}: Gradus {ours!r}, PyTorch "
                f"{theirs!r}, relative error {error:.1e} > {TOLERANCE[real]:.0e}",
                pytrace=False,
            )


def largest_errors():
    for real in TOLERANCE:
        for name in CASES:
            worst = {}
            for _, quantity, _, _, error in errors(name, real):
                kind = quantity.split(" of ")[0]
                worst[kind] = max(worst.get(kind, 0.0), error)
            top = sorted(worst, key=worst.get, reverse=True)[:6]
            print(f"{real:7}{name:22}", "  ".join(f"{k} {worst[k]:.1e}" for k in top))


if __name__ == "__main__":
    sys.exit(largest_errors())
