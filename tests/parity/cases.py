# SPDX-License-Identifier: Apache-2.0
"""The cases of the parity suite. A case is a dict that parity_trace reads from standard input."""

TOKENS = dict(tokens=7, bits=3, reals=0)
REALS = dict(tokens=0, bits=5, reals=2)
OUTPUTS = {
    "softmax": dict(output="softmax", width=6, **TOKENS),
    "sigmoid": dict(output="sigmoid", width=4, **REALS),
}

# The learning rate is a hundred times the paper's, so that thirty updates visibly change the
# network. S is small, so that the KL affects the gradient.
DEFAULTS = dict(
    seed=1,
    updates=30,
    layers=1,
    cells=7,
    objective="ml",
    l2_decay=1e-4,
    prior="global",
    posterior_width=0.05,
    prior_width=0.2,
    sequences=200.0,
    evaluate_at_sample=False,
    learning_rate=1e-3,
    momentum=0.9,
    decay=0.95,
    epsilon=1e-4,
    centred=True,
    clip=0.0,
    derivative_limit=0.0,
)


def case(output, **changes):
    return {**DEFAULTS, **OUTPUTS[output], **changes}


CASES = {
    f"{objective}-{layers}-{output}": case(output, objective=objective, layers=layers)
    for objective in ("ml", "l2", "vi")
    for layers in (1, 2)
    for output in OUTPUTS
}
CASES.update(
    {
        "ml-3-softmax": case("softmax", layers=3, cells=5),
        "ml-wide-sigmoid": case("sigmoid", cells=16, seed=2),
        "ml-paper-rate": case("softmax", layers=2, learning_rate=1e-5),
        "ml-uncentred": case("softmax", centred=False),
        "ml-clipped": case("sigmoid", clip=0.5),
        "l2-strong": case("sigmoid", objective="l2", l2_decay=0.1),
        "vi-tensor-1-sigmoid": case("sigmoid", objective="vi", prior="tensor"),
        "vi-tensor-2-softmax": case("softmax", objective="vi", prior="tensor", layers=2),
        "vi-weight-1-softmax": case("softmax", objective="vi", prior="weight"),
        "vi-weight-2-sigmoid": case("sigmoid", objective="vi", prior="weight", layers=2, cells=5),
        "vi-paper-size": case(
            "softmax",
            objective="vi",
            sequences=1.69e8,
            learning_rate=1e-5,
            posterior_width=0.02,
            prior_width=0.1,
        ),
        "vi-narrow": case("sigmoid", objective="vi", prior="tensor", posterior_width=1e-5),
        "vi-clipped-uncentred": case("sigmoid", objective="vi", clip=1.0, centred=False),
        "vi-at-sample": case(
            "softmax", objective="vi", evaluate_at_sample=True, posterior_width=0.3
        ),
    }
)

# Limits that about half of the derivatives exceed; parity_test.py checks that.
LIMITED = {
    "ml-limited-1-softmax": case("softmax", derivative_limit=5e-3),
    "ml-limited-1-sigmoid": case("sigmoid", derivative_limit=5e-3),
    "ml-limited-3-softmax": case("softmax", layers=3, cells=5, derivative_limit=1e-5),
    "l2-limited-2-sigmoid": case("sigmoid", objective="l2", layers=2, derivative_limit=1e-4),
    "vi-limited-2-softmax": case("softmax", objective="vi", layers=2, derivative_limit=1e-4),
    "vi-limited-clipped": case("sigmoid", objective="vi", clip=1.0, derivative_limit=5e-3),
}
CASES.update(LIMITED)
