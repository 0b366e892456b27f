/** The colours of clash kinds are readable on hovered and selected rows, too. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLASH_KIND_TABLE, CLASH_KINDS } from '@impinge/model';
import { expect, test } from 'vitest';

const tokens = readFileSync(join(import.meta.dirname, '../src/style/tokens.css'), 'utf8');

/** WCAG contrast ratio. */
function light(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test.each(['panel', 'page', 'hover', 'selected'])('every kind stands out from --%s', (name) => {
  const grounds = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens)!.slice(1);
  for (const kind of CLASH_KINDS) {
    const { colour } = CLASH_KIND_TABLE[kind];
    for (const [i, own] of [colour.light, colour.dark].entries()) {
      const [p, q] = [light(own), light(grounds[i])];
      const ratio = (Math.max(p, q) + 0.05) / (Math.min(p, q) + 0.05);
      expect(ratio, `${kind}, ${own} on ${grounds[i]}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});
