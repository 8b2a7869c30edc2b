"""The documentation's site: it builds without a warning, and shows what it is to show."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from cryptile.project import ROOT
from cryptile.site import __main__ as site
from cryptile.site import headers
from cryptile.site.pages import Pages


@pytest.fixture(scope="module")
def html(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(site, "FOLDER", folder)
        assert site.main() == 0
    return folder / "html"


def test_every_readme_that_a_document_links_is_a_page(html):
    for path in (
        "index",
        "rtl/shell/tile/index",
        "docs/protection",
        "registers/tile",
        "api/cryptile/aead",
    ):
        assert (html / f"{path}.html").is_file(), path


def test_pictures_are_beside_the_pages(html):
    for page in html.rglob("*.html"):
        for source in re.findall(r'<img [^>]*src="([^":]+)"', page.read_text()):
            assert (page.parent / source).is_file(), (page, source)
    start = (html / "index.html").read_text()
    assert 'src="docs/images/overview.svg"' in start
    assert 'href="site.css"' in start and (html / "site.css").is_file()


def test_every_link_leads_to_a_page_and_a_place(html):
    pages = {page: page.read_text() for page in html.rglob("*.html")}
    places = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in pages.items()}
    seen, wrong = 0, []
    for page, text in pages.items():
        for link in re.findall(r'<a [^>]*href="([^"]*)"', text):
            target, _, anchor = unquote(link).partition("#")
            if ":" in target or page.name == "404.html":
                continue
            to = (page.parent / target).resolve() if target else page
            if not to.is_file() or (anchor and to.suffix == ".html" and anchor not in places[to]):
                wrong.append((str(page.relative_to(html)), link))
            seen += 1
    assert seen > 5000
    assert wrong == []


def test_every_function_of_the_library_has_its_heading(html):
    text = "".join(page.read_text() for page in (html / "api").rglob("*.html"))
    declared = {
        name
        for header in (ROOT / "sw/include").rglob("*.h")
        for name in re.findall(
            r"^[\w ]+?\*?\b((?:cryptile|psa)_\w+)\(", header.read_text(), re.MULTILINE
        )
    }
    assert len(declared) > 80
    assert {name for name in declared if f">{name}<" not in text and name not in text} == set()


def test_the_c_interface_is_c(tmp_path):
    """Braces balance in each piece of code: nothing of a declaration is left out."""
    for header in (ROOT / "sw/include").rglob("*.h"):
        code = re.findall(r"```c\n(.*?)```", headers.page(header, header.name), re.DOTALL)
        assert [part for part in code if part.count("{") != part.count("}")] == [], header


def test_nothing_is_fetched(html):
    """What the theme needs is beside the pages."""
    for page in html.rglob("*.html"):
        text = page.read_text()
        assert re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="https?://[^"]+', text) == [], (
            page
        )


def test_a_link_that_leads_nowhere_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("cryptile.site.pages.ROOT", tmp_path)
    (tmp_path / "README.md").write_text("[here](nowhere.sv)")
    with pytest.raises(FileNotFoundError):
        Pages([Path("README.md")])


def test_links_lead_to_pages_and_code_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("cryptile.site.pages.ROOT", tmp_path)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.sv").write_text("module x;\nendmodule\n")
    (tmp_path / "a" / "README.md").write_text(
        "[up](../README.md#top) `[no](x.sv)` <!-- [no](y) -->"
    )
    (tmp_path / "README.md").write_text("[a](a) [`x` too](a/x.sv) [out](https://example.org)")
    texts = Pages([Path("README.md")]).texts
    assert texts[Path("README.md")] == (
        "[a](a/README.md) [`x` too](a/x.sv.md) [out](https://example.org)"
    )
    assert texts[Path("a/README.md")] == "[up](../README.md#top) `[no](x.sv)` "
    assert "module x;" in texts[Path("a/x.sv.md")]


def test_a_header_is_text_and_declarations(tmp_path):
    (tmp_path / "x.h").write_text(
        "// licence\n\n// About.\n// - one\n// - two\n#ifndef X_H\n#define X_H\n\n"
        "// Adds.\nint add(int a,\n        int b);\n\n#endif  // X_H\n"
    )
    assert headers.page(tmp_path / "x.h", "x.h") == (
        "# `x.h`\n\nAbout.\n\n- one\n- two\n\n## `add`\n\nAdds.\n\n"
        "```c\nint add(int a,\n        int b);\n```\n\n"
    )
