"""``--json`` of every command that has it."""

from support.commands import commands
from typer.testing import CliRunner

from cryptile.cli import app
from cryptile.errors import UsageError


def test_where_records_go_is_checked_before_anything_else(tmp_path):
    """Before the command's other words, so before its work: what it measured would be lost."""
    (tmp_path / "file").touch()
    places = [
        (tmp_path, "a folder cannot hold the records"),
        (tmp_path / "file/records.json", "cannot write"),
    ]
    having = [
        words
        for words, command in commands().items()
        if any("--json" in option.opts for option in command.params)
    ]
    assert {("crypt",), ("bench", "mcu"), ("faults", "run"), ("prove",), ("run",)} <= set(having)
    for words in having:
        for place, message in places:
            result = CliRunner().invoke(app, [*words, "--json", str(place)])
            assert isinstance(result.exception, UsageError), (words, result.output)
            assert message in str(result.exception), words
