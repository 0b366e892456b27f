/**
 * A body of point masses and springs, as the host lays it out, and the one being processed.
 *
 * Places, aims and forces are float64, x, y, z. What only steers the search for the balance is float32, in four lanes:
 * stiffness by spring, and the vectors of conjugate gradients, whose fourth lane is 0 wherever it counts. Springs are
 * sorted by their first vertex.
 */

// host: VECTOR_BYTES
/** Of the float32 vectors per vertex: three rows of its own stiffness, and those below. */
export const VECTOR_BYTES: usize = 128;

export let vertices: u32 = 0;
export let springs: u32 = 0;
/** Masses over h². */
export let masses: usize = 0;
/** The springs that begin at vertex i: starts[i] … starts[i + 1]. */
export let starts: usize = 0;
/** By spring: the second vertex; rest length and stiffness. */
export let others: usize = 0;
export let laws: usize = 0;
/** By spring: its direction times the root of the stiffness along it beyond that across it; that across it. */
export let along: usize = 0;
export let places: usize = 0;
export let aims: usize = 0;
/** Where the round began. */
export let origins: usize = 0;
/** Forces left over. */
export let forces: usize = 0;
/** How the volume grows with each coordinate, times the root of its stiffness; 0 if it may change. */
export let gradient: usize = 0;

export let own: usize = 0;
export let ways: usize = 0;
export let lefts: usize = 0;
export let searches: usize = 0;
export let products: usize = 0;
export let volumes: usize = 0;

export function openSprings(
  vertexCount: u32, springCount: u32, mass: usize, start: usize, other: usize, law: usize, direction: usize, place: usize,
  aim: usize, origin: usize, force: usize, volume: usize, vectors: usize,
): void {
  vertices = vertexCount;
  springs = springCount;
  masses = mass;
  starts = start;
  others = other;
  laws = law;
  along = direction;
  places = place;
  aims = aim;
  origins = origin;
  forces = force;
  gradient = volume;
  const size = <usize>vertexCount << 4;
  own = vectors;
  ways = own + 3 * size;
  lefts = ways + size;
  searches = lefts + size;
  products = searches + size;
  volumes = products + size;
}

// no work space needed
export function setScratch(_at: usize): void {}
export function scratchBytes(): usize { return 0; }
