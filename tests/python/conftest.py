import warnings

import hypothesis
import pytest

pytest.register_assert_rewrite("ranks")

# The same cases every time.
hypothesis.settings.register_profile("repeatable", derandomize=True, database=None)
hypothesis.settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def no_advice_on_workers():
    """Tests start more workers than a small machine has cores."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="This DataLoader will create")
        yield
