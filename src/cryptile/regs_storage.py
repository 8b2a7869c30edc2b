"""The flip-flops of a generated register block, as protected registers of ``rtl/common``.

PeakRDL writes each field as a process of its own, always in the same words. Here each becomes a
``cry_reg_tmr``, and the block gets the parameter ``Protect`` and the outputs ``corrected_o`` and
``detected_o``. Nothing of a register map is known here.

External registers have to answer in the cycle of the request: the two registers with which a block
waits for later answers are left out.
"""

import re

from cryptile.errors import CryptileError

_PROCESS = r"always_ff @\(posedge clk or negedge arst_n\) begin\n *if\(~arst_n\) begin\n"

_FIELD = re.compile(
    r"^(?P<indent> *)" + _PROCESS + r" *(?P<storage>field_storage\.(?P<path>\S+)\.value)"
    r" <= (?P<reset>\S+);\n"
    r" *end else begin\n"
    r" *if\((?P<combo>field_combo\.(?P=path))\.load_next\) begin\n"
    r" *(?P=storage) <= (?P=combo)\.next;\n"
    r" *end\n *end\n *end\n",
    re.MULTILINE,
)
_WAIT = re.compile(
    r"^ *" + _PROCESS + r" *(?P<register>external_pending|pending_rd_addr) <= '0;\n.*?^    end\n",
    re.MULTILINE | re.DOTALL,
)
_LOOP = re.compile(r"(?P<indent> *)for\(genvar (?P<index>\w+)=0; \w+<(?P<size>\d+); \w+\+\+\) ")
_HEAD = re.compile(r"^module (\w+) \(\n(.*?)\n    \);\n", re.MULTILINE | re.DOTALL)

_REGISTER = """\
{indent}cry_reg_tmr #(
{indent}    .Width($bits({storage})), .ResVal({reset}), .Protect(Protect)
{indent}) u_{name} (
{indent}    .clk_i(clk), .rst_ni(arst_n), .inject_i(1'b0),
{indent}    .en_i({combo}.load_next), .d_i({combo}.next), .q_o({storage}),
{indent}    .corrected_o({name}_corrected{place}), .detected_o({name}_detected{place})
{indent});
"""

_AT_ONCE = {
    "external_pending": """\
    assign external_pending = 1'b0;
    `ifndef SYNTHESIS
    always_ff @(posedge clk) begin
        assert_external_answers_at_once:
            assert((external_wr_ack | external_rd_ack) == decoded_req_is_external)
            else $error("An external register did not answer in the cycle of its request");
    end
    `endif
""",
    "pending_rd_addr": "    assign pending_rd_addr = decoded_addr;\n",
}
"""What stands for the registers with which a block waits for an answer."""

_NEW_HEAD = """\
module {module} #(
        parameter cry_protect_pkg::protect_e Protect = cry_protect_pkg::ProtectNone
    ) (
{ports},

        output wire corrected_o,
        output wire detected_o
    );

    //--------------------------------------------------------------------------
    // Upsets
    //--------------------------------------------------------------------------
{declarations}
    assign corrected_o = |{{{corrected}}};
    assign detected_o = |{{{detected}}};
"""


def protected(block: str) -> str:
    """Return the text of a register block with fields that can be protected.

    Raises:
        CryptileError: a flip-flop, or the head of the module, is not written as expected.
    """
    names: list[str] = []
    declarations: list[str] = []

    def register(match: re.Match[str]) -> str:
        name = re.sub(r"\[\w+\]", "", match["path"]).replace(".", "_")
        loops = _loops(block[: match.start()], match["indent"])
        sizes = "".join(f"[{size - 1}:0]" for _, size in loops)
        kind = f"logic {sizes}" if loops else "logic"
        names.append(name)
        declarations.append(f"    {kind} {name}_corrected, {name}_detected;")
        place = "".join(f"[{index}]" for index, _ in loops)
        return _REGISTER.format(**match.groupdict(), name=name, place=place)

    text = _FIELD.sub(register, block)
    text = _WAIT.sub(lambda match: _AT_ONCE[match["register"]], text)
    if left := re.search(r"^ *(\S+) <= ", text, re.MULTILINE):
        raise CryptileError(f"a register block with a flip-flop of an unknown kind: {left[1]}")
    head = _HEAD.search(text)
    if head is None or not names:
        raise CryptileError("a register block without ports, or without fields that are stored")
    new = _NEW_HEAD.format(
        module=head[1],
        ports=head[2],
        declarations="\n".join(declarations),
        corrected=", ".join(f"{name}_corrected" for name in names),
        detected=", ".join(f"{name}_detected" for name in names),
    )
    return text.replace(head[0], new, 1)


def _loops(before: str, indent: str) -> list[tuple[str, int]]:
    """Return index and size of the loops, outermost first, that are open behind a text."""
    loops: dict[str, tuple[str, int]] = {}
    for line in before.splitlines():
        if match := _LOOP.match(line):
            loops[match["indent"]] = match["index"], int(match["size"])
        elif line.strip() == "end":
            loops.pop(line.removesuffix("end"), None)
    return [loop for outer, loop in loops.items() if len(outer) < len(indent)]
