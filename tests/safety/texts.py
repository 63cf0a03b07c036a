"""Texts made to break out of where they are put: of string literals, comments, skeletons and patterns."""

from __future__ import annotations

SENTINEL = "untemplate_was_here"
"""The name that injected code would leave in `builtins`."""

_RUN = f"__import__('builtins').__dict__.__setitem__('{SENTINEL}', 1)"

PLAIN = {
    "single quote": "it's",
    "double quote": 'say "so"',
    "both quotes": "'\"'\"",
    "triple quotes": '"""',
    "triple single quotes": "'''",
    "both triple quotes": "'''\"\"\"",
    "backslash": "\\",
    "backslash at the end": "end\\",
    "backslash and quote": '\\"',
    "two backslashes and quote": "\\\\'",
    "line break": "one\ntwo",
    "return": "one\r\ntwo\rthree",
    "separators": "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\x1eh",
    "nul": "a\x00b",
    "control characters": "\x01\x07\x08\x1b[31m\x7f",
    "lone surrogate": "a\ud800b",
    "surrogates in the wrong order": "\udc00\ud800",
    "not a character": "\ufffe\uffff\ufffd\U0010ffff",
    "byte order mark": "\ufeffx",
    "direction marks": "\u202eabc\u2066def\u2069\u200f",
    "joined emoji": "👩‍🚀🇳🇴",
    "skeleton expression": "{{ 7 * 7 }}",
    "skeleton statement": "{% for x in y %}",
    "skeleton comment": "{# gone #}",
    "skeleton raw": "{% endraw %}{{ template }}",
    "braces": "{}{0}{name}}}{{",
    "format markers": "%s %(name)s %d %%",
    "hash": "# comment",
    "escape sequences as text": "\\n\\x41\\u0041\\N{BULLET}\\ud800",
    "bytes prefix": 'b"x" f"{1/0}" r"\\"',
    "long": "x" * 120,
    "long of quotes": "\"'" * 60,
}
"""Texts that mean something to Python, to jinja2, or to a reader's eye."""

CODE = {
    "closes a call": f'"); {_RUN}; ("',
    "closes a call in single quotes": f"'); {_RUN}; ('",
    "closes a list": f'"]) or {_RUN} or (["',
    "closes a dict": f'": {_RUN}}} #',
    "closes a doc string": f'""" + str({_RUN}) + """',
    "closes a doc string and a line": f'"""\n{_RUN}\n"""',
    "closes a comment": f"\n{_RUN}\n#",
    "closes a comment with a return": f"\r{_RUN}\r#",
    "closes a comment with a separator": f"\u2028{_RUN}\u2028#",
    "closes a comment with a form feed": f"\x0c{_RUN}\x0c#",
    "closes a method": f"\n\n    def _outside(self, *rest):\n        {_RUN}\n",
    "escaped quotes": f'\\""" + {_RUN} + \\"""',
    "in braces": f"{{{_RUN}}}",
    "in skeleton braces": "{{ cycler.__init__.__globals__.os.system('true') }}",
    "starts a module": f"from __future__ import annotations\n{_RUN}\n",
    "ends a statement": f"0; {_RUN}",
    "line continuation": f"\\\n{_RUN}",
    "a keyword": "class",
    "a name of the runtime": "_take",
    "a name of the module": "ResponseParser",
    "a special name": "__class__",
    "a letter that folds": "ﬁeld K ſ",
}
"""Texts that run code where they are pasted into a module, or that take the place of one of its names."""

ALL = {**PLAIN, **CODE}
