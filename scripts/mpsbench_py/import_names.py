"""Groups layers as their names in the state dict ask for, and writes the entries of a definition."""

import itertools
import json
import re
from dataclasses import dataclass, field
from typing import Any, Union

from mpsbench_py.import_layers import Layer, NotOursError

_WIDTH = 160


@dataclass(eq=False)
class Group:
    path: list[str]
    parent: Union["Group", None] = None
    entries: list[Union["Group", Layer]] = field(default_factory=list)
    input: Layer | None = None
    input_name: str | None = None  # if it is not the output before it

    @property
    def name(self) -> str:
        return ".".join(self.path)

    def first(self) -> Layer:
        entry = self.entries[0]
        return entry.first() if isinstance(entry, Group) else entry


def _split(name: str) -> list[str]:
    return name.split(".") if name else []


class Namer:
    """The entries of LAYERS, which are in the order of execution, for a network with INPUTS."""

    def __init__(self, layers: list[Layer], inputs: list[Layer]):
        self.inputs = inputs
        self.root = Group([], input=inputs[0])
        self.slots: dict[str, Layer] = {one.name: one for one in inputs}  # what each name stands for
        self.names: dict[Layer, list[str]] = {one: [one.name] for one in inputs}
        self.own: dict[Layer, str] = {}
        self.wanted: set[Layer] = set()  # layers that others read by their own name
        self.read: dict[Layer, list[str] | None] = {}
        self.arrange(layers)
        self.name_all(self.root)
        self.connect(self.root)

    def arrange(self, layers: list[Layer]) -> None:
        """Puts the layers into groups. A layer without a name stays outside of a group that has ended."""
        last: dict[str, int] = {}
        for i, layer in enumerate(layers):
            path = _split(layer.name)[:-1]
            last |= {".".join(path[:n]): i for n in range(1, len(path) + 1)} if layer.name else {}
        group, opened = self.root, set()
        for i, layer in enumerate(layers):
            path = _split(layer.name)[:-1] if layer.name else _split(layer.module)
            while not layer.name and ".".join(path) not in last and path:
                path.pop()
            while group.path != path[: len(group.path)]:
                if last[group.name] > i:
                    if layer.name:
                        raise NotOursError(f"the module '{group.name}' in two parts, before and after '{layer.name}'")
                    path = group.path
                    break
                group = group.parent
            for part in path[len(group.path) :]:
                inner = Group([*group.path, part], group)
                if inner.name in opened and not layer.name:
                    break
                if inner.name in opened:
                    raise NotOursError(f"the module '{inner.name}' in two parts, the second from '{layer.name}'")
                opened.add(inner.name)
                group.entries.append(inner)
                group = inner
            group.entries.append(layer)

    def name_all(self, group: Group) -> None:
        given = [_given_name(one) for one in group.entries if _given_name(one)]
        if twice := next((one for one in given if given.count(one) > 1), None):
            raise NotOursError(f"'{twice}' as the name of a layer and of a group")
        taken = set(given)
        if bad := next((one for one in taken if not re.fullmatch(r"\w+", one, re.ASCII) or one == "in"), None):
            raise NotOursError(f"a module or tensor called '{bad}'")
        taken |= {one.name for one in self.inputs}
        for entry in group.entries:
            if isinstance(entry, Group):
                self.name_all(entry)
                continue
            module = _split(entry.module)
            own_module = module and module[:-1] == group.path and not module[-1].isdigit()
            usual = module[-1] if own_module else entry.type
            choices = itertools.chain([usual], (f"{usual}_{n}" for n in itertools.count(2)))
            own = _split(entry.name)[-1] if entry.name else next(one for one in choices if one not in taken)
            taken.add(own)
            self.own[entry] = own

    def connect(self, group: Group) -> Layer:
        """Finds the name by which each entry of GROUP reads each input, or None for the output before it. Returns the
        output of GROUP.
        """
        self.slots[f"{group.name}.in"] = previous = group.input
        for number, entry in enumerate(group.entries):
            if isinstance(entry, Group):
                wanted = entry.first().inputs
                entry.input = previous if not wanted or previous in wanted else wanted[0]
                if entry.input is not previous:
                    entry.input_name = self.reference(entry.input, group)
                previous = self.connect(entry)
                continue
            self.read[entry] = None
            if entry.type == "parameter" and previous.shape[0] != entry.shape[0] and entry.options.get("expand"):
                self.read[entry] = [self.reference(self.inputs[0], group)]
            elif entry.inputs and entry.inputs != [previous]:
                self.read[entry] = [self.reference(one, group) for one in entry.inputs]
            if entry.weight_from:
                entry.options["weight_from"] = self.reference(entry.weight_from, group)
            full = ".".join([*group.path, self.own[entry]])
            self.slots.setdefault(".".join([*group.path, str(number)]), entry)  # its name if it has no other
            self.slots[full] = entry
            self.names[entry] = [full]
            previous = entry
        if group.path:
            self.slots[group.name] = previous
            self.names[previous].append(group.name)
        return previous

    def find(self, path: list[str], name: str) -> Layer | None:
        for n in range(len(path), -1, -1):
            if found := self.slots.get(".".join([*path[:n], name])):
                return found
        return None

    def reference(self, value: Layer, group: Group) -> str:
        """The shortest name of VALUE for an entry of GROUP."""
        if group.path and group.input is value:
            return "in"
        choices: list[tuple[int, int, str]] = []
        outer = group.parent
        while outer and outer.path:
            if outer.input is value and not choices:
                choices = self.short(f"{outer.name}.in", value, group, 0)
            outer = outer.parent
        for rank, full in enumerate(reversed(self.names[value])) if not choices else ():
            choices += self.short(full, value, group, rank)
        if not choices:
            raise NotOursError(f"a name for the output of '{self.names[value][0]}' that others do not hide")
        chosen = min(choices)
        if value in self.own and chosen[1] == len(self.names[value]) - 1 and not chosen[2].endswith(".in"):
            self.wanted.add(value)
        return chosen[2]

    def short(self, full: str, value: Layer, group: Group, rank: int) -> list[tuple[int, int, str]]:
        parts, found = full.split("."), []
        for n in range(min(len(group.path), len(parts) - 1) + 1):
            name = ".".join(parts[n:])
            if parts[:n] == group.path[:n] and name != "in" and self.find(group.path, name) is value:
                found.append((len(parts) - n, rank, name))
        return found

    def entries(self, group: Group | None = None) -> list[dict]:
        group = group or self.root
        taken = {_given_name(one) for one in group.entries}
        found = []
        for number, entry in enumerate(group.entries):
            if isinstance(entry, Group):
                source = {"input": entry.input_name} if entry.input_name else {}
                found.append({"name": entry.path[-1]} | source | {"layers": self.entries(entry)})
                continue
            needs_name = bool(entry.name) or entry in self.wanted or str(number) in taken
            one: dict[str, Any] = {"type": entry.type}
            if needs_name and self.own[entry] != str(number):
                one["name"] = self.own[entry]
            if read := self.read[entry]:
                one |= {"input": read[0]} if len(read) == 1 else {"inputs": read}
            found.append(one | entry.options)
        return folded(found)


