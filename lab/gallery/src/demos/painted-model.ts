/** A model with contact levels whose triangles are coloured by the level of the patch that stands for them. */
import type { ContactLevels } from '@impinge/dynamics';
import type { SceneMesh } from '@impinge/scenes/deform';
import type { Figure, Surface } from '../protocol.js';

/** By level, the finest first; the last one for all above it. */
const COLOURS = [0xd7301f, 0xf58634, 0xf2c230, 0x93c94a, 0x2fa88c, 0x2f7fb8, 0x5a57b5, 0x8e44ad];
/** Bytes of a triangle: four of each corner. */
const BYTES = 12;

export class PaintedModel {
  readonly #id: number;
  readonly #indices: ArrayLike<number>;
  readonly #levels: ContactLevels;
  readonly #plain: Uint8Array;
  readonly #colours: Uint8Array;
  #isShown = false;

  constructor(
    id: number,
    { indices }: Pick<SceneMesh, 'indices'>,
    levels: ContactLevels,
    colour: number,
    opacity: number,
  ) {
    this.#id = id;
    this.#indices = indices;
    this.#levels = levels;
    this.#plain = Uint8Array.from([...linear(colour), Math.round(255 * opacity)]);
    this.#colours = new Uint8Array((BYTES / 3) * indices.length);
  }

  /** Colours what is below nodes, the finer where one is below another; returns how many nodes there are by level. */
  paint(nodes: readonly number[]): number[] {
    const levels = this.#levels;
    for (let i = 0; i < this.#colours.length; i += 4) this.#colours.set(this.#plain, i);
    const [childStart, levelStart] = [levels.array('childStart'), levels.array('levelStart')];
    const [originals, originalStart] = [levels.array('originals'), levels.array('originalStart')];
    const counts: number[] = [];
    let level = 0;
    // a node of a finer level has a lower number
    for (const node of [...new Set(nodes)].sort((a, b) => b - a)) {
      level = levelStart.findIndex((start) => start > node) - 1;
      counts[level] = (counts[level] ?? 0) + 1;
      let [first, end] = [node, node + 1];
      for (let l = level; l > 0; l--) [first, end] = [childStart[first], childStart[end]];
      const colour = Uint8Array.from([...linear(colourOf(level)), 255]);
      for (let i = originalStart[first]; i < originalStart[end]; i++)
        for (let corner = 0; corner < 3; corner++)
          this.#colours.set(colour, BYTES * originals[i] + 4 * corner);
    }
    return counts;
  }

  /** With a corner of its own for each corner of a triangle, since these have colours. */
  surface(positions: ArrayLike<number> | undefined): Surface {
    const isNew = !this.#isShown;
    this.#isShown = true;
    const indices = this.#indices;
    return {
      id: this.#id,
      ...(positions && {
        positions: Float32Array.from(
          { length: 3 * indices.length },
          (_, i) => positions[3 * indices[Math.floor(i / 3)] + (i % 3)],
        ),
      }),
      ...(isNew && { indices: Uint32Array.from(indices, (_, i) => i), isGlass: this.#plain[3] < 255 }),
      colours: this.#colours.slice(),
    };
  }
}

/** The patches of each level, of several models. */
export function patchFigures(counts: readonly (readonly number[])[]): Figure[] {
  const levels = Math.max(0, ...counts.map(({ length }) => length));
  return Array.from({ length: levels }, (_, level) => {
    const count = counts.reduce((sum, of) => sum + (of[level] ?? 0), 0);
    return [`Patches of level ${level}`, count.toLocaleString('en'), colourOf(level)];
  });
}

function colourOf(level: number): number {
  return COLOURS[Math.min(level, COLOURS.length - 1)];
}

/** Red, green and blue as the screen adds light. */
function linear(colour: number): number[] {
  return [16, 8, 0].map((shift) => Math.round(255 * (((colour >> shift) & 255) / 255) ** 2.2));
}
