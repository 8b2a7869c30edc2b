"""Writes what RTL and C know of the catalogue."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

import cryptile
from cryptile.catalog import families, features, load, maps, shells, variants
from cryptile.catalog.blobs import camel, header
from cryptile.catalog.load import (
    CATALOG,
    algorithms,
    engines,
    params,
    programs,
    statuses,
    system,
    tile_engines,
)
from cryptile.catalog.read import unique
from cryptile.catalog.schema import Algorithm, Engine, Key, Mode, Statuses
from cryptile.notice import KERNEL_LICENCE, licence

RTL_PACKAGE = Path("rtl/shell/tile/gen/cry_tile_catalog_pkg.sv")
C_HEADER = Path("sw/driver/core/gen/tile_catalog.h")
STATUS_HEADER = Path("sw/include/cryptile/status.h")
STATUS_TEXTS = Path("sw/lib/status/gen/status_texts.h")
VERSION_HEADER = Path("sw/include/cryptile/version.h")
PARAMS = Path("sw/apps/gen")

LONG = 4096
"""Cycles from which on a job is a long one for the tile."""

_SOURCES = "\n// Generated from catalog/ by `cryptile generate`: edit those files, not this one.\n"

_LICENCE = licence("//") + _SOURCES

_KERNEL_LICENCE = licence("//", KERNEL_LICENCE) + _SOURCES
"""Of the driver's core, and of what it includes."""

_CORE_LICENCE = "CAPI=2:\n" + _LICENCE.replace("//", "#")


def files(folder: Path = CATALOG) -> dict[Path, str]:
    """Return the text of every generated file by its path below the checkout.

    Raises:
        CryptileError: the catalogue has errors; the text says where.
    """
    tile, ends, built = _in_tile(engines(folder).values()), statuses(folder), variants.built(folder)
    return (
        {
            features.FILE: _LICENCE + features.registers(engines(folder)),
            variants.PACKAGE: _LICENCE + variants.package(built),
            variants.MODULE: _LICENCE + variants.module(built),
            variants.CORE: _CORE_LICENCE + variants.core(built),
            RTL_PACKAGE: _rtl_package(tile, ends),
            C_HEADER: _c_header(tile, algorithms(folder).values(), ends),
            STATUS_HEADER: _status_header(ends),
            STATUS_TEXTS: _status_texts(ends),
            VERSION_HEADER: _version_header(),
            shells.REGISTERS: _LICENCE + shells.registers(ends),
            shells.C_HEADER: _KERNEL_LICENCE + shells.header(engines(folder), ends),
            families.HEADER: _KERNEL_LICENCE + families.header(load.families(folder)),
        }
        | {
            PARAMS / f"{name}_params.h": _LICENCE + header(name, params(name, folder))
            for name in programs(folder)
        }
        | _maps(folder)
    )


def _maps(folder: Path) -> dict[Path, str]:
    """Return the address maps of all systems."""
    found = {}
    for path in sorted((folder / "systems").glob("*.yaml")):
        name = path.stem
        said = system(name, folder)
        built = [item.opcode.number for item in tile_engines(name, folder).values() if item.opcode]
        package = maps.package(said, sum(1 << number for number in built))
        found[Path(f"soc/{name}/gen/{said.names.rtl}_map_pkg.sv")] = _LICENCE + package
        found[Path(f"sw/hal/gen/{name}_map.h")] = _LICENCE + maps.header(name, said)
        if maps.linked(said):
            notice = "\n".join(line.replace("//", "  ", 1) for line in _LICENCE.splitlines())
            text = f"/*{notice[2:]} */\n\n{maps.memories(said)}"
            found[PARAMS / f"{name}_memory.ld"] = re.sub(" +$", "", text, flags=re.MULTILINE)
    return found


def _in_tile(known: Iterable[Engine]) -> dict[str, Engine]:
    """Return the engines that descriptors can name, by that name: their numbers are 0, 1, ..."""
    found = {
        engine.opcode.number: (engine.opcode.name, engine) for engine in known if engine.opcode
    }
    return dict(found[number] for number in range(len(found)))


