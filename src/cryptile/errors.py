"""The errors a user can cause or mend, and those of this program."""


class CryptileError(Exception):
    """A failure with one clear line for the user.

    The command line prints the message without a traceback and exits with ``exit_code``: here that
    of a fault of this program or of a tool that it runs (EX_SOFTWARE of sysexits.h).
    """

    exit_code = 70


class FindingError(CryptileError):
    """The work is done, and found what was asked for: a wrong tag, damaged data."""

    exit_code = 1


class UsageError(CryptileError):
    """Bad input from the user: a wrong key, length, file or option."""

    exit_code = 2


class MissingToolError(CryptileError):
    """A program or package that a command needs is not installed."""

    exit_code = 3
