"""``cryptile bench linux``: the tile under Linux on RTL, against OpenSSL and the kernel."""
