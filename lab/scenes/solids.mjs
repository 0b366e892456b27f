/**
 * Closed surfaces, outward-facing (counter-clockwise from outside), every vertex shared: no seams, no duplicates.
 * @typedef {{ positions: Float32Array, indices: Uint32Array }} SceneMesh
 */

/**
 * A subdivided icosahedron pushed onto the sphere about the origin: 20 f² triangles, 10 f² + 2 vertices.
 * Every face is cut into f² small ones by a straight lattice before the projection.
 * @param {number} frequency at least 1
 * @param {number} radius
 * @returns {SceneMesh}
 */
export function icosphere(frequency, radius = 1) {
  const f = frequency;
  const phi = (1 + Math.sqrt(5)) / 2;
  // biome-ignore format: one corner per line would hide the pattern
  const corners = [
    [-1, phi, 0], [1, phi, 0], [-1, -phi, 0], [1, -phi, 0],
    [0, -1, phi], [0, 1, phi], [0, -1, -phi], [0, 1, -phi],
    [phi, 0, -1], [phi, 0, 1], [-phi, 0, -1], [-phi, 0, 1],
  ];
  // biome-ignore format: five faces per line: around one pole, its belt, the other belt, the other pole
  const faces = [
    [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
    [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
    [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
    [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
  ];
  const positions = new Float32Array(3 * (10 * f * f + 2));
  const indices = new Uint32Array(60 * f * f);
  let vertexCount = 0;

  const addVertex = (a, b, c, wa, wb, wc) => {
    const x = (wa * a[0] + wb * b[0] + wc * c[0]) / f;
    const y = (wa * a[1] + wb * b[1] + wc * c[1]) / f;
    const z = (wa * a[2] + wb * b[2] + wc * c[2]) / f;
    const scale = radius / Math.sqrt(x * x + y * y + z * z);
    positions[3 * vertexCount] = x * scale;
    positions[3 * vertexCount + 1] = y * scale;
    positions[3 * vertexCount + 2] = z * scale;
    return vertexCount++;
  };

  for (const corner of corners) addVertex(corner, corner, corner, f, 0, 0);
  // the f − 1 inner vertices of an edge are numbered from its lower corner to its higher one
  const edgeStart = new Map();
  const edgeVertex = (from, to, step) => {
    if (step === 0) return from;
    if (step === f) return to;
    const low = Math.min(from, to);
    const high = Math.max(from, to);
    const key = 12 * low + high;
    if (!edgeStart.has(key)) {
      edgeStart.set(key, vertexCount);
      for (let k = 1; k < f; k++) addVertex(corners[low], corners[high], corners[low], f - k, k, 0);
    }
    return edgeStart.get(key) + (from === low ? step : f - step) - 1;
  };

  let at = 0;
  for (const [a, b, c] of faces) {
    // row r runs from edge a–b to edge a–c, r + 1 vertices
    let previous = [a];
    for (let r = 1; r <= f; r++) {
      const row = [edgeVertex(a, b, r)];
      for (let k = 1; k < r; k++) {
        row.push(
          r === f ? edgeVertex(b, c, k) : addVertex(corners[a], corners[b], corners[c], f - r, r - k, k),
        );
      }
      row.push(edgeVertex(a, c, r));
      for (let k = 0; k < r; k++) {
        indices[at++] = previous[k];
        indices[at++] = row[k];
        indices[at++] = row[k + 1];
        if (k === 0) continue;
        indices[at++] = previous[k - 1];
        indices[at++] = row[k];
        indices[at++] = previous[k];
      }
      previous = row;
    }
  }
  return { positions, indices };
}

/**
 * A torus about the z axis: 2 · around · across triangles.
 * @param {number} majorRadius from the centre to the middle of the tube
 * @param {number} minorRadius of the tube
 * @param {number} around segments along the ring
 * @param {number} across segments of the tube
 * @returns {SceneMesh}
 */
export function torus(majorRadius = 1, minorRadius = 0.4, around = 64, across = 32) {
  return closedTube(around, across, (u, v, out) => {
    const ring = majorRadius + minorRadius * Math.cos(v);
    out[0] = ring * Math.cos(u);
    out[1] = ring * Math.sin(u);
    out[2] = minorRadius * Math.sin(v);
  });
}

/**
 * A tube along the (p, q) torus knot: winds p times about the z axis and q times about the ring.
 * @param {number} p
 * @param {number} q coprime to p
 * @param {number} radius of the ring
 * @param {number} tubeRadius
 * @param {number} around segments along the knot
 * @param {number} across segments of the tube
 * @returns {SceneMesh}
 */
export function torusKnot(p = 2, q = 3, radius = 1, tubeRadius = 0.25, around = 256, across = 24) {
  const curve = (t) => {
    const ring = radius * (2 + Math.cos(q * t)) * 0.5;
    return [ring * Math.cos(p * t), ring * Math.sin(p * t), radius * 0.5 * Math.sin(q * t)];
  };
  return closedTube(around, across, (u, v, out) => {
    const here = curve(u);
    const ahead = curve(u + 1e-3);
    const tangent = normalize([0, 1, 2].map((k) => ahead[k] - here[k]));
    // the ring's centre line pulls the frame: no twist accumulates, so the tube closes on itself
    const sideways = normalize(
      cross(
        tangent,
        [0, 1, 2].map((k) => ahead[k] + here[k]),
      ),
    );
    const upwards = cross(sideways, tangent);
    for (let k = 0; k < 3; k++) {
      out[k] = here[k] + tubeRadius * (Math.cos(v) * upwards[k] - Math.sin(v) * sideways[k]);
    }
  });
}

/**
 * An axis-aligned box about the origin, 12 triangles, 8 vertices.
 * @param {number} width along x
 * @param {number} height along y
 * @param {number} depth along z
 * @returns {SceneMesh}
 */
export function box(width = 1, height = width, depth = width) {
  const positions = new Float32Array(24);
  for (let corner = 0; corner < 8; corner++) {
    positions[3 * corner] = (corner & 1 ? 0.5 : -0.5) * width;
    positions[3 * corner + 1] = (corner & 2 ? 0.5 : -0.5) * height;
    positions[3 * corner + 2] = (corner & 4 ? 0.5 : -0.5) * depth;
  }
  // biome-ignore format: one face per line
  const indices = Uint32Array.of(
    0, 2, 3, 0, 3, 1, // −z
    4, 5, 7, 4, 7, 6, // +z
    0, 1, 5, 0, 5, 4, // −y
    2, 6, 7, 2, 7, 3, // +y
    0, 4, 6, 0, 6, 2, // −x
    1, 3, 7, 1, 7, 5, // +x
  );
  return { positions, indices };
}

/** Two periodic directions; `surface(u, v, out)` with both angles in [0, 2π). */
function closedTube(around, across, surface) {
  const positions = new Float32Array(3 * around * across);
  const indices = new Uint32Array(6 * around * across);
  const point = [0, 0, 0];
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      surface((2 * Math.PI * i) / around, (2 * Math.PI * j) / across, point);
      positions.set(point, 3 * (i * across + j));
      const nextI = (i + 1) % around;
      const nextJ = (j + 1) % across;
      const a = i * across + j;
      const b = nextI * across + j;
      const c = nextI * across + nextJ;
      const d = i * across + nextJ;
      indices.set([a, b, c, a, c, d], 6 * a);
    }
  }
  return { positions, indices };
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function normalize(a) {
  const scale = 1 / Math.hypot(a[0], a[1], a[2]);
  return [a[0] * scale, a[1] * scale, a[2] * scale];
}
