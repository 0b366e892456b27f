/**
 * The impulses that rows of joints lack, all at once.
 *
 * Rows with bounds (limits, motors) are in the matrix where they are within, and else push as much as they may:
 * pivoting finds which.
 */
import type { ImpulseSystem } from './impulse-system.js';
import type { Joint } from './joint.js';
import {
  ANSWER_A,
  ANSWER_B,
  DRIVE,
  HOLD,
  LEVER_A,
  LEVER_B,
  ROW_SIZE,
  SPRING,
  STOP,
} from './joint-geometry.js';
import { JointMatrix } from './joint-matrix.js';
import type { Entry, JointRows } from './joint-rows.js';
import { INVERSE_MASS } from './layout.generated.js';

/** Changes of the set of rows that push within their bounds, in one solution. */
const PIVOTS = 12;

/** Two joints that share bodies, where they are in the matrix, and on which sides of either the shared bodies are. */
interface Link {
  readonly i: number;
  readonly k: number;
  readonly block: readonly [number, number, number];
  readonly sides: readonly (readonly [0 | 1, 0 | 1])[];
}

interface Structure {
  readonly key: string;
  readonly matrix: JointMatrix;
  readonly links: readonly Link[];
}

const NOTHING: Structure = { key: '', matrix: new JointMatrix([], []), links: [] };

export class JointPivots {
  readonly #system: ImpulseSystem;
  readonly #rows: JointRows;
  /** By the first joint of an island. */
  readonly #structures = new WeakMap<Joint, Structure>();
  #structure = NOTHING;
  #x = new Float64Array(0);

  constructor(system: ImpulseSystem, rows: JointRows) {
    this.#system = system;
    this.#rows = rows;
  }

  /** Takes over the joints of the rows, some at least; bodies of their island are numbered from `firstBody` on. */
  open(firstBody: number): void {
    const { entries, impulse } = this.#rows;
    if (this.#x.length !== impulse.length) this.#x = new Float64Array(impulse.length);
    this.#structure = this.#structureOf(entries[0].joint, firstBody);
  }

  /** Gives joints the impulses that they lack for the speeds that they want. */
  solve(): void {
    const rows = this.#rows;
    const x = this.#x;
    const { matrix } = this.#structure;
    for (let pivot = 0; ; pivot++) {
      this.#holdDrives();
      if (pivot === 0) this.#letIn();
      if (rows.isStale) this.#factor();
      for (const entry of rows.entries) {
        for (let row = entry.from; row < entry.from + entry.kinds.length; row++)
          x[row] = rows.in[row] === 0 ? 0 : rows.lackOf(entry, row);
      }
      matrix.solve(x);
      if (pivot >= PIVOTS || !this.#bar(x)) break;
    }
    for (const entry of rows.entries) {
      for (let row = entry.from; row < entry.from + entry.kinds.length; row++) {
        if (rows.in[row] === 0) continue;
        const next = rows.impulse[row] + x[row];
        rows.push(entry, row, Math.min(rows.most[row], Math.max(rows.least[row], next)) - rows.impulse[row]);
      }
    }
  }

  /** A motor against a limit pushes as much as it may, and one without bounds not at all. */
  #holdDrives(): void {
    const rows = this.#rows;
    for (const entry of rows.entries) {
      const { joint, from, kinds } = entry;
      const end = from + kinds.length;
      if (rows.kinds[end - 1] !== DRIVE || rows.kinds[end - 2] !== STOP) continue;
      const drive = end - 1;
      if (rows.in[end - 2] === 0) {
        if (
          rows.in[drive] === 0 &&
          rows.least[drive] < rows.impulse[drive] &&
          rows.impulse[drive] < rows.most[drive]
        )
          rows.setIn(drive, true);
        continue;
      }
      const { motor } = joint;
      const speed = motor && 'speed' in motor ? motor.speed : 0;
      const bound = speed > 0 ? rows.most[drive] : speed < 0 ? rows.least[drive] : 0;
      rows.push(entry, drive, (Number.isFinite(bound) ? bound : 0) - rows.impulse[drive]);
      rows.setIn(drive, false);
    }
  }

  /** Rows at a bound that lack an impulse away from it come into the matrix. */
  #letIn(): void {
    const rows = this.#rows;
    for (const entry of rows.entries) {
      if (entry.joint.state.broken) continue;
      const end = entry.from + entry.kinds.length;
      for (let row = entry.from; row < end; row++) {
        if (rows.in[row] !== 0 || rows.kinds[row] === HOLD || rows.least[row] >= rows.most[row]) continue;
        if (rows.kinds[row] === DRIVE && rows.kinds[row - 1] === STOP && rows.in[row - 1] !== 0) continue;
        if (rows.kinds[row] === SPRING && rows.soft[row] === 0) continue;
        if (rows.kinds[row] === STOP && rows.side[row] === 0) continue;
        const lack = rows.lackOf(entry, row);
        if (lack > 0 ? rows.impulse[row] < rows.most[row] : lack < 0 && rows.impulse[row] > rows.least[row])
          rows.setIn(row, true);
      }
    }
  }

