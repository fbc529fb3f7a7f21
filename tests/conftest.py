# SPDX-License-Identifier: Apache-2.0
"""No test may hang, or leave a process behind."""

import signal
import subprocess

import pytest

SECONDS = 200

# A suite started in the background may have SIGINT ignored, which its children would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _no_child_outlives_its_test(request, monkeypatch):
    """After SECONDS, kills the processes that the test has started and fails the test."""
    children = []

    class Child(subprocess.Popen):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            children.append(self)

    def expire(*_):
        for child in children:
            child.kill()
        raise TimeoutError(f"{request.node.name} took more than {SECONDS} seconds")

    monkeypatch.setattr(subprocess, "Popen", Child)
    before = signal.signal(signal.SIGALRM, expire)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        for child in children:
            if child.poll() is None:
                child.kill()
                child.wait()
