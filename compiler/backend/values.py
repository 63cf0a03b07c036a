"""The methods that turn a region's body into its value and store it."""

from __future__ import annotations

from untemplate.compiler.backend.literals import literal
from untemplate.compiler.backend.writer import Writer
from untemplate.compiler.frontend.schema import (
    Bool,
    Constant,
    Float,
    Int,
    Json,
    KvLines,
    ListOf,
    ObjectOf,
    Placeholder,
    PythonCallList,
    Text,
    Transform,
    XmlInline,
)
from untemplate.compiler.plan.nodes import ContentPlan, FieldPlan


def write_close(writer: Writer, field: FieldPlan, adds: str = "") -> None:
    """Writes the method that closes a region of one field.

    Args:
        adds: the name of a method of its own for what is done with the body; "" for none.
    """
    with writer.block(f'def {field.close}(self, events: Events, last: str = "") -> None:'):
        if not adds:
            writer.comment(field.origin)
        if field.captures:
            writer.line("captures = self._captures")
        body = "self._take(events, last)"
        if adds:
            writer.line(f"self.{adds}({body}, {'captures, ' if field.captures else ''}events)")
        elif _is_plain(field):
            _write_stored(writer, field, content_source(field.content, body))
        else:
            writer.line(f"body = {body}")
            _write_checked(writer, field)
    writer.line()
    if adds:
        _write_add(writer, field, adds)


def _write_add(writer: Writer, field: FieldPlan, method: str) -> None:
    captures = "captures: dict[str, str], " if field.captures else ""
    with writer.block(f"def {method}(self, body: str, {captures}events: Events) -> None:"):
        writer.comment(field.origin)
        if _is_plain(field):
            _write_stored(writer, field, content_source(field.content, "body"))
        else:
            _write_checked(writer, field)
    writer.line()


def _is_plain(field: FieldPlan) -> bool:
    """Whether the value is the text, so that making it can not fail."""
    return isinstance(field.content.content, Text) and field.transform is None


def _write_checked(writer: Writer, field: FieldPlan) -> None:
    """For values whose making can fail."""
    with writer.block("try:"):
        value = content_source(field.content, "body")
        if field.transform is not None:
            writer.line(f"content = {value}")
            value = _transformed(field, field.transform)
        writer.line(f"value = {f'as_string({value})' if field.checks_string else value}")
    with writer.block("except ContentError as error:"):
        writer.line(f"self._reject({literal(field.name)}, body, error, events)")
    with writer.block("else:"):
        if field.typed and not field.checks_string:
            with writer.block("if self._tools:"):
                writer.line("type_calls(value, self._tools)")
        _write_stored(writer, field, "value")


def _write_stored(writer: Writer, field: FieldPlan, value: str) -> None:
    """Stores the value; where there can be thousands of them, in place."""
    name = literal(field.name)
    if field.store != "append":
        writer.line(f"self._{field.store}({name}, {value}, events)")
        return
    if value != "value":
        writer.line(f"value = {value}")
    writer.line(f"self._message.setdefault({name}, []).append(value)")
    with writer.block("if events is not None:"):
        writer.line(f'events.append({{"type": "region_close", "field": {name}, "value": value}})')


def _transformed(field: FieldPlan, transform: Transform) -> str:
    if not field.each:
        return transform_source(transform, "content", "captures", field.sure)
    items = "each(content, captures)" if field.captures else "each(content)"
    return f"[{transform_source(transform, '', 'item')} for item in {items}]"


def transform_source(transform: Transform, content: str, scope: str, sure: frozenset[str] = frozenset()) -> str:
    """The expression for a transform.

    Args:
        content: the variable of the parsed content; "" where `content` is a name like any other.
        scope: the expression for the object that holds all other names.
        sure: names that it certainly holds.
    """
    match transform:
        case Constant(value):
            return literal(value)
        case Placeholder(path):
            shown = literal("{" + ".".join(path) + "}")
            if content and path[0] == "content":
                return f"lookup({content}, {literal(path[1:])}, {shown})" if path[1:] else content
            if len(path) == 1 and path[0] in sure:
                return f"{scope}[{literal(path[0])}]"
            return f"lookup({scope}, {literal(path)}, {shown})"
        case ObjectOf(items):
            members = (f"{literal(key)}: {transform_source(item, content, scope, sure)}" for key, item in items)
            return "{" + ", ".join(members) + "}"
        case ListOf(items):
            return f"[{', '.join(transform_source(item, content, scope, sure) for item in items)}]"


def content_source(plan: ContentPlan, body: str) -> str:
    """The expression that parses `body`, itself an expression."""
    match plan.content:
        case Text(strip):
            return f"{body}.strip()" if strip else body
        case Int():
            return f"parse_int({body})"
        case Float():
            return f"parse_float({body})"
        case Bool():
            return f"parse_bool({body})"
        case Json() as content:
            return _json_source(content, body)
        case PythonCallList():
            return f"parse_calls({body})"
        case XmlInline() as content:
            assert plan.tags is not None
            options = [body, f"{plan.tags.constant}.tags", *_function(plan)]
            options += ["merge_duplicates=True"] if content.merge_duplicates else []
            return f"parse_xml({', '.join(options)})"
        case KvLines(line_sep, kv_sep, strip):
            options = [body, *_function(plan)]
            options += [f"line_sep={literal(line_sep)}"] if line_sep != "\n" else []
            options += [f"kv_sep={literal(kv_sep)}"] if kv_sep != ":" else []
            options += [] if strip else ["strip=False"]
            return f"parse_kv_lines({', '.join(options)})"


def _function(plan: ContentPlan) -> list[str]:
    return [plan.function] if plan.function else []


def _json_source(content: Json, body: str) -> str:
    options = ["unquoted_keys=True"] if content.unquoted_keys else []
    options += [f"string_delims={literal(content.string_delims)}"] if content.string_delims else []
    if not content.allow_non_json:
        return f"parse_loose_json({', '.join([body, *options])})" if options else f"parse_json({body})"
    parser = f", lambda text: parse_loose_json({', '.join(['text', *options])})" if options else ""
    return f"json_or_text({body}{parser})"


def write_value_parser(writer: Writer, plan: ContentPlan) -> None:
    """Writes the function that parses each value of an `xml-inline` or `kv-lines` object."""
    assert plan.values is not None
    with writer.block(f"def {plan.function}(text: str) -> Any:"):
        writer.line(f"return {content_source(plan.values, 'text')}")
    writer.line()
    writer.line()
