"""Draws timing diagrams in SVG from WaveJSON, the words of WaveDrom: those that we record.

Of WaveJSON this knows ``p`` (a clock), ``0``, ``1``, ``x`` (not valid), ``=`` (data, with labels),
``.`` (as before) and ``|`` (as before, for cycles that are left out); WaveDrom itself draws the
same files. The colours follow the reader's choice of light or dark.
"""

import json
from itertools import groupby
from pathlib import Path

from cryptile.project import ROOT

SOURCES = Path("docs/waves")
TARGETS = Path("docs/images")

_CYCLE, _LANE, _HIGH, _NAMES, _TOP = 36, 26, 16, 130, 34
"""Pixels: of a cycle, from lane to lane, of a signal's swing, for the names, above all lanes."""

_TEXT = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
  <title>{title}</title>
  <style>
    text {{ font: 12px system-ui, sans-serif; fill: #17202b; }}
    .t {{ font-size: 14px; font-weight: 600; }}
    .n {{ text-anchor: end; }} .d {{ text-anchor: middle; }}
    .g {{ stroke: #c9d0d8; stroke-dasharray: 2 3; }} .k {{ fill: #8a96a3; opacity: .45; }}
    .w {{ stroke: #2b5d94; stroke-width: 1.5; fill: none; }}
    .v {{ stroke: #2b5d94; stroke-width: 1.2; fill: #dbe9f9; }} .x {{ fill: #c9d0d8; }}
    @media (prefers-color-scheme: dark) {{
      text {{ fill: #eef2f7; }} .g {{ stroke: #434d5a; }} .w {{ stroke: #8ab8ea; }}
      .v {{ stroke: #8ab8ea; fill: #1f3a57; }} .x {{ fill: #434d5a; }}
    }}
  </style>
{drawn}
</svg>
"""


def files() -> dict[Path, str]:
    """Return the text of every drawing by its path below the checkout."""
    return {
        TARGETS / f"{source.stem}.svg": draw(source.read_text())
        for source in sorted((ROOT / SOURCES).glob("*.json"))
    }


def draw(text: str) -> str:
    """Return the drawing of a diagram."""
    diagram = json.loads(text)
    signals, title = diagram["signal"], diagram["head"]["text"]
    cycles = max(len(signal["wave"]) for signal in signals)
    width, height = _NAMES + cycles * _CYCLE + 10, _TOP + len(signals) * _LANE + 8
    drawn = [f'  <text class="t" x="{_NAMES}" y="20">{title}</text>']
    drawn += [
        f'  <path class="g" d="M{_NAMES + n * _CYCLE} {_TOP - 4}V{height - 6}"/>'
        for n in range(cycles + 1)
    ]
    for lane, signal in enumerate(signals):
        y = _TOP + lane * _LANE
        drawn.append(f'  <text class="n" x="{_NAMES - 10}" y="{y + 13}">{signal["name"]}</text>')
        drawn += _signal(signal["wave"], list(signal.get("data", [])), y)
    gaps = [place for place, state in enumerate(signals[0]["wave"]) if state == "|"]
    drawn += [
        f'  <path class="k" d="M{_NAMES + n * _CYCLE + 12} {_TOP - 4}h12V{height - 6}h-12Z"/>'
        for n in gaps
    ]
    return _TEXT.format(width=width, height=height, title=title, drawn="\n".join(drawn))


def _signal(wave: str, labels: list[str], top: int) -> list[str]:
    """Return a signal's shapes; ``top`` is where its high level is."""
    drawn, path, x = [], "", _NAMES
    for state, length in _runs(wave):
        end = x + length * _CYCLE
        if state == "=":
            drawn += _value(x, end, top, labels.pop(0))
        elif state == "x":
            drawn.append(f'  <path class="x" d="M{x} {top + 6}H{end}V{top + 10}H{x}Z"/>')
        elif state == "p":
            half = _CYCLE // 2
            for at in range(x, end, _CYCLE):
                path += f"{'L' if path else 'M'}{at} {top + _HIGH}V{top}H{at + half}"
                path += f"V{top + _HIGH}H{at + _CYCLE}"
        else:
            level = top if state == "1" else top + _HIGH
            path += f"{'L' if path else 'M'}{x} {level}H{end}"
        x = end
    return [*drawn, f'  <path class="w" d="{path}"/>'] if path else drawn


def _runs(wave: str) -> list[tuple[str, int]]:
    """Return the states of a wave, each with its cycles."""
    states: list[tuple[int, str]] = []
    for character in wave:
        number, last = states[-1] if states else (0, "")
        fresh = character not in (".", "|", last) or character == "="
        states.append((number + fresh, last if character in ".|" else character))
    return [(state, len(list(run))) for (_, state), run in groupby(states)]


def _value(x: int, end: int, top: int, label: str) -> list[str]:
    middle, bottom = top + _HIGH // 2, top + _HIGH
    return [
        f'  <path class="v" d="M{x} {middle}L{x + 4} {top}H{end - 4}L{end} {middle}'
        f'L{end - 4} {bottom}H{x + 4}Z"/>',
        f'  <text class="d" x="{(x + end) // 2}" y="{top + 12}">{label}</text>',
    ]
