"""Names a test when it fails: with pytest-xdist the names come at the end of a run alone."""

import pytest
from _pytest.terminal import TerminalReporter


class Named:
    """The plugin."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print a failed test, unless its line has its name."""
        if not report.failed or self.config.get_verbosity() > 0:
            return
        terminal = self.config.pluginmanager.getplugin("terminalreporter")
        assert isinstance(terminal, TerminalReporter)
        terminal.write_line(f"\nFAILED {report.nodeid} ({report.when})", red=True)
