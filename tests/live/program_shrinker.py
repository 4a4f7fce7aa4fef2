"""Makes a program smaller while it still shows the same kind of difference.

It knows nothing of linking: it deletes elements of lists and lowers numbers anywhere in the dataclasses, and asks
each time whether the difference is still there.
"""
import copy
from dataclasses import fields, is_dataclass


def places(thing, path=()):
    """Yields (path, field or None, value) of everything that can become smaller, outermost first."""
    if is_dataclass(thing):
        for entry in fields(thing):
            if entry.metadata.get("fixed"):
                continue
            yield from places_of_value(getattr(thing, entry.name), path + (entry.name,), entry)


def places_of_value(value, path, entry):
    if isinstance(value, (list, bool, int)) or entry is not None and value is not None and not is_dataclass(value):
        yield path, entry, value
    if isinstance(value, list):
        for i, element in enumerate(value):
            yield from places(element, path + (i,))
    elif is_dataclass(value):
        yield from places(value, path)


def get(thing, path):
    for step in path:
        thing = thing[step] if isinstance(step, int) else getattr(thing, step)
    return thing


def changed(program, path, value):
    program = copy.deepcopy(program)
    owner = get(program, path[:-1])
    if isinstance(path[-1], int):
        owner[path[-1]] = value
    else:
        setattr(owner, path[-1], value)
    return program


def smaller_values(value, entry):
    """Candidates for one place, the boldest first."""
    if isinstance(value, bool):
        return [False] if value else []
    if isinstance(value, int):
        least = entry.metadata.get("least", 0)
        return [v for v in dict.fromkeys((least, (value + least) // 2, value - 1)) if least <= v < value]
    if value is not None and not isinstance(value, (list, str)):
        return [None]
    return []


class Shrinker:
    def __init__(self, still_differs, most_tries=1200):
        self.still_differs = still_differs
        self.tries_left = most_tries

    def accepts(self, candidate):
        if self.tries_left <= 0:
            return False
        self.tries_left -= 1
        return self.still_differs(candidate)

    def shrink_list(self, program, path):
        """Deletes runs of elements, long runs first."""
        length = max(1, len(get(program, path)))
        while length >= 1:
            start = 0
            while start < len(get(program, path)):
                elements = get(program, path)
                candidate = changed(program, path, elements[:start] + elements[start + length:])
                if self.accepts(candidate):
                    program = candidate
                else:
                    start += length
            length //= 2
        return program

    def shrink_once(self, program):
        """One sweep over all places; lists of outer levels first, since they remove most."""
        done = set()
        while True:
            todo = [(p, e, v) for p, e, v in places(program) if p not in done]
            if not todo:
                return program
            path, entry, value = min(todo, key=lambda item: (not isinstance(item[2], list), len(item[0])))
            done.add(path)
            if isinstance(value, list):
                program = self.shrink_list(program, path)
                continue
            for smaller in smaller_values(value, entry):
                candidate = changed(program, path, smaller)
                if self.accepts(candidate):
                    program = candidate
                    break

    def shrink(self, program):
        while self.tries_left > 0:
            before = repr(program)
            program = self.shrink_once(program)
            if repr(program) == before:
                break
        return program
