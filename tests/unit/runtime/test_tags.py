"""Tags in a complete body."""

from __future__ import annotations

from untemplate.runtime.tags import Tags


def test_values_run_to_the_first_end() -> None:
    tags = Tags(head=r"<p=(?P<key>[^<>]+)>\n?", tail=r"(?:\n?</p>|(?=\n<p=))")
    assert list(tags.tags("<p=a>\n1\n</p> <p=b>2</p>")) == [("a", "1"), ("b", "2")]
    assert list(tags.tags("<p=a>1\n<p=b></p>")) == [("a", "1"), ("b", "")]


def test_a_head_without_a_tail_is_the_last() -> None:
    tags = Tags(head="<p=(?P<key>[^<>]+)>", tail="</p>")
    assert list(tags.tags("<p=a>1</p><p=b>2<p=c>")) == [("a", "1")]
    assert list(tags.tags("<p=a<p=b>2</p>")) == [("b", "2")]


def test_a_head_that_can_end_twice_tries_both() -> None:
    tags = Tags(head=r"<p=(?P<key>[^<>]+)>\n?", tail=r"(?=\n<p=[^<>]+>)")
    assert list(tags.tags("<p=a>\n<p=b>")) == [("a", "")]


def test_whole_patterns_go_on() -> None:
    tags = Tags(r"<(?P<key>[^<>]+)>(?P<value>[^<]*)</>")
    assert list(tags.tags("<a>1<b>2</>")) == [("b", "2")]


def test_white_space_is_that_of_the_dialect() -> None:
    tags = Tags(head=r"<k>\s*(?P<key>[^\s<]+)\s*<v>", tail="</v>")
    assert list(tags.tags("<k>\u2003a\x85<v>1</v><k>\x1cb<v>2</v>")) == [("a", "1"), ("\x1cb", "2")]
