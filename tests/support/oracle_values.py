"""What the body of a region gives, for the oracle: its content parsed, transformed, and its arguments cast."""

from __future__ import annotations

import json
import math
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import islice
from typing import Any

import regex
from transformers.utils.chat_parsing.content_parsers import CONTENT_PARSERS


@lru_cache(maxsize=4096)
def compiled(source: str) -> regex.Pattern[str]:
    """A pattern in the dialect of templates."""
    return regex.compile(source, regex.DOTALL)


def field_value(spec: dict[str, Any], raw: str, captures: dict[str, str]) -> Any:
    """The value of a region of the field `spec`: its body parsed, then transformed. Raises for a body it rejects."""
    content = parse_content(spec.get("content", "text"), spec.get("content_args", {}), raw)
    transform = spec.get("transform")
    if transform is None:
        return content
    if not spec.get("transform_each"):
        return fill(transform, {**captures, "content": content})
    if not isinstance(content, list) or not all(isinstance(element, dict) for element in content):
        raise ValueError("transform_each takes a list of objects")
    return [fill(transform, {**captures, **element}) for element in content]


def fill(transform: Any, names: dict[str, Any]) -> Any:
    """`transform` with its placeholders replaced from `names`. Raises `LookupError` for a path that is not there."""
    if isinstance(transform, dict):
        return {key: fill(part, names) for key, part in transform.items()}
    if isinstance(transform, list):
        return [fill(part, names) for part in transform]
    if not isinstance(transform, str) or not (whole := compiled(r"\{\w+(?:\.\w+)*\}").fullmatch(transform)):
        return transform
    found: Any = names
    for key in whole.group()[1:-1].split("."):
        if not isinstance(found, dict):
            raise LookupError(f"{transform}: no keys in {found!r}")
        found = found[key]
    return found


def parse_content(name: str, args: dict[str, Any], raw: str) -> Any:
    """The value of `raw` under the content parser `name`. Raises any exception for a body that is rejected."""
    match name:
        case "text":
            return raw.strip() if args.get("strip", True) else raw
        case "json":
            return _json(args, raw)
        case "xml-inline":
            return _xml_inline(args, raw)
        case "kv-lines":
            return _kv_lines(args, raw)
    return CONTENT_PARSERS[name](raw, args)  # int, float, bool, python-call-list: nothing there to differ on


def _nested(args: dict[str, Any], raw: str) -> Any:
    parser = args.get("value_parser")
    return raw if parser is None else parse_content(parser.get("name", "text"), parser.get("args", {}), raw)


def _json(args: dict[str, Any], raw: str) -> Any:
    """Delimited strings are put aside under marks that the body does not have, so that no body is refused for them."""
    opening, closing = islice((mark for mark in map(chr, range(0xE000, 0xF8FF)) if mark not in raw), 2)
    aside: list[tuple[str, str]] = []

    def put_back(text: str, as_json: bool) -> str:
        for number, (source, inner) in reversed(list(enumerate(aside))):
            text = text.replace(f"{opening}{number}{closing}", json.dumps(inner) if as_json else source)
        return text

    working = raw
    for start, end in args.get("string_delims", []):

        def put_aside(match: regex.Match[str]) -> str:
            aside.append((put_back(match.group(), False), put_back(match.group(1), False)))
            return f"{opening}{len(aside) - 1}{closing}"

        working = compiled(regex.escape(start) + "(.*?)" + regex.escape(end)).sub(put_aside, working)
    if args.get("unquoted_keys"):
        strings_or_keys = compiled(r'"(?:\\.|[^"\\])*"|(?<=[{,])(?P<before>\s*)(?P<key>\w+)(?P<after>\s*):')
        working = strings_or_keys.sub(
            lambda m: m.group() if m["key"] is None else f'{m["before"]}"{m["key"]}"{m["after"]}:', working
        )
    try:
        return json.loads(put_back(working, True))
    except (ValueError, RecursionError):
        if args.get("allow_non_json"):
            return raw.strip()
        raise


