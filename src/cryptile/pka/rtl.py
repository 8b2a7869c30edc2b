"""What the RTL of the public-key engine has from its instructions and programs: packages."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from cryptile.notice import licence
from cryptile.pka import programs
from cryptile.pka.builder import Image
from cryptile.pka.isa import (
    CALLS,
    CODE_ROWS,
    DATA_ROWS,
    LIMB_BITS,
    LOOPS,
    ROWS,
    WIDTH256,
    WIDTH384,
    WIDTH512,
    WIDTH576,
    Insn,
    Isa,
    Width,
    isa,
)

FOLDER = Path("rtl/engine/pka/gen")

_NOTICE = f"""\
{licence("//")}
// Generated from {{source}} by `cryptile generate`: edit that, not this file.

"""

_SETS: Mapping[str, tuple[str, Callable[[Insn], bool]]] = {
    "is_alu": ("carried out by the ALU", lambda insn: insn.unit == "alu"),
    "is_held": ("beside the ALU", lambda insn: insn.unit == "held"),
    "is_mul": ("carried out by the multiplier", lambda insn: insn.unit == "mul"),
    "reads_a": ("the row of field a is read", lambda insn: "a" in insn.reads),
    "reads_b": ("the row of field b is read", lambda insn: "b" in insn.reads),
    "writes": ("the row of field d is written", lambda insn: insn.writes),
    "is_of_one": ("machines with one lane alone have it", lambda insn: insn.lanes == "one"),
    "is_of_several": (
        "machines with several lanes alone have it",
        lambda insn: insn.lanes == "several",
    ),
    "takes_modulus": ("field imm is a modulus", lambda insn: insn.imm == "modulus"),
    "is_known": ("there is such an instruction", lambda insn: True),
}


def files() -> dict[Path, str]:
    """Return the text of the packages by path below the checkout."""
    isa_file = {
        FOLDER / "cry_pka_isa_pkg.sv": _NOTICE.format(source="catalog/pka.yaml")
        + instructions(isa())
    }
    return isa_file | {
        FOLDER / f"{_package(width)}.sv": _NOTICE.format(source="src/cryptile/pka/programs")
        + program(programs.image(width))
        for width in programs.WIDTHS
    }


def instructions(said: Isa) -> str:
    """Return the package of the instruction set."""
    order = sorted(said.fields.items(), key=lambda item: -item[1].low)
    members = "".join(f"    logic [{size - 1}:0] {name};\n" for name, (_, size) in order)
    kinds = {f"Kind{name.capitalize()}": number for name, number in said.kinds.items()}
    choices = "".join(
        f"  parameter logic [7:0] Choice{name.capitalize()} = 8'd{item.code};\n"
        for name, item in said.choices.items()
    )
    moduli = "".join(_moduli(width, said) for width in (WIDTH256, WIDTH384, WIDTH576))
    sets = "".join(_set(name, about, choose, said) for name, (about, choose) in _SETS.items())
    multipliers = "".join(
        f"  parameter int unsigned {name.capitalize()}{field.capitalize()} = {value};\n"
        for name, item in said.multipliers.items()
        for field, value in (("lanes", item.lanes), ("drain", item.drain))
    )
    codes = ",\n".join(f"    {_op(name)} = 8'd{item.code}" for name, item in said.insns.items())
    return f"""\
// Instructions of the public-key engine; the catalogue says what each does.
package cry_pka_isa_pkg;

  // Not every constant has a user.
  // verilator lint_off UNUSEDPARAM
  parameter int unsigned LimbBits  = {LIMB_BITS};
  parameter int unsigned Rows      = {ROWS};
  parameter int unsigned DataRows  = {DATA_ROWS};  // rows from here on are constants
  parameter int unsigned DataRows512 = {WIDTH512.data};  // likewise with rows of 512 bits
  parameter int unsigned CodeWords = {CODE_ROWS};
  parameter int unsigned Loops     = {LOOPS};  // how deep they nest
  parameter int unsigned Calls     = {CALLS};
  parameter int unsigned Calls512  = {WIDTH512.calls};  // likewise

  // Multipliers: products of 64 x 64 bits in a cycle, and cycles from the one that selects the last
  // of them to the one that writes the result.
{multipliers}  // verilator lint_on UNUSEDPARAM

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
{moduli}{sets}
endpackage
"""


def _moduli(width: Width, said: Isa) -> str:
    """Return how many moduli a machine has, and a function that gives them."""
    bits, digits = width.bits, width.bits // 4
    cases = "".join(
        f"      8'd{number}:    return {bits}'h{width.moduli[number]:0{digits}x};  // {name}\n"
        for name, number in said.moduli.items()
        if number < len(width.moduli)
    )
    return f"""
  // The modulus of a number with rows of {bits} bits.
  parameter logic [7:0] Moduli{bits} = 8'd{len(width.moduli)};
  function automatic logic [{bits - 1}:0] modulus{bits}(logic [7:0] number);
    unique case (number)
{cases}      default: return '0;
    endcase
  endfunction
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


