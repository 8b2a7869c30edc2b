"""The page over all suites."""

import json
import re
from html.parser import HTMLParser
from importlib import resources

import pytest
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.errors import UsageError
from cryptile.records import Record, Run, write_json
from cryptile.report import content
from cryptile.report.page import page

ORIGIN = {"commit": "abc", "tools": {"cryptile": "1"}, "command": "cryptile bench x", "seed": None}


def figure(value, metric="cycles", suite="mcu", unit="cycles", **params):
    return Record(suite, metric, value, unit, params)


def report(*words):
    return CliRunner().invoke(app, ["report", *map(str, words)], catch_exceptions=False)


class Outside(HTMLParser):
    """What a page would fetch, and tags that are not closed."""

    VOID = frozenset({"meta", "br", "use", "path"})

    def __init__(self, text):
        super().__init__()
        self.fetched, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.fetched += [
            value
            for name, value in attrs
            if name in ("src", "href", "xlink:href") and not value.startswith("#")
        ]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_the_page_of_the_documents_needs_nothing_and_shows_each_figure(tmp_path):
    ended = report("-o", tmp_path / "page.html")
    assert ended.exit_code == 0
    text = (tmp_path / "page.html").read_text()
    parsed = Outside(text)
    assert parsed.fetched == []
    assert parsed.open == []
    assert "url(http" not in text
    for about in ("A microcontroller with an engine", "The software library", "Area and clock"):
        assert f"<h2>{about}</h2>" in text
    assert "<svg" in text
    assert "cryptile bench software --core model:loaduse2" in text


def test_what_was_measured_now_takes_the_place_of_what_documents_state(tmp_path):
    new = figure(2, "further_block", unit="cycles/block", path="engine", impl="ours", alg="an alg")
    write_json([new], str(tmp_path / "new.json"))
    ended = report(tmp_path / "new.json", "--alone", "-o", tmp_path / "page.html")
    assert ended.exit_code == 0
    text = (tmp_path / "page.html").read_text()
    assert text.count("<section") == 1
    assert "an alg" in text
    assert report(tmp_path / "new.json", "-o", tmp_path / "page.html").exit_code == 0
    assert (tmp_path / "page.html").read_text().count("<section") > 5


@pytest.mark.parametrize(
    "words", [["--alone"], ["no-such-file.json"], ["-o", "/proc/no/page.html"]]
)
def test_bad_use_is_said(words, tmp_path):
    with pytest.raises(UsageError):
        report(*words, *([] if "-o" in words else ["-o", tmp_path / "page.html"]))


def test_differences_are_found_and_ordered():
    now = [figure(10, impl="a"), figure(50, impl="b"), figure(7, impl="c"), figure(1, impl="new")]
    before = [figure(11, impl="a"), figure(100, impl="b"), figure(7, impl="c"), figure(0, impl="x")]
    found = content.changes(now, before)
    assert [(item.now.params["impl"], item.before.value) for item in found] == [
        ("b", 100),
        ("a", 11),
    ]
    text = page([Run(ORIGIN, now)], [Run(ORIGIN, before)])
    assert "2 figures differ, 1 are the same" in text
    assert "0.500" in text


def test_a_figure_that_was_zero_has_no_ratio():
    (change,) = content.changes([figure(1)], [figure(0)])
    assert change.ratio is None


def test_pairs_take_the_best_of_what_answers_and_say_which_way_is_better():
    public = [
        figure(500, alg="x", impl="theirs", source="s"),
        figure(100, "fmax_mhz", unit="MHz", alg="x", impl="theirs", source="s"),
        figure(5, alg="y", impl="theirs", source="s"),
    ]
    ours = [
        figure(100, alg="x", impl="slow", blocks=1),
        figure(50, alg="x", impl="fast", blocks=1),
        figure(50, "fmax_mhz", unit="MHz", alg="x", impl="fast"),
        figure(200, "fmax_mhz", unit="MHz", alg="x", impl="slow"),
        figure(1, alg="x", impl="other unit", unit="ms"),
    ]
    found = content.pairs(ours, public)
    assert [(pair.ours.params["impl"], pair.times) for pair in found] == [("fast", 10), ("slow", 2)]


def test_a_public_variant_is_answered_by_ours_of_its_name():
    public = [figure(100, impl="std", source="s")]
    ours = [figure(90, impl="std"), figure(10, impl="wide")]
    assert [pair.times for pair in content.pairs(ours, public)] == [100 / 90]
    assert content.pairs([figure(10, impl="wide"), figure(9, "other", impl="std")], public) == []


def test_what_cannot_be_compared_is_not():
    """Another technology or core, another level of protection, a ratio over something of ours."""
    public = [
        figure(100, "kge", unit="kGE", tech="nangate45", impl="theirs", source="s"),
        figure(8, "time", unit="ms", protect="correct", impl="theirs", source="s"),
        figure(20, "speedup", unit="ratio", impl="theirs", source="s"),
        figure(50, core="e31", impl=["a"], source="s"),
    ]
    ours = [
        figure(3, "kge", unit="kGE", tech="osu018", impl="a"),
        figure(1, "time", unit="ms", protect="none", impl="a"),
        figure(300, "speedup", unit="ratio", impl="a"),
        figure(10, core="model:ideal", impl="a"),
    ]
    assert content.pairs(ours, public) == []
    assert len(content.pairs([figure(10, core="model:e31", impl="a")], public)) == 1


def test_every_suite_with_public_figures_has_a_heading():
    text = (resources.files("cryptile") / "data/published.json").read_text()
    assert {item["suite"] for item in json.loads(text)} <= content.SUITES.keys()


def test_sheets_say_once_what_is_the_same():
    (sheet,) = content.sheets([figure(1, core="c", impl="a"), figure(2, core="c", impl="b")])
    assert sheet.common == {"core": "c"}
    assert sheet.columns == ["impl"]
    assert sheet.rows == [(["a"], 1), (["b"], 2)]


def test_what_a_record_says_is_no_markup():
    text = page([Run(ORIGIN, [figure(1, impl="<script>alert(1)</script>")])])
    assert "<script" not in text


def test_a_chart_labels_each_line_by_what_differs():
    points = [
        figure(size * k, impl=impl, core="c", alg="a", bytes=size)
        for k, impl in enumerate(("fast", "slow"), 1)
        for size in (16, 64, 256)
    ]
    text = page([Run(ORIGIN, points)])
    labels = re.findall(r"<text[^>]*>([^<]+)</text>", text)
    assert {"fast", "slow", "a: cycles"} <= set(labels)