def _rtl_package(tile: dict[str, Engine], ends: Statuses) -> str:
    width = max(map(len, tile))
    opcodes = ",\n".join(f"    Op{name:{width}} = 8'd{number}" for number, name in enumerate(tile))
    rows = "\n".join(
        f"      {{Op{name}, 4'd{item.number}}}: "
        f"return {_properties(item, engine.modes)};  // {word}"
        for name, engine in tile.items()
        for word, item in engine.modes.items()
    )
    width = max(map(len, ends.jobs))
    jobs = _commented(
        (f"    Tile{name:{width}} = 8'd{item.number}", item.about)
        for name, item in ends.jobs.items()
    )
    longest = {name: max(map(_made_beats, engine.modes.values())) for name, engine in tile.items()}
    made = "\n".join(
        f"        Op{name}: beats = {beats};" for name, beats in longest.items() if beats
    )
    once = "\n".join(
        f"      Op{name}: return 16'h{served:04x};"
        for name, engine in tile.items()
        if (served := _once(engine))
    )
    when = {"both": "1'b1", "encrypt": "!decrypt"}
    serial = "\n".join(
        f"      4'd{item.number}: return {when[item.serial]};  // {word}"
        for word, item in tile["Aes"].modes.items()
        if item.serial
    )
    return f"""{_LICENCE}
// The tile's engines, and what a descriptor implies for each of their modes.
package cry_tile_catalog_pkg;

  typedef enum logic [7:0] {{
{opcodes}
  }} opcode_e;

  // A bit for each.
  function automatic logic [15:0] all_opcodes();
    return {_mask(tile, lambda engine: True)};
  endfunction

  // Those whose engines take random bits.
  function automatic logic [15:0] random_opcodes();
    return {_mask(tile, _takes_random)};
  endfunction

  // What a tile has if nothing else is said: the others.
  function automatic logic [15:0] default_opcodes();
    return {_mask(tile, lambda engine: not _takes_random(engine))};
  endfunction

  // Those whose jobs take long, whatever their bytes.
  function automatic logic [15:0] slow_opcodes();
    return {_mask(tile, _slow)};
  endfunction

  // Those with modes whose results can become keys.
  function automatic logic [15:0] making_opcodes();
    return {_mask(tile, _makes)};
  endfunction

  // Of 16 bytes: the longest key that they make; 0: none.
  function automatic int unsigned longest_made(logic [15:0] opcodes);
    longest_made = 0;
    for (int unsigned n = 0; n < 16; n++) begin
      int unsigned beats;
      case (8'(n))
{made}
        default: beats = 0;
      endcase
      if (opcodes[n] && (beats > longest_made)) longest_made = beats;
    end
  endfunction

  // Modes that take no keys but those that serve one job.
  function automatic logic [15:0] once_modes(logic [7:0] opcode);
    case (opcode)
{once}
      default: return '0;
    endcase
  endfunction

  // Status of a job in its completion; up to 15 the engine's status_e.
  typedef enum logic [7:0] {{
{jobs}
  }} tile_status_e;

  typedef enum logic [2:0] {{
    KeyNone,
    KeySized,  // 16, 24 or 32 bytes, as job_t.key_len says
    KeyPair,   // two of that size, in two transfers
    KeyFixed,  // 32 bytes
    KeyBytes   // job_t.key_bytes, in two transfers, or three of more than 64 bytes
  }} key_form_e;

  typedef struct packed {{
    key_form_e  key;
    logic [3:0] context_beats;  // of a saved context that a job takes back
    logic [10:0] tag_bytes;     // of a full tag, digest or code; 0: makes none
    logic       has_output;     // the message comes out again
    logic       long_iv;        // an IV of another length than 12 bytes is a section of its own
    logic       long_tag;       // w4 says the tag's bytes, in place of an IV
    logic       unwraps;        // keys can be unwrapped in this mode
    logic       keystream;      // decryption is the same as encryption
    logic       tile_nonce;     // the tile can make the nonce
    logic       one_time;       // a key serves one message
    logic       clear_key;      // a private key is part of the message
    logic       agrees;         // the result can become a key of another opcode
    logic       once;           // the result becomes a key for one job, and nothing else
    logic [15:0] makes;         // its first bytes one for these modes of the same opcode
    logic [2:0] made_beats;     // of 16 bytes of that key; 0: none
  }} mode_t;

  // A block waits for the one before: any AES lane does this mode.
  function automatic logic aes_serial(logic [3:0] mode, logic decrypt);
    unique case (mode)
{serial}
      default: return 1'b0;
    endcase
  endfunction

  // Other modes imply nothing. Engines refuse them; a NOP has no mode to refuse.
  function automatic mode_t mode_of(logic [7:0] opcode, logic [3:0] mode);
    unique case ({{opcode, mode}})
{rows}
      default: return '0;
    endcase
  endfunction

endpackage
"""


def _mask(tile: dict[str, Engine], choose: Callable[[Engine], bool]) -> str:
    """Return a bit for each opcode whose engine is chosen."""
    chosen = sum(1 << number for number, engine in enumerate(tile.values()) if choose(engine))
    return f"16'h{chosen:04x}"


def _takes_random(engine: Engine) -> bool:
    """Return whether an engine takes random bits."""
    return engine.opcode is not None and engine.opcode.random


