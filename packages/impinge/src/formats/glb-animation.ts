/** The animation of a recording: one clock, and channels for nodes. */
import { GlbBuilder } from './glb-builder.js';

/** Frames with keys: `count` consecutive ones, and a last one. */
export interface Keys {
  readonly from: number;
  readonly count: number;
  readonly last: number;
}

/** A key in each of `frames` frames. */
export function allFrom(from: number, frames: number): Keys {
  return { from, count: frames - 1, last: from + frames - 1 };
}

export class GlbAnimation {
  readonly #glb: GlbBuilder;
  readonly #channels: object[] = [];
  readonly #samplers: object[] = [];
  readonly #times: Float32Array;
  readonly #inputs = new Map<string, number>();

  /** `times` of all frames, in seconds, rising. */
  constructor(glb: GlbBuilder, times: Float32Array) {
    this.#glb = glb;
    this.#times = times;
  }

  /** The accessor of all times. */
  get times(): number {
    return this.#input(allFrom(0, this.#times.length));
  }

  /** Frame f of the part is its own shape: weight f − 1 is 1 then, and fades linearly to its neighbours. */
  morph(node: number, keys: Keys): void {
    const targets = keys.count;
    const weights = new Float32Array((targets + 1) * targets);
    for (let f = 1; f <= targets; f++) weights[f * targets + f - 1] = 1;
    this.#channel(node, 'weights', keys, weights, 'SCALAR', 'LINEAR');
  }

  move(node: number, keys: Keys, path: Float32Array): void {
    this.#channel(node, 'translation', keys, path, 'VEC3', 'LINEAR');
  }

  /** Rotates from frame to frame by the shorter way: quaternions x, y, z, w. */
  turn(node: number, keys: Keys, turns: Float32Array): void {
    this.#channel(node, 'rotation', keys, turns, 'VEC4', 'LINEAR');
  }

  /** Visible from one frame until before another. */
  show(node: number, from: number, to: number): void {
    const scales = new Float32Array(3 * this.#times.length);
    scales.fill(1, 3 * from, 3 * to);
    this.#channel(node, 'scale', allFrom(0, this.#times.length), scales, 'VEC3', 'STEP');
  }

  finish(): object[] {
    return this.#channels.length === 0
      ? []
      : [{ name: 'motion', channels: this.#channels, samplers: this.#samplers }];
  }

  #input({ from, count, last }: Keys): number {
    const key = `${from} ${count} ${last}`;
    let input = this.#inputs.get(key);
    if (input === undefined) {
      const times = Float32Array.of(...this.#times.subarray(from, from + count), this.#times[last]);
      input = this.#glb.accessor(times, 'SCALAR', { bounds: true });
      this.#inputs.set(key, input);
    }
    return input;
  }

  #channel(
    node: number,
    path: string,
    keys: Keys,
    numbers: Float32Array,
    type: 'SCALAR' | 'VEC3' | 'VEC4',
    interpolation: string,
  ): void {
    const input = this.#input(keys);
    const output = this.#glb.accessor(numbers, type);
    const sampler = GlbBuilder.add(this.#samplers, { input, output, interpolation });
    this.#channels.push({ sampler, target: { node, path } });
  }
}
