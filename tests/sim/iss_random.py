"""Random programs that store the result of every instruction: for comparing simulators.

The assembler makes the encodings, so the simulator's table of instructions is checked too.
"""

import random
from collections.abc import Collection
from dataclasses import dataclass

R = "{0}, {1}, {2}"
I12 = "{0}, {1}, {i12}"
SH = "{0}, {1}, {sh}"
SHW = "{0}, {1}, {shw}"
UN = "{0}, {1}"

# Extension, widths, operands, mnemonics.
INSTRUCTIONS = (
    ("i", 96, R, "add sub sll slt sltu xor srl sra or and"),
    ("i", 96, I12, "addi slti sltiu xori ori andi"),
    ("i", 96, SH, "slli srli srai"),
    ("i", 96, "{0}, {u20}", "lui auipc"),
    ("i", 64, R, "addw subw sllw srlw sraw"),
    ("i", 64, I12, "addiw"),
    ("i", 64, SHW, "slliw srliw sraiw"),
    ("m", 96, R, "mul mulh mulhsu mulhu div divu rem remu"),
    ("m", 64, R, "mulw divw divuw remw remuw"),
    ("zba", 96, R, "sh1add sh2add sh3add"),
    ("zba", 64, R, "add.uw sh1add.uw sh2add.uw sh3add.uw"),
    ("zba", 64, SH, "slli.uw"),
    ("zbb", 96, R, "andn orn xnor max maxu min minu rol ror"),
    ("zbb", 96, SH, "rori"),
    ("zbb", 96, UN, "clz ctz cpop sext.b sext.h zext.h rev8 orc.b"),
    ("zbb", 64, R, "rolw rorw"),
    ("zbb", 64, SHW, "roriw"),
    ("zbb", 64, UN, "clzw ctzw cpopw"),
    ("zbs", 96, R, "bclr bext binv bset"),
    ("zbs", 96, SH, "bclri bexti binvi bseti"),
    ("zbc", 96, R, "clmul clmulh clmulr"),
    ("zbkb", 96, R, "pack packh"),
    ("zbkb", 96, UN, "brev8"),
    ("zbkb", 32, UN, "zip unzip"),
    ("zbkb", 64, R, "packw"),
    ("zbkx", 96, R, "xperm4 xperm8"),
    ("zkne", 32, "{0}, {1}, {2}, {bs}", "aes32esi aes32esmi"),
    ("zknd", 32, "{0}, {1}, {2}, {bs}", "aes32dsi aes32dsmi"),
    ("zkne", 64, R, "aes64es aes64esm aes64ks2"),
    ("zkne", 64, "{0}, {1}, {rnum}", "aes64ks1i"),
    ("zknd", 64, R, "aes64ds aes64dsm"),
    ("zknd", 64, UN, "aes64im"),
    ("zknh", 96, UN, "sha256sum0 sha256sum1 sha256sig0 sha256sig1"),
    ("zknh", 32, R, "sha512sum0r sha512sum1r sha512sig0l sha512sig1l sha512sig0h sha512sig1h"),
    ("zknh", 64, UN, "sha512sum0 sha512sum1 sha512sig0 sha512sig1"),
)
ALL = tuple(dict.fromkeys(extension for extension, *_ in INSTRUCTIONS))
LOADS = {32: "lb lh lw lbu lhu", 64: "lb lh lw lbu lhu lwu ld"}
STORES = {32: "sb sh sw", 64: "sb sh sw sd"}
SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}
BRANCHES = ("beq", "bne", "blt", "bge", "bltu", "bgeu")
# Registers that instructions work on. s0 points to the scratch memory, s1 to the results, gp to the
# operands.
REGISTERS = ("a0", "a1", "a2", "a3", "a4", "a5", "t0", "t1", "t5", "s7")
COMPRESSED = {
    32: (
        "c.addi {0}, {ci}", "c.li {0}, {ci}", "c.lui {0}, {cu}", "c.srli {3}, {csh}",
        "c.srai {3}, {csh}", "c.andi {3}, {ci}", "c.sub {3}, {4}", "c.xor {3}, {4}",
        "c.or {3}, {4}", "c.and {3}, {4}", "c.slli {0}, {csh}", "c.mv {0}, {1}", "c.add {0}, {1}",
    ),
    64: ("c.addiw {0}, {ci}", "c.subw {3}, {4}", "c.addw {3}, {4}"),
}  # fmt: skip


