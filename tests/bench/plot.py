# SPDX-License-Identifier: MIT
"""The plot of `make bench`: costs over the reference's, and their growth.

draw(path, rows, growth): rows is [(name, ours, theirs)], growth is
{operation: [(number of events, ours, theirs)]}.  Plain SVG, no library.
"""
import math
from xml.sax.saxutils import escape

BAR, LEFT, SCALE = 18, 210, 420
VALUES = LEFT + SCALE + 110     # right end of our cost; the reference's follows
PANEL_W, PANEL_H, ACROSS = 300, 200, 3
OURS, THEIRS = "#1f6f8b", "#c8553d"


def text(x, y, what, anchor="start", size=12):
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" '
            f'text-anchor="{anchor}">{escape(what)}</text>')


def line(x1, y1, x2, y2, color="#999", dash=""):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{color}" stroke-dasharray="{dash}"/>')


def bars(rows, top):
    """One bar a row: this kernel's cost over the reference's."""
    out, bottom = [], top + 24 + BAR * len(rows)
    out.append(text(10, top, "Instructions, this kernel / reference", size=15))
    for mark in (0, 0.25, 0.5, 0.75, 1):
        x = LEFT + SCALE * mark
        out.append(line(x, top + 16, x, bottom,
                        "#000" if mark == 0.5 else "#bbb"))
        out.append(text(x, bottom + 14, f"{mark:g}", "middle", 11))
    out.append(text(VALUES + 4, top + 8, "cost / reference's", "middle", 11))
    for i, (name, ours, theirs) in enumerate(rows):
        y = top + 20 + BAR * i
        width = min(ours / max(theirs, 1), 1.08) * SCALE
        out.append(text(LEFT - 6, y + 12, name, "end"))
        out.append(f'<rect x="{LEFT}" y="{y}" width="{max(width, 1):.1f}" '
                   f'height="{BAR - 4}" fill="{OURS}"/>')
        out.append(text(VALUES, y + 12, str(ours), "end", 11))
        out.append(text(VALUES + 8, y + 12, f"/ {theirs}", size=11))
    out.append(text(LEFT + SCALE / 2, bottom + 30,
                    "of the reference's; the bar that fails is at 0.5",
                    "middle", 11))
    return out, bottom + 66


def panel(name, points, x, y):
    """One operation: cost over the number of events, both axes logarithmic."""
    w, h = PANEL_W - 70, PANEL_H - 60
    low = math.floor(math.log10(max(1, min(min(p[1:]) for p in points))))
    high = math.ceil(math.log10(max(max(p[1:]) for p in points)))
    span = max(high - low, 1)

    def at(n, cost):
        return (x + 50 + math.log10(n) / 3 * w,
                y + 24 + h - (math.log10(max(cost, 1)) - low) / span * h)

    out = [text(x + 50, y + 14, name)]
    for power in range(low, low + span + 1):
        _, py = at(1, 10.0 ** power)
        out.append(line(x + 50, py, x + 50 + w, py, "#ddd"))
        out.append(text(x + 46, py + 4, f"1e{power}", "end", 10))
    for n, *_ in points:
        px, _ = at(n, 1)
        label = f"{n} events" if n == points[-1][0] else str(n)
        out.append(text(px, y + 40 + h, label, "middle", 10))
    for column, color, dash in ((1, OURS, ""), (2, THEIRS, "5 3")):
        path = " ".join("%.1f,%.1f" % at(p[0], p[column]) for p in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" '
                   f'stroke-width="2" stroke-dasharray="{dash}"/>')
    return out


def draw(path, rows, growth):
    out, top = bars(rows, 24)
    out.append(text(10, top, "Instructions over the number of events on a "
                    "task", size=15))
    out.append(line(420, top - 5, 450, top - 5, OURS))
    out.append(text(455, top, "this kernel"))
    out.append(line(560, top - 5, 590, top - 5, THEIRS, "5 3"))
    out.append(text(595, top, "reference"))
    top += 16
    for i, (name, points) in enumerate(growth.items()):
        out += panel(name, points, 10 + i % ACROSS * PANEL_W,
                     top + i // ACROSS * PANEL_H)
    height = top + -(-len(growth) // ACROSS) * PANEL_H + 10
    width = 20 + ACROSS * PANEL_W
    with open(path, "w") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
                f'height="{height}" font-family="sans-serif">\n'
                f'<rect width="100%" height="100%" fill="#fff"/>\n')
        f.write("\n".join(out) + "\n</svg>\n")