def _given_name(entry: Group | Layer) -> str:
    """The name of ENTRY in its group that the state dict gives, or an empty one."""
    return entry.path[-1] if isinstance(entry, Group) else entry.name.rpartition(".")[2]


def _renamed(value: Any, name: str, pattern: str) -> Any:
    """VALUE with PATTERN instead of NAME where inputs refer to it."""
    if isinstance(value, list):
        return [_renamed(one, name, pattern) for one in value]
    if isinstance(value, dict):
        keys = ("input", "inputs", "layers")
        return {key: _renamed(one, name, pattern) if key in keys else one for key, one in value.items()}
    if isinstance(value, str) and value.partition(".")[0] == name:
        return pattern + value[len(name) :]
    return value


def folded(entries: list[dict]) -> list[dict]:
    """ENTRIES with equal groups of consecutive numbers as one with repeat."""
    found: list[dict] = []
    for entry in entries:
        parts = re.fullmatch(r"(.*?)(\d+)", entry.get("name", ""))
        if not parts or "layers" not in entry or "input" in entry or str(int(parts[2])) != parts[2]:
            found.append(entry)
            continue
        pattern, number = parts[1] + "{i}", int(parts[2])
        body = _renamed(entry["layers"], entry["name"], pattern)
        before = found[-1] if found else {}
        if before.get("name") == pattern and before["layers"] == body and before["from"] + before["repeat"] == number:
            before["repeat"] += 1
        else:
            found.append({"name": pattern, "repeat": 1, "from": number, "layers": body})
    return [_finished(one) for one in found]


def _finished(entry: dict) -> dict:
    if "repeat" not in entry:
        return entry
    if entry["repeat"] == 1:
        name = entry["name"].replace("{i}", str(entry["from"]))
        return {"name": name, "layers": _renamed(entry["layers"], entry["name"], name)}
    return {key: value for key, value in entry.items() if (key, value) != ("from", 0)}


def text_of(value: Any, indent: int = 0, before: int = 0) -> str:
    """VALUE as JSON, where what fits into a line is in one. BEFORE is the length of what is in front of it."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent + before < _WIDTH and "\n" not in line or not value or not isinstance(value, (dict, list)):
        return line
    space = " " * (indent + 2)
    if isinstance(value, dict):
        keys = [f"{json.dumps(key)}: " for key in value]
        parts = [key + text_of(one, indent + 2, len(key)) for key, one in zip(keys, value.values(), strict=True)]
        return "{\n" + ",\n".join(space + one for one in parts) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(space + text_of(one, indent + 2) for one in value) + "\n" + " " * indent + "]"
