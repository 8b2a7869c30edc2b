"""What the RTL of the public-key engine has from its instructions and programs: two packages."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from cryptile.notice import licence
from cryptile.pka import programs
from cryptile.pka.builder import CONSTANTS, Image
from cryptile.pka.isa import (
    CALLS,
    CODE_ROWS,
    LIMB_BITS,
    LOOPS,
    ROWS,
    WIDTH256,
    Insn,
    Isa,
    isa,
)

FOLDER = Path("rtl/engine/pka/gen")

_NOTICE = f"""\
{licence("//")}
// Generated from {{source}} by `cryptile generate`: edit that, not this file.

"""

_SETS: Mapping[str, tuple[str, Callable[[Insn], bool]]] = {
    "is_alu": ("carried out by the ALU", lambda insn: insn.unit == "alu"),
    "is_mul": ("carried out by the multiplier", lambda insn: insn.unit == "mul"),
    "reads_a": ("the row of field a is read", lambda insn: "a" in insn.reads),
    "reads_b": ("the row of field b is read", lambda insn: "b" in insn.reads),
    "writes": ("the row of field d is written", lambda insn: insn.writes),
    "is_known": ("there is such an instruction", lambda insn: True),
}


def files() -> dict[Path, str]:
    """Return the text of both packages by path below the checkout."""
    return {
        FOLDER / "cry_pka_isa_pkg.sv": _NOTICE.format(source="catalog/pka.yaml")
        + instructions(isa()),
        FOLDER / "cry_pka_program_pkg.sv": _NOTICE.format(source="src/cryptile/pka/programs")
        + program(programs.image()),
    }


def instructions(said: Isa) -> str:
    """Return the package of the instruction set."""
    order = sorted(said.fields.items(), key=lambda item: -item[1].low)
    members = "".join(f"    logic [{size - 1}:0] {name};\n" for name, (_, size) in order)
    kinds = {f"Kind{name.capitalize()}": number for name, number in said.kinds.items()}
    choices = "".join(
        f"  parameter logic [7:0] Choice{name.capitalize()} = 8'd{number};\n"
        for name, number in said.choices.items()
    )
    sets = "".join(_set(name, about, choose, said) for name, (about, choose) in _SETS.items())
    codes = ",\n".join(f"    {_op(name)} = 8'd{item.code}" for name, item in said.insns.items())
    return f"""\
// Instructions of the public-key engine; the catalogue says what each does.
package cry_pka_isa_pkg;

  // Not every constant has a user.
  // verilator lint_off UNUSEDPARAM
  parameter int unsigned RowBits   = {WIDTH256.bits};
  parameter int unsigned LimbBits  = {LIMB_BITS};
  parameter int unsigned Rows      = {ROWS};
  parameter int unsigned DataRows  = {CONSTANTS};  // rows from here on are constants
  parameter int unsigned CodeWords = {CODE_ROWS};
  parameter int unsigned Loops     = {LOOPS};  // how deep they nest
  parameter int unsigned Calls     = {CALLS};
  // verilator lint_on UNUSEDPARAM

  typedef logic [RowBits-1:0]           row_t;
  typedef logic [$clog2(Rows)-1:0]      row_addr_t;
  typedef logic [$clog2(CodeWords)-1:0] code_addr_t;

  typedef struct packed {{
{members}  }} word_t;

  typedef enum logic [7:0] {{
{codes}
  }} op_e;

  // How products are reduced: field imm of multiplications.
  typedef enum logic [7:0] {{
{_enumerators(kinds)}
  }} kind_e;

  // What OpSel asks for: field imm; ChoiceDigit + n is true if the digit's magnitude is n.
  // verilator lint_off UNUSEDPARAM
{choices}  // verilator lint_on UNUSEDPARAM
{sets}
endpackage
"""


def _op(name: str) -> str:
    return f"Op{name.capitalize()}"


def _enumerators(numbers: Mapping[str, int]) -> str:
    return ",\n".join(f"    {name} = 8'd{number}" for name, number in numbers.items())


def _set(name: str, about: str, choose: Callable[[Insn], bool], said: Isa) -> str:
    chosen = [_op(word) for word, insn in said.insns.items() if choose(insn)]
    lines = _wrapped(chosen, "        ")
    return f"""
  // Whether an instruction is one of these: {about}.
  function automatic logic {name}(logic [7:0] op);
    return op inside {{
{lines}
    }};
  endfunction
"""


def _wrapped(words: Iterable[str], indent: str, width: int = 100) -> str:
    """Return words between commas, in lines."""
    lines = [indent[:-1]]
    for word in words:
        if len(lines[-1]) + len(word) + 2 > width:
            lines.append(indent[:-1])
        lines[-1] += f" {word},"
    return "\n".join(lines).removesuffix(",")


def program(image: Image) -> str:
    """Return the package of what the memories hold."""
    digits = -(-isa().bits // 4)
    code = _wrapped((f"40'h{word.encode():0{digits}x}" for word in image.code), "    ")
    constants = ",\n".join(f"    256'h{value:064x}" for _, value in sorted(image.constants.items()))
    extras = ",\n".join(f"    256'h{value:064x}" for value in image.extras or (0,))
    rows = "".join(
        f"  parameter logic [7:0] Row{_camel(name)} = 8'd{row};\n"
        for name, row in image.names.items()
        if row < CONSTANTS and name in _SHARED
    )
    names = ",\n".join(f"    Prog{_camel(name)} = 4'd{n}" for n, name in enumerate(image.results))
    size = (CODE_ROWS - 1).bit_length()
    starts = ", ".join(f"{size}'d{image.entries[name]}" for name in image.results)
    results = ", ".join(f"3'd{rows - 1}" for rows in image.results.values())
    return f"""\
// Programs of the public-key engine and the constants that they read.
package cry_pka_program_pkg;

  // Rows that programs take and give. Not all have a user.
  // verilator lint_off UNUSEDPARAM
{rows}  // verilator lint_on UNUSEDPARAM

  typedef enum logic [3:0] {{
{names}
  }} program_e;

  // Where each of them begins, and how many rows it gives from RowResult on, less one.
  parameter int unsigned NumPrograms = {len(image.results)};
  parameter logic [{size - 1}:0] Entries[NumPrograms] = '{{{starts}}};
  parameter logic [2:0] Results[NumPrograms] = '{{{results}}};

  // The constant in row {CONSTANTS}, and so on.
  parameter int unsigned NumConstants = {len(image.constants)};
  parameter logic [255:0] Constants[NumConstants] = '{{
{constants}
  }};

  // Those that no row has: OpCon takes them by number.
  parameter int unsigned NumExtras = {len(image.extras) or 1};
  parameter logic [255:0] Extras[NumExtras] = '{{
{extras}
  }};

  parameter int unsigned NumWords = {len(image.code)};
  parameter logic [39:0] Code[NumWords] = '{{
{code}
  }};

endpackage
"""


_SHARED = (
    *("k", "u", "x", "y", "e", "sig_r", "sig_s", "result"),
    *("nonce0", "nonce1", "hash0", "hash1"),
)
"""Names of rows that programs have from outside, and of what they give."""


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
