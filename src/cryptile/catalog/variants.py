"""Writes what RTL knows of the variants of engines: their choice by a parameter."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import cryptile
from cryptile.catalog import features
from cryptile.catalog.blobs import camel
from cryptile.catalog.load import CATALOG, NO_VARIANT, designs, engines
from cryptile.catalog.schema import Config, Engine, Key, Mode, Rtl, Select

PACKAGE = Path("rtl/engine/port/gen/cry_engine_select_pkg.sv")
MODULE = Path("rtl/engine/port/gen/cry_engine_select.sv")
CORE = Path("rtl/engine/port/gen/select.core")

_SHORT_KEYS = 1
"""FEATURES.key_lens of an engine with keys of 128 bits alone."""


@dataclass(frozen=True)
class Built:
    """One thing that ``cry_engine_select`` can build.

    Attributes:
        name: its name in RTL.
        engine: of which engine.
        rtl: its RTL.
        select: what is said of the engine.
        variant: the word of its variant.
        config: what is built in.
        protected: it has all levels of protection.
    """

    name: str
    engine: Engine
    rtl: Rtl
    select: Select
    variant: str
    config: Config
    protected: bool

    @property
    def features(self) -> int:
        """The register FEATURES."""
        keys = self.select.keys if self.config.keys is None else self.config.keys
        return features.pack(
            engine=self.select.number,
            impl=self.select.first + [*self.engine.variants, self.variant].index(self.variant),
            key_lens=sum((size in keys) << bit for bit, size in enumerate(features.KEYS)),
            decrypt=self.config.decrypt,
            modes=self.mask(lambda item: True),
        )

    @property
    def ahead(self) -> int:
        """Beats that a shell should have at hand."""
        return self.select.ahead.get(self.variant, 1)

    def mask(self, choose: Callable[[Mode], bool]) -> int:
        """Return a bit for each mode that is built in and chosen."""
        names = self.engine.modes if self.config.modes is None else self.config.modes
        chosen = (self.engine.modes[name] for name in names)
        return sum(1 << item.number for item in chosen if choose(item))


def variant_name(engine: str, variant: str | None = None, config: str | None = None) -> str:
    """Return the name in RTL of a variant of an engine, with its package.

    Args:
        engine: one that ``cry_engine_select`` can build.
        variant: its variant (default: its own default).
        config: what is built in (default: everything).
    """
    item = engines()[engine]
    assert item.select
    return f"{PACKAGE.stem}::{_name(item, item.select, variant or _default(item), config)}"


def _name(engine: Engine, select: Select, variant: str, config: str | None) -> str:
    partly = config if config and engine.configs[config].parameters else ""
    return select.name + "".join(
        camel(word) for word in (variant, partly) if word and word != NO_VARIANT
    )


def built(folder: Path = CATALOG) -> list[Built]:
    """List all that can be built, in the order of their numbers in RTL."""
    known = designs(folder)
    return [
        Built(
            _name(engine, engine.select, variant, config),
            engine,
            engine.rtl,
            engine.select,
            variant,
            item,
            bool(known[name].protect) and variant in (known[name].protected or ()),
        )
        for name, engine in engines(folder).items()
        if engine.select and engine.rtl
        for config, item in engine.configs.items()
        for variant in engine.variants or (NO_VARIANT,)
    ]


def package(known: Iterable[Built]) -> str:
    """Return the package with the names of all variants and what shells must know of each."""
    rows = list(known)
    width = max(len(row.name) for row in rows)
    names = ",\n".join(f"    {row.name:{width}} = 8'd{index}" for index, row in enumerate(rows))

    def table(comment: str, head: str, value: Callable[[Built], str], otherwise: str = "'0") -> str:
        cases = "\n".join(f"      {row.name}: return {value(row)};" for row in rows)
        return f"""  // {comment}
  function automatic {head}(engine_e engine);
    unique case (engine)
{cases}
      default: return {otherwise};
    endcase
  endfunction
"""

    def modes(comment: str, name: str, choose: Callable[[Mode], bool]) -> str:
        return table(
            f"By mode: {comment}",
            f"logic [15:0] {name}",
            lambda row: f"16'h{row.mask(choose):04x}",
        )

    register = table(
        "Its value.",
        "features_t features",
        lambda row: f"32'h{row.features:08x}",
    )
    kind = features.struct().replace("\n", "\n  ")
    by_mode = "\n".join(
        (
            modes("the engine takes a key.", "key_modes", lambda item: item.key is not Key.none),
            modes("the engine takes an IV.", "iv_modes", lambda item: item.iv),
            modes(
                "the key comes in two transfers.",
                "two_key_modes",
                lambda item: item.key.transfers == 2,
            ),
            modes(
                "associated data may not be empty.", "needs_aad_modes", lambda item: item.needs_aad
            ),
            modes("the message comes out again.", "output_modes", lambda item: item.output),
            modes(
                "there is a tag under a key. An empty message has one, too; "
                "decryption takes it in.",
                "tag_modes",
                lambda item: item.tag is not None and item.key is not Key.none,
            ),
        )
    )
    ahead = table(
        "Beats that the engine takes one after the other.",
        "int unsigned beats_ahead",
        lambda row: str(row.ahead),
        otherwise="1",
    )
    wipe = table(
        "Cycles in which it wipes itself behind a job and behind reset, where they are many.",
        "int unsigned wipe_cycles",
        lambda row: str(row.select.wipe),
        otherwise="0",
    )
    return f"""
