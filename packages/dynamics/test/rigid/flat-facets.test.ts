/** Facets of surfaces that are nearly flat. */
import { expect, test } from 'vitest';
import { ContactShape } from '../../src/rigid/contact-shape.js';

/** A square of 10 m, bent by a height times x z. */
function saddle(squares: number, height: number): ContactShape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= squares; i++) {
    for (let j = 0; j <= squares; j++) {
      const [x, z] = [i / squares - 0.5, j / squares - 0.5];
      positions.push(10 * x, height * x * z, 10 * z);
      const a = i * (squares + 1) + j;
      const b = a + squares + 1;
      if (i < squares && j < squares) indices.push(a, a + 1, b, b, a + 1, b + 1);
    }
  }
  return new ContactShape(
    {
      name: 'saddle',
      positions: Float64Array.from(positions, Math.fround),
      indices: Uint32Array.from(indices),
    },
    [0, 0, 0],
  );
}

test.each([1e-5, 2e-5, 3e-5, 5e-5, 1e-4])(
  'what bends a little has few facets, each of them flat: %d m',
  (height) => {
    const squares = 40;
    const { facet, flatness, vertices, corners, planes } = saddle(squares, height);
    expect(new Set(facet).size).toBeLessThan(squares);
    let farthest = 0;
    for (let i = 0; i < corners.length; i++) {
      const t = Math.floor(i / 3);
      let off = -planes[4 * t + 3];
      for (let k = 0; k < 3; k++) off += planes[4 * t + k] * vertices[3 * corners[i] + k];
      farthest = Math.max(farthest, Math.abs(off));
    }
    expect(farthest).toBeLessThanOrEqual(flatness);
  },
);
