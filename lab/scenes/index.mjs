/**
 * Seeded scene generators shared by tests, benchmarks and demos. They know nothing of the library: a scene is
 * `{ positions: Float32Array, indices: Uint32Array }`, the same bytes on every machine up to the last bit of
 * the platform's sine.
 */
export { randomDirection, randomRotation, seededRandom } from './random.mjs';
export { foldedSheet, grid, wavySheet } from './sheets.mjs';
export { box, icosphere, torus, torusKnot } from './solids.mjs';
export { soup } from './soup.mjs';
