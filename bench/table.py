"""The results as a table, with the targets that were reached and missed."""
import os
import platform
import time

HEADINGS = ["point", "n", "same bytes", "nvlink s", "culd s", "CPU ratio",
            "CPU ratio of the floor", "wall ratio", "own memory, MB", "of nvlink's", "CPU / floor",
            "wall / floor", "growth", "targets"]

# What a target says, and whether a value reaches it.
TARGETS = {
    "cpu": ("CPU ratio", lambda value, limit: value >= limit),
    "memory": ("memory", lambda value, limit: value <= limit),
    "wall_to_floor": ("wall / floor", lambda value, limit: value <= limit),
    "cpu_to_companion": ("CPU / {companion}",
                         lambda value, limit: value <= limit),
    "growth": ("growth", lambda value, limit: value < limit),
}


def verdicts(point, result):
    """{target: reached} for what was measured."""
    return {name: TARGETS[name][1](result[name], limit)
            for name, limit in point.targets.items() if name in result}


def number(value, form="{:.1f}"):
    return "" if value is None else form.format(value)


def of_program(result, program, field):
    return result.get(program, {}).get(field)


def target_text(point, result):
    """Each target with what was measured."""
    parts = []
    for name, reached in verdicts(point, result).items():
        label = TARGETS[name][0].format(companion=point.companion)
        limit = f"{'>=' if name == 'cpu' else '<='} {point.targets[name]:g}"
        value = "" if name != "cpu_to_companion" else f" ({result[name]:.2f})"
        parts.append(f"{label} {limit}{value} {'reached' if reached else 'MISSED'}")
    return ", ".join(parts)


def row(point, result, judged):
    memory = of_program(result, "culd", "own_kilobytes")
    same = {True: "yes", False: "NO", None: ""}[result["same"]]
    return [result["name"], str(result["n"]), same,
            number(of_program(result, "nvlink", "seconds"), "{:.3f}"),
            number(of_program(result, "culd", "seconds"), "{:.4f}"),
            number(result.get("cpu")), number(result.get("cpu_of_floor")),
            number(result.get("wall")),
            number(memory and memory / 1024), number(result.get("memory"), "{:.2f}"),
            number(result.get("cpu_to_floor"), "{:.2f}"),
            number(result.get("wall_to_floor"), "{:.2f}"),
            number(result.get("growth"), "{:.2f}"),
            target_text(point, result) if judged else ""]


def print_row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def print_head():
    print_row(HEADINGS)
    print_row(["---"] * len(HEADINGS))


def machine():
    name = platform.processor() or platform.machine()
    try:
        for line in open("/proc/cpuinfo"):
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return (f"{name}, {os.cpu_count()} cores, {platform.system()}, load "
            f"{os.getloadavg()[0]:.1f}, {time.strftime('%Y-%m-%d')}")
