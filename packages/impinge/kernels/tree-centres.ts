/** Positions of the centres of two trees in each other's frames, for walks over boxes. */
import { Q_A_TO_B, Q_B_TO_A, Q_POSE } from './context';
import { TREE_CENTRE } from './layout';

/**
 * Writes the translations between the trees a and b of a query in both directions; returns the distance of their
 * centres.
 */
export function placeCentres(query: usize, a: usize, b: usize): f64 {
  const p = query + Q_POSE;
  const x = load<f64>(b, TREE_CENTRE), y = load<f64>(b, TREE_CENTRE + 8), z = load<f64>(b, TREE_CENTRE + 16);
  const tx = load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z + load<f64>(p, 72) - load<f64>(a, TREE_CENTRE);
  const ty = load<f64>(p, 24) * x + load<f64>(p, 32) * y + load<f64>(p, 40) * z + load<f64>(p, 80) - load<f64>(a, TREE_CENTRE + 8);
  const tz = load<f64>(p, 48) * x + load<f64>(p, 56) * y + load<f64>(p, 64) * z + load<f64>(p, 88) - load<f64>(a, TREE_CENTRE + 16);
  store<f32>(query, <f32>tx, Q_B_TO_A + 16);
  store<f32>(query, <f32>ty, Q_B_TO_A + 20);
  store<f32>(query, <f32>tz, Q_B_TO_A + 24);
  store<f32>(query, <f32>(-(load<f64>(p) * tx + load<f64>(p, 24) * ty + load<f64>(p, 48) * tz)), Q_A_TO_B + 16);
  store<f32>(query, <f32>(-(load<f64>(p, 8) * tx + load<f64>(p, 32) * ty + load<f64>(p, 56) * tz)), Q_A_TO_B + 20);
  store<f32>(query, <f32>(-(load<f64>(p, 16) * tx + load<f64>(p, 40) * ty + load<f64>(p, 64) * tz)), Q_A_TO_B + 24);
  return sqrt(tx * tx + ty * ty + tz * tz);
}

/** The sum of the absolute coordinates of a tree's centre. */
export function farOut(tree: usize): f64 {
  return abs(load<f64>(tree, TREE_CENTRE)) + abs(load<f64>(tree, TREE_CENTRE + 8)) + abs(load<f64>(tree, TREE_CENTRE + 16));
}
