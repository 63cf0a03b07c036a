"""The Python of the pages on transformers, vLLM and SGLang runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from support.tokenizers import byte_level
from untemplate.integrations.transformers import uninstall

DOCS = Path(__file__).parents[2] / "docs"
TEMPLATE = {
    "start_anchor": "@",
    "fields": {"reasoning_content": {"open": "<think>", "close": "</think>"}, "content": {}},
}


def blocks(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", ["transformers.md", "vllm-sglang.md"])
def test_pages(page: str, tmp_path: Path) -> None:
    names: dict[str, Any] = {"tokenizer": byte_level(), "template": TEMPLATE, "folder": tmp_path}
    found = blocks(page)
    assert found
    try:
        for block in found:
            exec(compile(block, page, "exec"), names)
    finally:
        uninstall()
