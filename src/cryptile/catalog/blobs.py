"""Parameter blobs of firmware programs: their bytes, and their C headers."""

import struct
from collections.abc import Iterable, Iterator

from cryptile.catalog.schema import Choice, Field, Params

Value = int | str | bytes | Iterable[int] | Iterable[str]


def pack(params: Params, **values: Value) -> bytes:
    """Return a blob; fields that are not given are zero.

    Args:
        params: its layout.
        values: by field: a number, a word of the field's choice or several, bytes, or numbers of
            an array.

    Raises:
        ValueError: there is no such field or word, or it is longer than the field.
    """
    if unknown := values.keys() - {field.name for field in params.fields}:
        raise ValueError(f"no field {min(unknown)!r}")
    made = [params.magic.encode(), struct.pack("<I", params.version)]
    for field in params.fields:
        size, value = _bytes(params, field), values.get(field.name, 0)
        part = _pack(params, field, value)
        if len(part) > size:
            raise ValueError(f"{field.name}: {len(part)} bytes, more than {size}")
        made.append(part.ljust(size, b"\0"))
    return b"".join(made)


def _pack(params: Params, field: Field, value: Value) -> bytes:
    if field.choice:
        return _word(field, _chosen(field, params.choices[field.choice], value))
    if isinstance(value, bytes):
        return value
    if isinstance(value, int):
        return _word(field, value)
    width = params.size(field.text)
    texts = [value] if isinstance(value, str) else value
    return b"".join(
        _word(field, item) if isinstance(item, int) else _text(field, item, width) for item in texts
    )


def _word(field: Field, value: int) -> bytes:
    if not 0 <= value < 1 << 32:
        raise ValueError(f"{field.name}: {value} is no word of 32 bits")
    return struct.pack("<I", value)


def _text(field: Field, value: str, width: int) -> bytes:
    """Return characters with a zero behind them."""
    if len(value.encode()) >= width:
        raise ValueError(f"{field.name}: {value!r} has more than {width - 1} characters")
    return value.encode().ljust(width, b"\0")


def _chosen(field: Field, choice: Choice, value: Value) -> int:
    """Return the number of a word, or the bits of several; 0 stands for itself."""
    if value == 0:
        return 0
    if isinstance(value, int | bytes):
        raise ValueError(f"{field.name}: {value!r} is none of its words")
    words = [value] if isinstance(value, str) else [str(word) for word in value]
    if unknown := set(words) - set(choice.words):
        raise ValueError(f"{field.name}: no word {min(unknown)!r}")
    numbers = {choice.words.index(word) for word in words}
    if choice.bits:
        return sum(1 << number for number in numbers)
    if len(words) != 1:
        raise ValueError(f"{field.name}: one word, not {len(words)}")
    return numbers.pop()


def _bytes(params: Params, field: Field) -> int:
    """Return the bytes of a field."""
    each = params.size(field.bytes or field.text) if field.bytes or field.text else 4
    return each * params.size(field.words) * params.size(field.rows)


def header(program: str, params: Params) -> str:
    """Return the text of the C header behind its licence."""
    name = camel(program)
    guard = f"CRYPTILE_APPS_GEN_{program.upper()}_PARAMS_H"
    magic = int.from_bytes(params.magic.encode(), "little")
    exits = ", ".join(f"{name}Exit{word} = {code}" for word, code in params.exits.items())
    parts = [
        f"// {params.about}",
        f"#ifndef {guard}\n#define {guard}\n\n#include <assert.h>\n#include <stdint.h>\n",
        f'enum {{ {name}Magic = {magic:#x} }};  // "{params.magic}"',
        f"enum {{ {name}Version = {params.version} }};",
        *(
            f"enum {{ {name}{item.name} = {item.value} }};{_comment(item.about)}"
            for item in params.numbers
        ),
        *(_enum(name, key, choice) for key, choice in params.choices.items()),
        "",
        *_struct(name, program, params),
        "",
        "// Exit codes of the program's own.",
        f"enum {{ {exits} }};",
        f"\n#endif  // {guard}",
    ]
    return "\n".join(part for part in parts if part is not None) + "\n"


def camel(name: str) -> str:
    """Turn a name into CamelCase; digits that would meet stay apart."""
    made = ""
    for part in name.replace("-", "_").split("_"):
        apart = "_" if made[-1:].isdigit() and part[:1].isdigit() else ""
        made += apart + part[:1].upper() + part[1:]
    return made


def _comment(text: str) -> str:
    return f"  // {text}" if text else ""


def _enum(name: str, key: str, choice: Choice) -> str | None:
    """Return the enumerators of a choice, if C has any."""
    if choice.prefix is None:
        return None
    values = (f"1u << {at}" if choice.bits else str(at) for at in range(len(choice.words)))
    rows = [
        f"  {name}{choice.prefix}{camel(word)} = {value}"
        for word, value in zip(choice.words, values, strict=True)
    ]
    if choice.count:
        rows.append(f"  {name}{choice.count} = {len(choice.words)}")
    about = f": {choice.about}" if choice.about else ""
    bits = ", a bit each" if choice.bits else ""
    return "\n".join([f"\n// Of `{key}`{bits}{about}.", "enum {", ",\n".join(rows), "};"])


def _struct(name: str, program: str, params: Params) -> Iterator[str]:
    """Yield the lines of the structure, each member with its offset."""
    rows = [("uint32_t magic;", f"0x0 {name}Magic"), ("uint32_t version;", f"0x4 {name}Version")]
    at = 8
    for field in params.fields:
        kind = "uint8_t" if field.bytes else "char" if field.text else "uint32_t"
        sizes = (field.rows, field.bytes or field.text or field.words)
        array = "".join(
            f"[{name}{size}]" if isinstance(size, str) else f"[{size}]" for size in sizes if size
        )
        told = f"{at:#x} {field.about or _words(params, field)}".rstrip()
        rows.append((f"{kind} {field.name}{array};", told))
        at += _bytes(params, field)
    width = max(len(member) for member, _ in rows)
    yield "typedef struct {"
    yield from (f"  {member:{width}}  // {told}" for member, told in rows)
    yield f"}} {program}_params_t;\n"
    yield f'static_assert(sizeof({program}_params_t) == {at:#x}, "layout");'


def _words(params: Params, field: Field) -> str:
    """Say what the values of a choice are."""
    if not field.choice:
        return ""
    choice = params.choices[field.choice]
    if choice.prefix is not None:
        return "bits" if choice.bits else ""
    each = "bit " if choice.bits else ""
    return ", ".join(f"{each}{at} {word}" for at, word in enumerate(choice.words))
