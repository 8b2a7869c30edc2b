"""Links of the documents lead somewhere."""

import re
import subprocess

from cryptile.project import ROOT


def test_every_relative_link_leads_to_a_file():
    documents = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "*.md"], capture_output=True, text=True, check=True
    ).stdout.split()
    links = [
        (document, link)
        for document in documents
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", (ROOT / document).read_text())
        if not link.startswith("http")
    ]
    assert len(links) > 100
    assert [item for item in links if not ((ROOT / item[0]).parent / item[1]).exists()] == []
