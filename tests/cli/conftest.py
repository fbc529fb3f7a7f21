# SPDX-License-Identifier: Apache-2.0
import pytest

pytest.register_assert_rewrite("program")


@pytest.fixture(autouse=True)
def _folder_of_its_own(tmp_path_factory, monkeypatch):
    """Runs each test in an empty directory, for runs without an explicit folder."""
    monkeypatch.chdir(tmp_path_factory.mktemp("work"))
