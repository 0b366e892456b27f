/**
 * Open surfaces over a square lattice: 2 · columns · rows triangles, vertices row by row.
 * @typedef {{ positions: Float32Array, indices: Uint32Array }} SceneMesh
 */

/**
 * A flat sheet in the plane z = 0, centred on the origin.
 * @param {number} columns quads along x
 * @param {number} rows quads along y
 * @param {number} width
 * @param {number} height
 * @returns {SceneMesh}
 */
export function grid(columns, rows = columns, width = 1, height = 1) {
  return sheet(columns, rows, (u, v, out) => {
    out[0] = (u - 0.5) * width;
    out[1] = (v - 0.5) * height;
    out[2] = 0;
  });
}

/**
 * A unit sheet with crossing waves, free of self-intersections.
 * @param {number} columns quads along x
 * @param {number} rows quads along y
 * @param {number} amplitude
 * @param {number} waves periods along each side
 * @returns {SceneMesh}
 */
export function wavySheet(columns, rows = columns, amplitude = 0.05, waves = 3) {
  return sheet(columns, rows, (u, v, out) => {
    out[0] = u - 0.5;
    out[1] = v - 0.5;
    out[2] = amplitude * Math.sin(2 * Math.PI * waves * u) * Math.cos(2 * Math.PI * waves * v);
  });
}

/**
 * A wavy sheet folded over and through itself: 2 n² triangles, the two leaves crossing along winding curves.
 * The fold is off the middle and the upper leaf is sheared, so that no two lattice points coincide.
 * @param {number} n quads per side
 * @returns {SceneMesh}
 */
export function foldedSheet(n = 100) {
  return sheet(n, n, (u, v, out) => {
    const s = 2 * (u - 0.4717);
    const bend = Math.sqrt(s * s + 0.002);
    const opening = s * (0.05 + 0.09 * Math.sin(11 * Math.PI * v + 4 * bend));
    out[0] = bend;
    out[1] = v + 0.031 * s;
    out[2] = opening + 0.02 * Math.sin(15 * bend) * Math.cos(11 * v);
  });
}

/** `surface(u, v, out)` with u and v in [0, 1]. */
function sheet(columns, rows, surface) {
  const stride = columns + 1;
  const positions = new Float32Array(3 * stride * (rows + 1));
  const indices = new Uint32Array(6 * columns * rows);
  const point = [0, 0, 0];
  let at = 0;
  for (let j = 0; j <= rows; j++) {
    for (let i = 0; i <= columns; i++) {
      surface(i / columns, j / rows, point);
      const a = j * stride + i;
      positions.set(point, 3 * a);
      if (i === columns || j === rows) continue;
      const b = a + 1;
      const c = a + stride;
      const d = c + 1;
      indices.set([a, b, d, a, d, c], at);
      at += 6;
    }
  }
  return { positions, indices };
}