  /** Rows that would push beyond their bounds push as much as they may, and leave the matrix; true where any does. */
  #bar(x: Float64Array): boolean {
    const rows = this.#rows;
    let any = false;
    for (const entry of rows.entries) {
      for (let row = entry.from; row < entry.from + entry.kinds.length; row++) {
        if (rows.in[row] === 0) continue;
        const next = rows.impulse[row] + x[row];
        if (next >= rows.least[row] && next <= rows.most[row]) continue;
        const bound = next < rows.least[row] ? rows.least[row] : rows.most[row];
        rows.push(entry, row, bound - rows.impulse[row]);
        rows.setIn(row, false);
        any = true;
      }
    }
    return any;
  }

  #factor(): void {
    const rows = this.#rows;
    const { matrix, links } = this.#structure;
    const a = matrix.values;
    matrix.clear();
    for (const { i, k, block, sides } of links) {
      const [first, second] = [rows.entries[i], rows.entries[k]];
      const [at, perRow, perColumn] = block;
      for (let p = 0; p < first.kinds.length; p++) {
        const columns = i === k ? p + 1 : second.kinds.length;
        for (let q = 0; q < columns; q++) {
          const [row, column] = [first.from + p, second.from + q];
          const isIn = rows.in[row] !== 0 && rows.in[column] !== 0;
          let value = 0;
          if (isIn) for (const [s, t] of sides) value += this.#effect(first, row, s, column, t);
          if (row === column) value = isIn ? value + rows.soft[row] : 1;
          a[at + p * perRow + q * perColumn] = value;
        }
      }
    }
    matrix.factor();
    rows.isStale = false;
  }

  /** The change of the speed of a row by an impulse of another, through the body on these sides of both. */
  #effect(entry: Entry, row: number, side: 0 | 1, column: number, other: 0 | 1): number {
    const { numbers: x } = this.#system;
    const r = this.#rows.frame;
    const body = this.#system.bodyAt(side === 0 ? entry.a : entry.b);
    const [p, q] = [ROW_SIZE * row, ROW_SIZE * column];
    const [lever, answer] = [p + (side === 0 ? LEVER_A : LEVER_B), q + (other === 0 ? ANSWER_A : ANSWER_B)];
    const shift = r[p] * r[q] + r[p + 1] * r[q + 1] + r[p + 2] * r[q + 2];
    const turn = r[lever] * r[answer] + r[lever + 1] * r[answer + 1] + r[lever + 2] * r[answer + 2];
    const sum = x[body + INVERSE_MASS] * shift + turn;
    return side === other ? sum : -sum;
  }

  /** What shares bodies with what: the same as before, where joints are. */
  #structureOf(first: Joint, firstBody: number): Structure {
    const { entries } = this.#rows;
    const { numbers: x } = this.#system;
    const isFree = (body: number) => x[this.#system.bodyAt(body) + INVERSE_MASS] > 0;
    const name = (body: number) => (isFree(body) ? body - firstBody : -1);
    const key = entries.map(({ kinds, a, b }) => `${kinds.length} ${name(a)} ${name(b)}`).join();
    const known = this.#structures.get(first);
    if (known?.key === key) return known;
    const at = new Map<number, [number, 0 | 1][]>();
    entries.forEach(({ a, b }, i) => {
      for (const [side, body] of [a, b].entries()) {
        if (!isFree(body)) continue;
        const list = at.get(body) ?? [];
        list.push([i, side as 0 | 1]);
        at.set(body, list);
      }
    });
    const shared = new Map<number, [0 | 1, 0 | 1][]>();
    for (const list of at.values()) {
      for (const [p, s] of list) {
        for (const [q, t] of list) {
          if (q > p) continue;
          const both = p * entries.length + q;
          const sides = shared.get(both) ?? [];
          sides.push([s, t]);
          shared.set(both, sides);
        }
      }
    }
    const pairs = [...shared.keys()].map((both): [number, number] => [
      Math.floor(both / entries.length),
      both % entries.length,
    ]);
    const matrix = new JointMatrix(
      entries.map(({ kinds }) => kinds.length),
      pairs,
    );
    const links = pairs.map(([i, k]) => ({
      i,
      k,
      block: matrix.block(i, k),
      sides: shared.get(i * entries.length + k)!,
    }));
    const structure = { key, matrix, links };
    this.#structures.set(first, structure);
    return structure;
  }
}