@dataclass(frozen=True)
class Program:
    text: str
    labels: list[str]
    """The instruction behind each result."""


def instructions(xlen: int, extensions: Collection[str] = ALL) -> list[tuple[str, str]]:
    """Every computing instruction: mnemonic and operand template."""
    return [
        (name, template)
        for extension, widths, template, names in INSTRUCTIONS
        if extension in extensions and widths & xlen
        for name in names.split()
    ]


def value(source: random.Random, xlen: int) -> int:
    """A corner case, a small value, or a random one."""
    top = 1 << (xlen - 1)
    corners = [0, 1, 2, top, top - 1, 2 * top - 1, top + 1, 0x80, 0x7FFF, 0x8000, 1 << 31]
    corners += [0xFFFFFFFF, 0x7FFFFFFF]
    kind = source.randrange(4)
    if kind == 0:
        return source.choice(corners) % (2 * top)
    if kind == 1:
        return source.randrange(-70, 70) % (2 * top)
    return source.getrandbits(xlen)


def fill(source: random.Random, template: str, xlen: int, registers: Collection[str] = ()) -> str:
    """Operands for a template; three registers that are not given are random."""
    low = source.sample(REGISTERS[:6], 2)
    if source.randrange(4) == 0:
        low[1] = low[0]
    return template.format(
        *(registers or (source.choice(REGISTERS) for _ in range(3))),
        *low,
        i12=source.choice([0, 1, -1, 2047, -2048, source.randrange(-2048, 2048)]),
        sh=source.choice([0, 1, xlen - 1, source.randrange(xlen)]),
        shw=source.choice([0, 1, 31, source.randrange(32)]),
        u20=source.choice([0, 1, 0xFFFFF, 0x80000, source.randrange(1 << 20)]),
        bs=source.randrange(4),
        rnum=source.randrange(11),
        ci=source.choice([-32, -1, 1, 31, source.randrange(1, 32)]),
        cu=source.choice([1, 31, 0xFFFE0, 0xFFFFF]),
        csh=source.randrange(1, 32),
    )


def _frame(xlen: int, results: int, body: list[str], data: list[int], labels: list[str]) -> Program:
    """Make a function ``random_program`` of instructions, and a start that writes its results."""
    size = xlen // 8
    store, load, word = ("sd", "ld", ".dword") if xlen == 64 else ("sw", "lw", ".word")
    saved = ["ra", "sp", "gp", "s0", "s1", "s2", "s3", "s7"]
    text = [
        ".globl _start", "_start:", "call random_program",
        "li a0, 1", "la a1, results", f"li a2, {results * size}", "li a7, 64", "ecall",
        "li a0, 7", "li a7, 93", "ecall",
        ".globl random_program", "random_program:", "la t0, saved",
        *(f"{store} {name}, {i * size}(t0)" for i, name in enumerate(saved)),
        "la s0, scratch + 2048", "la s1, results", "la gp, operands",
        *body,
        "la t0, saved",
        *(f"{load} {name}, {i * size}(t0)" for i, name in enumerate(saved)),
        "ret",
        ".data", ".balign 16", "operands:",
        *(f"{word} {item:#x}" for item in data),
        ".bss", ".balign 4096", "scratch: .space 4096",
        ".globl results", "results:", f".space {results * size}",
        "saved:", f".space {len(saved) * size}",
    ]  # fmt: skip
    return Program("\n".join(text) + "\n", labels)


