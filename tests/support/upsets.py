"""Finds the registers of protected engines, and upsets them."""


def registers(handle) -> list:
    """Find all registers of primitives below a handle: copies and codewords."""
    found = []
    for child in handle:
        name = child._name
        if name == "copy_q" or (name == "q_o" and handle._name == "u_codeword"):
            found.append(child)
        elif name.startswith(("u_", "gen_")):
            found += registers(child)
    return found


def flip(register, bit: int) -> None:
    """Upset a bit; right behind a clock edge, before anyone looks at what follows from it."""
    register.value = int(register.value) ^ 1 << bit
