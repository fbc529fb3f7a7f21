import pytest

pytest.register_assert_rewrite("program")


@pytest.fixture(autouse=True)
def _folder_of_its_own(tmp_path_factory, monkeypatch):
    """Where runs go whose folder a test does not name."""
    monkeypatch.chdir(tmp_path_factory.mktemp("work"))