def _package(width: Width) -> str:
    """Return the name of the package of a machine's programs."""
    name = "program" if width.impl == "compact" else width.impl
    return f"cry_pka_{name}{width.bits}_pkg"


def program(image: Image) -> str:
    """Return the package of what the memories hold."""
    digits, bits = -(-isa().bits // 4), image.width.bits

    def number(value: int) -> str:
        return f"    {bits}'h{value:0{bits // 4}x}"

    code = _wrapped((f"40'h{word.encode():0{digits}x}" for word in image.code), "    ")
    constants = ",\n".join(number(value) for _, value in sorted(image.constants.items()))
    extras = ",\n".join(number(value) for value in image.extras or (0,))
    rows = "".join(
        f"  parameter logic [7:0] Row{_camel(name)} = 8'd{row};\n"
        for name, row in image.names.items()
        if row < image.width.data and name in SHARED
    )
    names = ",\n".join(f"    Prog{_camel(name)} = 4'd{n}" for n, name in enumerate(image.results))
    size = (CODE_ROWS - 1).bit_length()
    starts = ", ".join(f"{size}'d{image.entries[name]}" for name in image.results)
    aside = (
        "" if image.width.impl == "compact" else f"// For the multiplier `{image.width.impl}`.\n"
    )
    results = ", ".join(f"3'd{rows - 1}" for rows in image.results.values())
    zeros = ", ".join(f"1'b{name in image.zeros:d}" for name in image.results)
    return f"""\
// Programs of the public-key engine with rows of {bits} bits, and the constants that they read.
{aside}package {_package(image.width)};

  // Rows that programs take and give. Not all have a user.
  // verilator lint_off UNUSEDPARAM
{rows}  // verilator lint_on UNUSEDPARAM

  typedef enum logic [3:0] {{
{names}
  }} program_e;

  // Where each of them begins, how many rows it gives from RowResult on, less one, and whether the
  // only one may be zero.
  parameter int unsigned NumPrograms = {len(image.results)};
  parameter logic [{size - 1}:0] Entries[NumPrograms] = '{{{starts}}};
  parameter logic [2:0] Results[NumPrograms] = '{{{results}}};
  parameter logic Zeros[NumPrograms] = '{{{zeros}}};

  // The constant in row {image.width.data}, and so on.
  parameter int unsigned NumConstants = {len(image.constants)};
  parameter logic [{bits - 1}:0] Constants[NumConstants] = '{{
{constants}
  }};

  // Those that no row has: OpCon takes them by number.
  parameter int unsigned NumExtras = {len(image.extras) or 1};
  parameter logic [{bits - 1}:0] Extras[NumExtras] = '{{
{extras}
  }};

  parameter int unsigned NumWords = {len(image.code)};
  parameter logic [39:0] Code[NumWords] = '{{
{code}
  }};

  // Whether there is a program of a number.
  function automatic logic is_program(logic [3:0] number);
    return 32'(number) < NumPrograms;
  endfunction

  // Where it begins.
  function automatic logic [{size - 1}:0] entry_of(logic [3:0] number);
    return is_program(number) ? Entries[number[$clog2(NumPrograms)-1:0]] : '0;
  endfunction

  // How many rows it gives, less one.
  function automatic logic [2:0] results_of(logic [3:0] number);
    return is_program(number) ? Results[number[$clog2(NumPrograms)-1:0]] : '0;
  endfunction

  // Whether a result of one row may be zero.
  function automatic logic zero_of(logic [3:0] number);
    return is_program(number) & Zeros[number[$clog2(NumPrograms)-1:0]];
  endfunction

  // The instruction at an address; what is behind the last one is none.
  function automatic logic [39:0] code_at(logic [{size - 1}:0] address);
    return 32'(address) < NumWords ? Code[address[$clog2(NumWords)-1:0]] : '1;
  endfunction

  // What a row holds before a program, or a constant that no row has; zero if there is none.
  function automatic logic [{bits - 1}:0] constant_of(logic extra, logic [7:0] number);
    logic [7:0] offset;
    offset = number - 8'd{image.width.data};
    if (extra) return 32'(number) < NumExtras ? Extras[number[$clog2(NumExtras)-1:0]] : '0;
    if (number < 8'd{image.width.data} || 32'(offset) >= NumConstants) return '0;
    return Constants[offset[$clog2(NumConstants)-1:0]];
  endfunction

endpackage
"""


SHARED = (
    *("k", "u", "x", "y", "e", "sig_r", "sig_s", "result"),
    *("nonce0", "nonce1", "hash0", "hash1"),
    *("modulus", "message", "prime_p", "prime_q", "exponent_p", "exponent_q"),
    *("coefficient", "exponent"),
)
"""Names of rows that programs have from outside, and of what they give."""


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
