/**
 * Rebounds after a step: at the place of contact, the energy of the approach is ½ v² plus what gravity adds over the
 * remaining distance, so the speed there is known, however long the step.
 */
import { leaving, push } from './lanes';
import { APPROACH, CONTACT, contacts, endPair, EXTRA, firstPair, MASS, MOST, ROW_NORMAL, PAIR, pairs, RESTITUTION, ROW, rows, TOTAL, WANTED } from './layout';

/** Maximum number of rounds, and the permitted relative shortfall. */
const ROUNDS: i32 = 60;
const MISSING: f64 = 1e-4;

/**
 * Applies the share of the approach that comes back, above a speed. Spins must be up to date with angular momenta.
 */
export function rebound(restingSpeed: f64): void {
  if (!wantAny(restingSpeed)) return;
  for (let round = 0; round < ROUNDS; round++) if (!pushOnce()) break;
}

function wantAny(restingSpeed: f64): bool {
  let any = false;
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const restitution = load<f64>(pair, RESTITUTION);
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) {
      const contact = contacts + CONTACT * <usize>c;
      const approach = load<f64>(contact, APPROACH);
      const bounces = load<f64>(rows + ROW * <usize>c, MOST) > 0 && approach > restingSpeed && restitution > 0;
      store<f64>(contact, bounces ? restitution * approach : 0, WANTED);
      store<f64>(contact, 0, EXTRA);
      any = any || bounces;
    }
  }
  return any;
}

/** One round through all contacts that pushed; returns whether any still falls short. */
function pushOnce(): bool {
  let any = false;
  for (let k = firstPair; k < endPair; k++) {
    const pair = pairs + PAIR * <usize>k;
    const from = load<u32>(pair, 8), to = from + load<u32>(pair, 12);
    for (let c = from; c < to; c++) {
      const row = rows + ROW * <usize>c, contact = contacts + CONTACT * <usize>c;
      if (load<f64>(row, MOST) === 0) continue;
      const wanted = load<f64>(contact, WANTED), extra = load<f64>(contact, EXTRA);
      const missing = wanted - leaving(pair, row);
      const after = max(0, extra + load<f64>(row, MASS) * missing);
      if (after === extra) continue;
      if (wanted > 0 && abs(missing) > MISSING * wanted) any = true;
      const d = after - extra;
      push(pair, row, d * load<f64>(row, ROW_NORMAL), d * load<f64>(row, ROW_NORMAL + 8), d * load<f64>(row, ROW_NORMAL + 16));
      store<f64>(contact, after, EXTRA);
      store<f64>(contact, load<f64>(contact, TOTAL) + d, TOTAL);
    }
  }
  return any;
}
