/**
 * Two surfaces, one placed beside the other: whether they meet, or come within a distance, or one lies in the other
 * where that is a solid.
 *
 * Inside: of each component of one surface, the ends (componentEndsOf of impinge) are looked up in the cells of the
 * other (src/solid-cells.ts); surfaces that do not meet have each component wholly inside or wholly outside, so one
 * end that is known tells. Where all ends are in cells that the surface may pass, or one is in a cell that nobody has
 * looked at, the host decides. Points are rounded by less than the margin that cells have.
 */
// host: SURFACE.* = SURFACE_*
// host: SURFACE_BYTES
// host: CELLS.* = CELLS_*
// host: CELLS_BYTES
// host: CellState.* = CELL_UNKNOWN CELL_OUTSIDE CELL_INSIDE CELL_MIXED
// host: Verdict.* = MEETS FREE DOUBT TREELET
import {
  DONE, NEED_TREELET, Q_BOUND, Q_DOUBT_COUNT, Q_MESH_A, Q_MESH_B, Q_PAIRS_FOUND, Q_POSE, Q_STACK_TOP, Q_STARTED, Q_TREE_A, Q_TREE_B,
} from '../../../impinge/kernels/context';
import { collide, within } from '../../../impinge/kernels/pairs';
import { placeTrees } from './place';

export const MEETS: u8 = 0;
export const FREE: u8 = 1;
/** The host decides: rounding leaves it open, or what it takes is not known here. */
export const DOUBT: u8 = 2;
/** A part of a tree has to be built first; the query says which. */
export const TREELET: u8 = 3;

/** A mesh: its tree and itself; its cells (0: it bounds no solid) and the ends of its components, in stored numbers. */
export const SURFACE_TREE: usize = 0;
export const SURFACE_MESH: usize = 4;
export const SURFACE_CELLS: usize = 8;
export const SURFACE_ENDS: usize = 12;
export const SURFACE_COMPONENTS: usize = 16;
export const SURFACE_ORIGIN: usize = 24;
export const SURFACE_BYTES: usize = 48;

/** Of cells: the lowest corner, the side of one, how many there are along each axis; then the state of each, a byte. */
export const CELLS_LOW: usize = 0;
export const CELLS_SIDE: usize = 24;
export const CELLS_COUNTS: usize = 32;
export const CELLS_BYTES: usize = 48;

export const CELL_UNKNOWN: u32 = 0;
export const CELL_OUTSIDE: u32 = 1;
export const CELL_INSIDE: u32 = 2;
export const CELL_MIXED: u32 = 3;

/** Six points of three float64. */
const ENDS_BYTES: usize = 144;

/**
 * Compares b, placed by Q_POSE in a's stored numbers, with a; `clearance` is the distance of a contact. `inside`: one
 * may lie in the other.
 */
export function compareSurfaces(query: usize, a: usize, b: usize, clearance: f64, inside: bool): u8 {
  store<u32>(query, load<u32>(a), Q_TREE_A);
  store<u32>(query, load<u32>(b), Q_TREE_B);
  store<u32>(query, load<u32>(a, SURFACE_MESH), Q_MESH_A);
  store<u32>(query, load<u32>(b, SURFACE_MESH), Q_MESH_B);
  store<f64>(query, clearance, Q_BOUND);
  if (!placeTrees(query)) return DOUBT;
  store<u32>(query, 0, Q_STARTED);
  store<u32>(query, 0, Q_STACK_TOP);
  store<u32>(query, 0, Q_PAIRS_FOUND);
  store<u32>(query, 0, Q_DOUBT_COUNT);
  const status = clearance > 0 ? within(query) : collide(query);
  if (load<u32>(query, Q_PAIRS_FOUND) > 0) return MEETS;
  if (status == NEED_TREELET) return TREELET;
  if (status != DONE || load<u32>(query, Q_DOUBT_COUNT) > 0) return DOUBT;
  if (!inside) return FREE;
  const inA = holdsAny(query, a, b, false);
  return inA == FREE ? holdsAny(query, b, a, true) : inA;
}

/** Whether some component of `other` is in a solid. The solid is b of the query if `back`. */
function holdsAny(query: usize, solid: usize, other: usize, back: bool): u8 {
  const cells = <usize>load<u32>(solid, SURFACE_CELLS);
  if (cells == 0) return FREE;
  const p = query + Q_POSE;
  let end = <usize>load<u32>(other, SURFACE_ENDS);
  for (let left = load<u32>(other, SURFACE_COMPONENTS); left > 0; left--, end += ENDS_BYTES) {
    let state = CELL_MIXED;
    for (let k: usize = 0; k < ENDS_BYTES && state == CELL_MIXED; k += 24) {
      state = back ? stateBack(cells, p, end + k) : stateThere(cells, p, end + k);
    }
    if (state == CELL_INSIDE) return MEETS;
    if (state != CELL_OUTSIDE) return DOUBT;
  }
  return FREE;
}

function stateThere(cells: usize, p: usize, point: usize): u32 {
  const x = load<f64>(point), y = load<f64>(point, 8), z = load<f64>(point, 16);
  return stateAt(
    cells,
    load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z + load<f64>(p, 72),
    load<f64>(p, 24) * x + load<f64>(p, 32) * y + load<f64>(p, 40) * z + load<f64>(p, 80),
    load<f64>(p, 48) * x + load<f64>(p, 56) * y + load<f64>(p, 64) * z + load<f64>(p, 88),
  );
}

function stateBack(cells: usize, p: usize, point: usize): u32 {
  const x = load<f64>(point) - load<f64>(p, 72), y = load<f64>(point, 8) - load<f64>(p, 80), z = load<f64>(point, 16) - load<f64>(p, 88);
  return stateAt(
    cells,
    load<f64>(p) * x + load<f64>(p, 24) * y + load<f64>(p, 48) * z,
    load<f64>(p, 8) * x + load<f64>(p, 32) * y + load<f64>(p, 56) * z,
    load<f64>(p, 16) * x + load<f64>(p, 40) * y + load<f64>(p, 64) * z,
  );
}

/** Half a cell beyond all cells there is nothing; at their side, rounding tells nothing. */
function stateAt(cells: usize, x: f64, y: f64, z: f64): u32 {
  const scale = 1 / load<f64>(cells, CELLS_SIDE);
  const i = (x - load<f64>(cells)) * scale, j = (y - load<f64>(cells, 8)) * scale, k = (z - load<f64>(cells, 16)) * scale;
  const nx = load<u32>(cells, CELLS_COUNTS), ny = load<u32>(cells, CELLS_COUNTS + 4), nz = load<u32>(cells, CELLS_COUNTS + 8);
  const isIn = i >= 0 && j >= 0 && k >= 0 && i < <f64>nx && j < <f64>ny && k < <f64>nz;
  if (isIn) return load<u8>(cells + <usize>((<u32>k * ny + <u32>j) * nx + <u32>i), CELLS_BYTES);
  const isOut = i < -0.5 || j < -0.5 || k < -0.5 || i > <f64>nx + 0.5 || j > <f64>ny + 0.5 || k > <f64>nz + 0.5;
  return isOut ? CELL_OUTSIDE : CELL_MIXED;
}
