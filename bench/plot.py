"""Growth curves as one SVG file: a panel for each link, both axes logarithmic."""
import html
import math

WIDTH, HEIGHT, COLUMNS = 340, 260, 2
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 34, 40
COLOURS = {"nvlink": "#c0392b", "culd": "#1f618d", "floor": "#7f8c8d"}


class Axis:
    """From values to places, by the logarithm."""

    def __init__(self, values, start, end):
        self.low, self.high = math.log10(min(values)), math.log10(max(values))
        self.start, self.end = start, end

    def __call__(self, value):
        span = max(self.high - self.low, 1e-9)
        share = (math.log10(value) - self.low) / span
        return self.start + share * (self.end - self.start)


def text(x, y, words, anchor="middle", size=11, colour="#333"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
            f'font-size="{size}" fill="{colour}">{html.escape(words)}</text>')


def line(x1, y1, x2, y2, colour="#ddd"):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{colour}"/>')


def series(points, across, up, colour):
    places = [(across(n), up(seconds)) for n, seconds in points]
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts = [f'<polyline points="{joined}" fill="none" stroke="{colour}" '
             f'stroke-width="2"/>']
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
              for x, y in places]
    return parts


def seconds_text(seconds):
    return f"{seconds:g} s" if seconds >= 1 else f"{seconds * 1000:g} ms"


def grid(sizes, across, up):
    parts = []
    for power in range(math.floor(up.low), math.ceil(up.high) + 1):
        if up.low - 1e-9 <= power <= up.high + 1e-9:
            y = up(10.0 ** power)
            parts.append(line(LEFT, y, WIDTH - RIGHT, y))
            parts.append(text(LEFT - 6, y + 4, seconds_text(10.0 ** power), "end"))
    for n in sizes:
        parts.append(line(across(n), TOP, across(n), HEIGHT - BOTTOM))
        parts.append(text(across(n), HEIGHT - BOTTOM + 15, str(n)))
    return parts


def panel(point, curves):
    known = {name: points for name, points in curves.items() if points}
    sizes = sorted({n for points in known.values() for n, _ in points})
    seconds = [s for points in known.values() for _, s in points]
    # Whole powers of ten, so that there is always a line to read from.
    low = 10.0 ** math.floor(math.log10(min(seconds)))
    high = 10.0 ** math.ceil(math.log10(max(seconds)))
    across = Axis(sizes, LEFT, WIDTH - RIGHT)
    up = Axis([low, high], HEIGHT - BOTTOM, TOP)
    parts = [text(WIDTH / 2, 18, point.name, size=13)]
    parts += grid(sizes, across, up)
    for name, points in known.items():
        parts += series(points, across, up, COLOURS[name])
        n, last = points[-1]
        parts.append(text(across(n) - 6, up(last) - 7, name, "end",
                          colour=COLOURS[name]))
    parts.append(text(WIDTH / 2, HEIGHT - 8, "objects; CPU time"))
    return parts


def panels(measured):
    """(point, {program: [(n, seconds)]}) of each panel."""
    rows = math.ceil(len(measured) / COLUMNS)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" '
             f'width="{WIDTH * COLUMNS}" height="{HEIGHT * rows}" '
             f'font-family="sans-serif">',
             '<rect width="100%" height="100%" fill="white"/>']
    for i, (point, curves) in enumerate(measured):
        x, y = WIDTH * (i % COLUMNS), HEIGHT * (i // COLUMNS)
        parts.append(f'<g transform="translate({x},{y})">')
        parts += panel(point, curves)
        parts.append("</g>")
    return "\n".join(parts + ["</svg>"]) + "\n"
