"""The programs that Cryptile drives, and builds of them cached by content."""