def _slow(engine: Engine) -> bool:
    """Return whether an engine has jobs that are long ones whatever their bytes."""
    return any(item.steps >= LONG for item in engine.modes.values())


def _makes(engine: Engine) -> bool:
    """Return whether an engine has modes whose results can become keys."""
    return any(item.agrees or item.makes for item in engine.modes.values())


def _once(engine: Engine) -> int:
    """Return a bit for each mode that takes no keys but those that serve one job."""
    makers = (item for item in engine.modes.values() if item.once)
    return _bits({word for item in makers for word in item.makes}, engine.modes)


def _bits(words: Collection[str], modes: dict[str, Mode]) -> int:
    """Return a bit for each mode that is named."""
    return sum(1 << modes[word].number for word in words)


def _made_beats(item: Mode) -> int:
    """Return the beats of the key that a result can become."""
    return item.made // 16 if item.agrees or item.makes else 0


def _commented(rows: Iterable[tuple[str, str]]) -> str:
    """Return lines of an enumeration, each with its comment, if it has one."""
    listed = list(rows)
    width = max(len(row) for row, _ in listed) + 1
    last = listed[-1][0]
    lines = (f"{row + ',' * (row != last):{width}}  // {about}" for row, about in listed)
    return "\n".join(line.removesuffix("// ").rstrip() for line in lines)


def _properties(item: Mode, modes: dict[str, Mode]) -> str:
    """Return a ``mode_t`` of the package, of one of the modes of an engine."""
    said = (
        item.output,
        item.long_iv,
        item.long_tag,
        item.unwraps,
        item.keystream,
        item.tile_nonce,
        item.one_time,
        item.clear_key,
        item.agrees,
        item.once,
    )
    flags = f"{len(said)}'b" + "".join(str(int(flag)) for flag in said)
    makes = _bits(item.makes, modes)
    beats = _made_beats(item)
    numbers = f"4'd{item.context}, 11'd{item.tag or 0}, {flags}, 16'h{makes:04x}, 3'd{beats}"
    return f"{{Key{item.key.capitalize()}, {numbers}}}"


def _hash_of(alg: Algorithm) -> str:
    """Return the name of a hash function, or of that under an HMAC, in C."""
    return (alg.hashlib or alg.name).replace("-", "_")


def _c_header(tile: dict[str, Engine], known: Collection[Algorithm], ends: Statuses) -> str:
    guard = "CRYPTILE_DRIVER_GEN_TILE_CATALOG_H"
    opcodes = ",\n".join(f"  Tile{name} = {number}" for number, name in enumerate(tile))
    modes = {
        f"Tile{name}{camel(word)}": (name, item)
        for name, engine in tile.items()
        for word, item in engine.modes.items()
        if len(engine.modes) > 1
    }
    numbers = ",\n".join(f"  {mode} = {item.number}" for mode, (_, item) in modes.items())
    tags = " \\\n".join(
        f"  ROW(Tile{name}, {mode}, {item.tag})" for mode, (name, item) in modes.items() if item.tag
    )
    forms = {camel(alg.form) for alg in known}
    every = [item for engine in tile.values() for item in engine.modes.values()]
    cycles = ", \\\n   ".join(
        f"[Tile{name}][{mode}] = {-(-1024 * item.cycles // item.block)}"
        for mode, (name, item) in modes.items()
        if item.cycles
    )
    unique(
        f"{C_HEADER}: enumerators",
        [*(f"Tile{name}" for name in (*tile, *ends.jobs, *forms)), *modes],
    )
    jobs = _commented(
        (f"  Tile{name} = {item.number}", item.about) for name, item in ends.jobs.items()
    )
    meant = " \\\n".join(
        f"  ROW(Tile{name}, CRYPTILE_{item.library})" for name, item in ends.jobs.items()
    )
    rows = " \\\n".join(f"  ROW({text})" for text in _rows(known))
    hashes = " \\\n".join(
        f"  ROW(Tile{alg.opcode.name}, Tile{alg.opcode.name}{camel(alg.word)}, {_hash_of(alg)})"
        for alg in known
        if alg.form in ("hash", "hmac")
    )
    return f"""{_KERNEL_LICENCE}#ifndef {guard}
#define {guard}

// The engines; bit n of FEATURES.engines tells that number n is built in.
typedef enum {{
{opcodes}
}} tile_opcode_t;

// The modes of each engine.
enum {{
{numbers}
}};

// Modes by opcode, bit n of a set for mode n: which take a key, and which have descriptors that say
// the tag's bytes in place of an IV.
// clang-format off
#define TILE_MODES_WITH_KEY \\
{_modes_of(tile, lambda item: item.key is not Key.none)}
#define TILE_MODES_WITH_LONG_TAG \\
{_modes_of(tile, lambda item: item.long_tag)}
// clang-format on

// Cycles in which an engine with several modes takes 1024 bytes of a message, by opcode and mode.
// 0: no such figure, as each block waits for the one before.
// clang-format off
#define TILE_CYCLES_OF_KIB \\
  {{{cycles}}}
// clang-format on

// The largest block, tag and saved context, in bytes, but of public-key algorithms.
enum {{
  TileMaxBlock = {max(item.block for item in every if not item.steps)},
  TileMaxTag = {max(item.tag or 0 for item in every if not item.steps)},
  TileContextBytes = {16 * max(item.context for item in every)}
}};

// Engine, mode, and bytes of its full tag, digest or code.
// clang-format off
#define TILE_FULL_TAGS(ROW) \\
{tags}
// clang-format on

// Engine, mode, and the hash function of it or, with a key, of its HMAC, as the library names it
// behind `cryptile_`.
// clang-format off
#define TILE_HASHES(ROW) \\
{hashes}
// clang-format on

// How a job ended.
enum {{
{jobs}
}};

// What the driver returns for each of them.
// clang-format off
#define TILE_STATUSES(ROW) \\
{meant}
// clang-format on

// Algorithms: name, engine, mode, family, bytes of the key (TileMaxKey: up to so many), of a full
// tag and of a block.
// clang-format off
#define TILE_ALGORITHMS(ROW) \\
{rows}
// clang-format on

#endif  // {guard}
"""


