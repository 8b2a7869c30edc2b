"""The functional Linux system: Debian's kernel and programs in QEMU, with the tile's RTL."""
