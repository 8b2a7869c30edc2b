"""What can be chosen when the model of a system is built."""

from collections.abc import Mapping

from cryptile import catalog
from cryptile.catalog import Option
from cryptile.errors import UsageError

Value = str | int


def values(option: Option, chosen: Mapping[str, Value]) -> tuple[Value, ...]:
    """List the values of an option, when those before it are chosen; none for any number."""
    engine = option.engine or (option.engine_of and str(chosen[option.engine_of]))
    if engine:
        return tuple(catalog.engines()[engine].variants) or (catalog.NO_VARIANT,)
    if option.levels_of:
        return tuple(str(level) for level in catalog.Level)
    if option.configs_of:
        return tuple(catalog.engines()[option.configs_of].configs)
    return option.processors or option.words or option.numbers


def choose(options: Mapping[str, Option], given: Mapping[str, Value]) -> dict[str, Value]:
    """Return a value for every option.

    Raises:
        UsageError: an option that there is not, or a value that it cannot have.
    """
    if others := given.keys() - options.keys():
        raise UsageError(f"no option named {min(others)}; known: {', '.join(options)}")
    chosen: dict[str, Value] = {}
    for name, option in options.items():
        known = values(option, chosen)
        default = _default(option, known, chosen)
        value = given.get(name, default)
        if known and value not in known:
            raise UsageError(f"no {name} named {value}; known: {', '.join(map(str, known))}")
        if not known and not (isinstance(value, int) and value >= option.least):
            raise UsageError(f"{name}: {value} is no number from {option.least} on")
        for other, wanted in option.only.items():
            if value != default and chosen[other] != wanted:
                raise UsageError(f"{name} {value} is for {other} {wanted} only")
        if option.levels_of:
            _check_level(name, value, str(chosen[option.levels_of]), str(chosen["variant"]))
        chosen[name] = value
    return chosen


def _default(option: Option, known: tuple[Value, ...], chosen: Mapping[str, Value]) -> Value:
    """Return the value of an option that is not given."""
    engine = option.engine or (option.engine_of and str(chosen[option.engine_of]))
    if engine:
        return catalog.engines()[engine].default or known[0]
    return known[0] if option.default is None else option.default


def _check_level(name: str, value: Value, engine: str, variant: str) -> None:
    """Refuse a level of protection that a variant of an engine has not."""
    if value not in (known := catalog.designs()[engine].levels(variant)):
        raise UsageError(f"{engine} {variant} has no {name} {value}; known: {', '.join(known)}")


def flags(options: Mapping[str, Option], chosen: Mapping[str, Value]) -> list[str]:
    """Return the parameters of the top module, as Verilator takes them."""
    found = []
    for name, option in options.items():
        value = chosen[name]
        if option.parameter is None:
            continue
        if option.numbers or not values(option, chosen):
            found.append(f"-G{option.parameter}={value}")
        else:
            found.append(f"-G{option.parameter}={values(option, chosen).index(value)}")
    return found


def engine(options: Mapping[str, Option], chosen: Mapping[str, Value]) -> str:
    """Return the build of an engine that is chosen, as a name in RTL."""
    name = str(chosen.get("engine") or options["variant"].engine)
    config = str(chosen["config"]) if "config" in chosen else None
    return catalog.variant_name(name, str(chosen["variant"]), config)
