"""Streams a bundled transcript through the SmolLM3 parser: the events as they come, and the message at the end.

    python examples/stream_smollm3.py [PARSER_FILE]

With a file, as `compile-template templates/smollm3.json -o FILE` writes it, the parser in that file is used.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

PROMPT = "<|im_start|>user\nWeather in Oslo?<|im_end|>\n<|im_start|>assistant\n"
OUTPUT = (
    "<think>\nThe user wants the weather.\n</think>\n"
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call><|im_end|>\n'
)


def load(path: str) -> ModuleType:
    """The module in a file."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Prints one event a line, then the message."""
    if len(sys.argv) > 1:
        parser_module = load(sys.argv[1])
    else:
        from untemplate.generated import smollm3 as parser_module
    parser = parser_module.ResponseParser(PROMPT)
    for chunk in (OUTPUT[start : start + 12] for start in range(0, len(OUTPUT), 12)):
        for event in parser.feed(chunk):
            print(json.dumps(event))
    message, events = parser.finalize()
    for event in events:
        print(json.dumps(event))
    print(json.dumps(message, indent=2))


if __name__ == "__main__":
    main()
