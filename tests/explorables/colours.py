"""Colours as style sheets write them, and how far they stand apart (WCAG)."""

import re


def rgb(colour):
    if colour.startswith("#"):
        return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    numbers = [
        float(n) for n in re.findall(r"[\d.]+", colour.removeprefix("color(srgb"))[:3]
    ]
    return numbers if colour.startswith("color(") else [n / 255 for n in numbers]


def contrast(one, other):
    def luminance(channels):
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in channels
        ]
        return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