def sweep(xlen: int, seed: int, forms: int, pairs: int) -> Program:
    """Every instruction in several forms, each over a table of operand pairs."""
    source = random.Random(seed)
    load, store, size = ("ld", "sd", 8) if xlen == 64 else ("lw", "sw", 4)
    data = [value(source, xlen) for _ in range(2 * pairs)]
    body, labels = [], []
    for name, template in instructions(xlen):
        for _ in range(forms):
            operands = fill(source, template, xlen)
            rd, *rest = [word for word in operands.split(", ") if word in REGISTERS] or ["a0"]
            sources = sorted(set(rest)) or [rd]
            label = f"1{len(labels):05}"
            body += [
                f"mv s2, gp; li s3, {pairs}",
                f".L{label}: {load} {sources[0]}, 0(s2)",
                f"{load} {sources[-1]}, {size}(s2)",
                f"{name} {operands}",
                f"{store} {rd}, 0(s1); addi s1, s1, {size}; addi s2, s2, {2 * size}",
                f"addi s3, s3, -1; bnez s3, .L{label}",
            ]
            labels += [f"{name} {operands}"] * pairs
    return _frame(xlen, len(labels), body, data, labels)


def mixed(
    xlen: int, seed: int, length: int, *, rvc: bool, extensions: Collection[str] = ALL
) -> Program:
    """One long program: computing, memory, branches; the state carries through.

    With ``rvc`` it has compressed instructions.
    """
    source = random.Random(seed)
    size = xlen // 8
    load, store = ("ld", "sd") if xlen == 64 else ("lw", "sw")
    data = [value(source, xlen) for _ in REGISTERS]
    body = [f"{load} {name}, {i * size}(gp)" for i, name in enumerate(REGISTERS)]
    # QEMU's ctzw is wrong: see the comparison.
    choices = [item for item in instructions(xlen, extensions) if item[0] != "ctzw"]
    compressed = COMPRESSED[32] + (COMPRESSED[64] if xlen == 64 else ())
    labels: list[str] = []

    def result(register: str, text: str) -> None:
        body.extend([text, f"{store} {register}, 0(s1)", f"addi s1, s1, {size}"])
        labels.append(text)

    def offset(name: str) -> int:
        width = SIZES[name.strip("lsu")]
        return source.randrange(-2048 // width, 2048 // width) * width

    kinds = range(10) if rvc else (0, 1, 2, 3, 6, 7, 8, 9)
    for number in range(length):
        register = source.choice(REGISTERS)
        match source.choice(kinds):
            case 0:
                name = source.choice(LOADS[xlen].split())
                result(register, f"{name} {register}, {offset(name)}(s0)")
            case 1:
                name = source.choice(STORES[xlen].split())
                at = offset(name)
                full = at // size * size
                body.append(f"{name} {register}, {at}(s0)")
                result(register, f"{load} {register}, {full}(s0)")
            case 2:
                other = source.choice([*REGISTERS, register, "zero"])
                branch = source.choice(BRANCHES)
                body.append(f"{branch} {register}, {other}, .Lb{number}")
                name, template = source.choice(choices)
                body.append(f"{name} {fill(source, template, xlen)}")
                body.append(f".Lb{number}:")
                body.append(f"xori {register}, {register}, {source.randrange(2048)}")
                result(register, f"mv {register}, {register}  # {branch} {register}, {other}")
            case 3:
                kind = source.choice(["jal {0}, .Lj{n}", "la {0}, .Lj{n}; jalr {0}, {0}, 0"])
                body.append(kind.format(register, n=number))
                body.append(f"not {register}, {register}")
                body.append(f".Lj{number}:")
                result(register, f"xori {register}, {register}, 0  # after a jump")
            case 4:
                text = fill(source, source.choice(compressed), xlen)
                result(text.split()[1].rstrip(","), text)
            case 5:
                body.append(f"addi sp, s0, {source.randrange(-64, 64) * 8}")
                at = source.randrange(32) * 4
                kind = source.choice(
                    [f"c.swsp {register}, {at}(sp)", "c.addi16sp sp, -512", "c.addi16sp sp, 496"]
                )
                body.append(kind)
                low = source.choice(REGISTERS[:6])
                text = source.choice(
                    [f"c.lwsp {register}, {at}(sp)", f"c.addi4spn {low}, sp, {4 + at}"]
                    + ([f"c.ldsp {register}, {at // 8 * 8}(sp)"] if xlen == 64 else [])
                )
                if "ldsp" in text or "lwsp" in text:
                    result(register, text)
                else:
                    result(low, text)
            case _:
                name, template = source.choice(choices)
                operands = fill(source, template, xlen)
                result(operands.split(",")[0], f"{name} {operands}")
    return _frame(xlen, len(labels), body, data, labels)