def _modes_of(tile: dict[str, Engine], choose: Callable[[Mode], bool]) -> str:
    """Return the initializer of an array in C: of each engine the set of modes that are chosen."""
    sets = {
        name: sum(1 << item.number for item in engine.modes.values() if choose(item))
        for name, engine in tile.items()
    }
    rows = (f"[Tile{name}] = {modes:#06x}" for name, modes in sets.items() if modes)
    return "  {" + ", \\\n   ".join(rows) + "}"


def _rows(known: Iterable[Algorithm]) -> Iterator[str]:
    for alg in known:
        key = "TileMaxKey" if alg.family.key else str(alg.key or 0)
        engine = f"Tile{alg.opcode.name}"
        yield (
            f'"{alg.name}", {engine}, {engine}{camel(alg.word)}, Tile{camel(alg.form)}, '
            f"{key}, {alg.mode.tag or 0}, {alg.mode.block}"
        )


def _status_header(ends: Statuses) -> str:
    guard = "CRYPTILE_STATUS_H"
    text = _commented(
        (f"  CRYPTILE_{name} = {item.number}", item.about) for name, item in ends.library.items()
    )
    return f"""{_KERNEL_LICENCE}
// What every function of the library returns.
#ifndef {guard}
#define {guard}

#include "cryptile/attributes.h"

#ifdef __cplusplus
extern "C" {{
#endif

typedef enum {{
{text}
}} cryptile_status_t;

// Returns what a status means, in a few words of English that last as long as the program; of a
// number that is no status, that it is unknown. Stack: 16 bytes.
const char *cryptile_strerror(cryptile_status_t status);

#ifdef __cplusplus
}}
#endif

#endif  // {guard}
"""


def _status_texts(ends: Statuses) -> str:
    guard = "CRYPTILE_LIB_STATUS_TEXTS_H"
    rows = "\n".join(
        f'    [-CRYPTILE_{name}] = "{item.text}",' for name, item in ends.library.items()
    )
    return f"""{_LICENCE}
// What the statuses of the library mean, by their number without its sign.
#ifndef {guard}
#define {guard}

#include "cryptile/status.h"

static const char *const STATUS_TEXTS[] = {{
{rows}
}};

#endif  // {guard}
"""


def _version_header() -> str:
    guard = "CRYPTILE_VERSION_H"
    major, minor, patch = cryptile.__version__.split(".")
    return f"""{_LICENCE}
// Which version of Cryptile this is: of the headers, and of the library that is linked.
#ifndef {guard}
#define {guard}

#define CRYPTILE_VERSION_MAJOR {major}
#define CRYPTILE_VERSION_MINOR {minor}
#define CRYPTILE_VERSION_PATCH {patch}
#define CRYPTILE_VERSION       "{cryptile.__version__}"

// A number that a later version has larger, for #if.
#define CRYPTILE_VERSION_NUMBER \\
  (CRYPTILE_VERSION_MAJOR << 16 | CRYPTILE_VERSION_MINOR << 8 | CRYPTILE_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {{
#endif

// Returns the version of the library: CRYPTILE_VERSION of the headers that it was built with.
// Stack: none.
const char *cryptile_version(void);

#ifdef __cplusplus
}}
#endif

#endif  // {guard}
"""
