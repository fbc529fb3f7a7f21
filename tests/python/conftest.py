# SPDX-License-Identifier: Apache-2.0
import warnings

import hypothesis
import pytest

pytest.register_assert_rewrite("ranks")

# Makes hypothesis generate the same cases in every run.
hypothesis.settings.register_profile("repeatable", derandomize=True, database=None)
hypothesis.settings.load_profile("repeatable")


def pytest_configure(config):
    config.addinivalue_line("markers", "program: runs the command `gradus` of the wheel")


@pytest.fixture(autouse=True)
def no_advice_on_workers():
    """Hides the warning that a test starts more workers than there are cores."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="This DataLoader will create")
        yield