// The variants of engines that cry_engine_select builds, and what shells must know of each.
package cry_engine_select_pkg;

  typedef enum logic [7:0] {{
{names}
  }} engine_e;

  // The register FEATURES of shells.
  {kind}

{register}
  // The number of the variant in it.
  function automatic logic [3:0] variant(engine_e engine);
    return {features.cut("impl")};
  endfunction

{by_mode}
  // There are keys of more than 128 bits.
  function automatic bit long_key(engine_e engine);
    return {features.cut("key_lens")} > {_SHORT_KEYS};
  endfunction

{ahead}
{wipe}
  // By opcode: what a tile builds if nothing else is said.
  function automatic engine_e [15:0] tile_engines();
    engine_e [15:0] engines;
    engines = '{{default: {rows[0].name}}};
{_tile_engines(rows)}
    return engines;
  endfunction

endpackage
"""


def _tile_engines(rows: Iterable[Built]) -> str:
    found = {
        row.engine.opcode.number: _name(row.engine, row.select, word, None)
        for row in rows
        if row.engine.opcode
        for word in [row.engine.opcode.variant or _default(row.engine)]
    }
    return "\n".join(f"    engines[{number}] = {name};" for number, name in sorted(found.items()))


def default_variant(engine: str) -> str:
    """Return the variant of an engine that is taken if none is named."""
    return _default(engines()[engine])


def _default(engine: Engine) -> str:
    return engine.default or next(iter(engine.variants), NO_VARIANT)


def module(known: Iterable[Built]) -> str:
    """Return the module that is any of the engines."""
    rows = list(known)
    branches = " else ".join(
        f"if (Engine == {row.name}) begin : gen_engine\n{_instance(row)}    end" for row in rows
    )
    plain = "".join(f" ||\n      Engine == {row.name}" for row in rows if row.protected)
    plain = plain.removeprefix(" ||")
    return f"""
// Any engine, at any level of protection. See the engine for theory of operation and cycles.
//
// ProtectDetect and ProtectCorrect: what the engine has of them. ProtectTmr: three engines without
// protection in step (cry_engine_lockstep), which adds a cycle to `dst` and to `done`.
module cry_engine_select
  import cry_engine_pkg::*;
  import cry_engine_select_pkg::*;
  import cry_protect_pkg::*;
#(
  parameter engine_e  Engine  = {rows[0].name},         // which engine
  parameter protect_e Protect = ProtectNone   // against upsets of flip-flops
) (
  input  logic        clk_i,   // clock
  input  logic        rst_ni,  // reset, asynchronous, active low
  input  engine_req_t req_i,   // engine port
  output engine_rsp_t rsp_o    // engine port
);

  localparam bit          Tmr   = Protect == ProtectTmr;
  localparam int unsigned Lanes = Tmr ? 3 : 1;
  localparam protect_e    Level = Tmr ? ProtectNone : Protect;

  localparam bit Protected ={plain};
  if (Level != ProtectNone && !Protected) begin : gen_unprotected
    $error("this engine can be protected by three in step only");
  end

  engine_req_t [Lanes-1:0] req;
  engine_rsp_t [Lanes-1:0] rsp;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    {branches} else begin : gen_unknown
      $error("no engine has this number");
    end
  end

  if (Tmr) begin : gen_tmr
    cry_engine_lockstep u_lockstep (
      .clk_i,
      .rst_ni,
      .req_i,
      .rsp_o,
      .lane_req_o(req),
      .lane_rsp_i(rsp)
    );
  end else begin : gen_one
    assign req[0] = req_i;
    assign rsp_o  = rsp[0];
  end

endmodule
"""


def core(known: Iterable[Built]) -> str:
    """Return the FuseSoC core of the selection."""
    depends = dict.fromkeys(row.rtl.core for row in known)
    lines = "\n".join(f"      - {name}" for name in ("cryptile:engine:lockstep", *depends))
    return f"""name: cryptile:engine:select:{cryptile.__version__}
description: Any engine, chosen by a parameter
filesets:
  rtl:
    files: [cry_engine_select_pkg.sv, cry_engine_select.sv]
    file_type: systemVerilogSource
    depend:
{lines}
targets:
  default:
    filesets: [rtl]
    toplevel: cry_engine_select
  lint:
    default_tool: verilator
    filesets: [rtl]
    toplevel: cry_engine_select
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
"""


def _instance(row: Built) -> str:
    parameters = {
        **row.rtl.parameters,
        **row.engine.variants.get(row.variant, {}),
        **row.config.parameters,
    }
    values = [f".{name}({value})" for name, value in parameters.items()]
    values += [".Protect(Level)"] if row.protected else []
    lines = "".join(f"\n        {value}," for value in values).removesuffix(",")
    chosen = f" #({lines}\n      )" if values else ""
    return f"""      {row.rtl.top}{chosen} u_engine (
        .clk_i, .rst_ni, .req_i(req[l]), .rsp_o(rsp[l])
      );
"""