def _xml_inline(args: dict[str, Any], raw: str) -> dict[str, Any]:
    found: dict[str, list[Any]] = {}
    for match in compiled(args["tag_pattern"]).finditer(raw):
        if match["key"] is None:
            raise ValueError("a tag without a key")
        found.setdefault(match["key"], []).append(_nested(args, match["value"]))
    merges = args.get("merge_duplicates", False)
    return {key: values if merges and len(values) > 1 else values[-1] for key, values in found.items()}


def _kv_lines(args: dict[str, Any], raw: str) -> dict[str, Any]:
    def stripped(text: str) -> str:
        return text.strip() if args.get("strip", True) else text

    pairs: dict[str, Any] = {}
    for line in map(stripped, raw.split(args.get("line_sep", "\n"))):
        key, separator, value = line.partition(args.get("kv_sep", ":"))
        if separator:
            pairs[stripped(key)] = _nested(args, stripped(value))
    return pairs


Schemas = dict[str, tuple[dict[str, Any], dict[str, Any]]]


def parameter_schemas(tools: list[dict[str, Any]]) -> Schemas:
    """Tool name to (its properties, the schema of all its parameters, in which references are looked up)."""
    functions = [tool.get("function", tool) for tool in tools]
    return {
        function["name"]: (function.get("parameters", {}).get("properties", {}), function.get("parameters", {}))
        for function in functions
    }


def type_arguments(value: Any, schemas: Schemas) -> Any:
    """`value` with the string arguments of the calls in it cast as the schemas of their tools say."""
    if isinstance(value, list):
        return [type_arguments(item, schemas) for item in value]
    match value:
        case {"function": {"name": str(name), "arguments": dict(arguments)}} if name in schemas:
            properties, root = schemas[name]
            for key in arguments.keys() & properties.keys():
                types = allowed_types(properties[key], root)
                argument = arguments[key]
                if isinstance(argument, str):
                    arguments[key] = cast_text(argument, types)
                elif isinstance(argument, list) and types and "array" not in types:
                    arguments[key] = [cast_text(item, types) if isinstance(item, str) else item for item in argument]
    return value


def allowed_types(schema: Any, root: dict[str, Any], following: tuple[str, ...] = ()) -> list[str]:
    """The types a schema names, in the order in which they are tried; `following` are the references on the way."""
    if not isinstance(schema, dict):
        return []
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/") and reference not in following:
        target: Any = root
        for key in reference[2:].split("/"):
            target = target.get(key) if isinstance(target, dict) else None
        return allowed_types(target, root, (*following, reference))
    declared = schema.get("type", [])
    types = [declared] if isinstance(declared, str) else [name for name in declared if isinstance(name, str)]
    for choice in [*schema.get("anyOf", []), *schema.get("oneOf", [])]:
        types += allowed_types(choice, root, following)
    members = [names for member in schema.get("allOf", []) if (names := allowed_types(member, root, following))]
    if members:
        types += [name for name in members[0] if all(name in others for others in members)]
    return types + (["null"] if schema.get("nullable") and "null" not in types else [])


def cast_text(raw: str, types: list[str]) -> Any:
    """`raw` as the first of `types` that fits it; `raw` itself if none does."""
    for name in types:
        try:
            if name in ("object", "array"):
                decoded = json.loads(raw)
                if isinstance(decoded, dict if name == "object" else list):
                    return decoded
            elif name == "integer":
                return _integer(raw)
            elif name == "number" and math.isfinite(float(raw)):
                return float(raw) if "." in raw or not float(raw).is_integer() else _integer(raw)
            elif name == "boolean" and raw.strip().lower() in ("true", "1", "false", "0"):
                return raw.strip().lower() in ("true", "1")
            elif name == "null" and raw.strip() in ("null", "None"):
                return None
        except (ValueError, RecursionError):
            continue
    return raw


def _integer(raw: str) -> int:
    """The integer that `raw` writes, exactly, with an exponent or a fraction of zeros too. Raises `ValueError`."""
    try:
        return int(raw)
    except ValueError:
        if not math.isfinite(float(raw)):
            raise
    try:
        exact = Decimal(raw)
    except InvalidOperation as error:
        raise ValueError(raw) from error
    if exact != exact.to_integral_value():
        raise ValueError(raw)
    return int(exact)
