"""Options of the whole test suite."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the expected files anew instead of comparing")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expected files are to be written anew."""
    return bool(request.config.getoption("--update"))
