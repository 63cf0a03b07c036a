"""Reads which content parser a body goes through, and its options."""

from __future__ import annotations

from collections.abc import Callable

from untemplate.compiler.diagnostics import JsonPath, quoted
from untemplate.compiler.frontend import limits
from untemplate.compiler.frontend.delimiters import check_literal, read_pattern_member
from untemplate.compiler.frontend.reading import ObjectView, closest, listed, wrong_type
from untemplate.compiler.frontend.report import Report
from untemplate.compiler.frontend.schema import (
    Bool,
    Content,
    Float,
    Int,
    Json,
    KvLines,
    PythonCallList,
    Text,
    XmlInline,
)


def read_content(field: ObjectView) -> Content:
    """The content parser of a field; `Text()` stands in for one that has something wrong with it."""
    return _read_parser(field, "content", "content_args")


def _read_parser(view: ObjectView, name_key: str, options_key: str) -> Content:
    """The parser whose name and options are these two members of the object."""
    name = view.string(name_key) if name_key in view else Text.parser
    options = ObjectView(view.report, view.path, {}, f"the parser {quoted(name or '')}")
    if options_key in view:
        given = view.object(options_key, options.what)
        if given is None:
            return Text()
        options = given
    if name is None:
        return Text()
    if name not in _READERS:
        _unknown_parser(view.report, view.below(name_key), name)
        return Text()
    return _READERS[name](options)


def _unknown_parser(report: Report, path: JsonPath, name: str) -> None:
    meant = closest(name, _READERS)
    hint = f"did you mean {quoted(meant)}? " if meant else ""
    message = f"there is no content parser {quoted(name)}"
    report.add("unknown-parser", path, message, f"{hint}known: {listed(_READERS)}")


def _read_text(options: ObjectView) -> Text:
    options.only_keys(("strip",))
    return Text(options.flag("strip", True))


def _read_int(options: ObjectView) -> Int:
    options.only_keys(())
    return Int()


def _read_float(options: ObjectView) -> Float:
    options.only_keys(())
    return Float()


def _read_bool(options: ObjectView) -> Bool:
    options.only_keys(())
    return Bool()


def _read_python_call_list(options: ObjectView) -> PythonCallList:
    options.only_keys(())
    return PythonCallList()


def _read_json(options: ObjectView) -> Json:
    options.only_keys(("unquoted_keys", "string_delims", "allow_non_json"))
    return Json(options.flag("unquoted_keys", False), _string_delims(options), options.flag("allow_non_json", False))


def _read_xml_inline(options: ObjectView) -> Content:
    options.only_keys(("tag_pattern", "value_parser", "merge_duplicates"))
    value_parser = _value_parser(options)
    merge_duplicates = options.flag("merge_duplicates", False)
    tag = read_pattern_member(options, "tag_pattern")
    if tag is not None:
        _check_tag_groups(options.report, tag.path, tag.groups)
        return XmlInline(tag.pattern, tag.tree, value_parser, merge_duplicates)
    if options.report.sound(options.below("tag_pattern")):
        hint = "give a pattern with the groups (?P<key>…) and (?P<value>…)"
        options.report.add("missing-key", options.path, '"xml-inline" needs the option "tag_pattern"', hint)
    return Text()


def _check_tag_groups(report: Report, path: JsonPath, groups: tuple[str, ...]) -> None:
    missing = [name for name in ("key", "value") if name not in groups]
    if missing:
        message = f'"tag_pattern" has no group {listed(missing)}'
        report.add("missing-group", path, message, "it needs the groups (?P<key>…) and (?P<value>…)")


def _read_kv_lines(options: ObjectView) -> KvLines:
    options.only_keys(("line_sep", "kv_sep", "strip", "value_parser"))
    return KvLines(
        _separator(options, "line_sep", "\n"),
        _separator(options, "kv_sep", ":"),
        options.flag("strip", True),
        _value_parser(options),
    )


def _separator(options: ObjectView, key: str, default: str) -> str:
    if key not in options:
        return default
    text = options.string(key)
    if text == "":
        hint = f"leave the key out for {quoted(default)}"
        options.report.add("empty-separator", options.below(key), f"{quoted(key)} is empty", hint)
    elif text is not None and check_literal(options.report, options.below(key), quoted(key), text):
        return text
    return default


def _value_parser(options: ObjectView) -> Content | None:
    view = options.object("value_parser", '"value_parser"')
    if view is None:
        return None
    view.only_keys(("name", "args"))
    return _read_parser(view, "name", "args")


def _string_delims(options: ObjectView) -> tuple[tuple[str, str], ...]:
    """The pairs of `string_delims`; those that have something wrong with them are left out."""
    key, report = "string_delims", options.report
    if key not in options:
        return ()
    path, value = options.below(key), options.members[key]
    if not isinstance(value, list):
        wrong_type(report, path, quoted(key), value, 'a list of pairs like ["<", ">"]')
        return ()
    if len(value) > limits.STRING_DELIMS:
        report.add("over-limit", path, f"{len(value):,} string delimiters", f"the limit is {limits.STRING_DELIMS:,}")
        return ()
    pairs: list[tuple[str, str]] = []
    for at, pair in enumerate(value):
        if not isinstance(pair, list):
            wrong_type(report, (*path, at), "an entry of string_delims", pair, "a pair [open, close]")
        elif len(pair) != 2:
            message = f"an entry of string_delims has {len(pair)} {'item' if len(pair) == 1 else 'items'}"
            report.add("not-a-pair", (*path, at), message, "it must have two, [open, close]")
        else:
            what = ("the opening string delimiter", "the closing string delimiter")
            sound = [check_literal(report, (*path, at, side), what[side], text) for side, text in enumerate(pair)]
            if all(sound):
                pairs.append((pair[0], pair[1]))
    return tuple(pairs)


_READERS: dict[str, Callable[[ObjectView], Content]] = {
    Text.parser: _read_text,
    Int.parser: _read_int,
    Float.parser: _read_float,
    Bool.parser: _read_bool,
    Json.parser: _read_json,
    XmlInline.parser: _read_xml_inline,
    KvLines.parser: _read_kv_lines,
    PythonCallList.parser: _read_python_call_list,
}
