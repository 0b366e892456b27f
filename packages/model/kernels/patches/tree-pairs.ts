/**
 * Many pairs of trees queried in one call, all in the same pose.
 *
 * Layout: a pair of trees is four addresses (tree of a, of b, mesh of a, of b), two float64 that each kernel defines,
 * and a triangle of each that is tried first (EMPTY: none).
 */
import { FAR, LEAST_NORMAL, TREE_RADIUS } from '../../../impinge/kernels/layout';
import { Q_A_TO_B, Q_B_TO_A, Q_MESH_A, Q_MESH_B, Q_POSE, Q_TREE_A, Q_TREE_B } from '../../../impinge/kernels/context';
import { farOut, placeCentres } from '../../../impinge/kernels/tree-centres';

// host: BatchField.* = Q_*
// host: TREES_BYTES
/** float64: the largest difference of an entry between the quaternions' rotation and the pose. */
const Q_DEVIATION: usize = 280;
/** Pairs of trees: their address, their number, and the current one. */
const Q_TREES: usize = 288;
export const Q_TREE_COUNT: usize = 292;
export const Q_CURSOR: usize = 296;

const TREES_BYTES: usize = 40;
// host: TRIED_A
export const TRIED_A: usize = 32;
export const TRIED_B: usize = 36;

export const TOO_WIDE: f64 = Infinity;

// @ts-ignore: decorator
@inline export function treesAt(query: usize, cursor: u32): usize { return <usize>load<u32>(query, Q_TREES) + TREES_BYTES * <usize>cursor; }

/**
 * Sets up a pair of trees as the current one, as QueryContext does. Returns the distance of the balls around them, or
 * TOO_WIDE.
 */
export function takeTrees(query: usize, trees: usize): f64 {
  const a: usize = load<u32>(trees), b: usize = load<u32>(trees, 4);
  store<u32>(query, <u32>a, Q_TREE_A);
  store<u32>(query, <u32>b, Q_TREE_B);
  store<u32>(query, load<u32>(trees, 8), Q_MESH_A);
  store<u32>(query, load<u32>(trees, 12), Q_MESH_B);
  const p = query + Q_POSE;
  const radii = <f64>load<f32>(a, TREE_RADIUS) + <f64>load<f32>(b, TREE_RADIUS);
  const centres = placeCentres(query, a, b);
  const reach = radii + centres;
  const far = abs(load<f64>(p, 72)) + abs(load<f64>(p, 80)) + abs(load<f64>(p, 88)) + farOut(b);
  const slack = <f32>((2e-6 + 3 * load<f64>(query, Q_DEVIATION)) * reach + 1e-15 * far) + LEAST_NORMAL;
  store<f32>(query, slack, Q_B_TO_A + 28);
  store<f32>(query, slack, Q_A_TO_B + 28);
  return reach < FAR ? centres - radii - <f64>slack : TOO_WIDE;
}
