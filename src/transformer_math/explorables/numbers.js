/** What the formulas of all groups are written with. */

export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

export const range = (n) => Array.from({ length: n }, (_, i) => i);
