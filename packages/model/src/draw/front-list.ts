/** The fronts of all objects in one list, object by object; only changes are rewritten. */
import type { FrontSum } from './object-front.js';

export class FrontList {
  /** The list of an object begins at its entry and ends at the next. */
  #starts: Uint32Array;
  objects = new Uint32Array(0);
  pieces = new Uint32Array(0);
  visible = new Uint8Array(0);

  constructor(count: number) {
    this.#starts = new Uint32Array(count + 1);
  }

  /** Replaces the lists of objects, named in rising order. */
  update(changed: readonly number[], drawn: readonly FrontSum[]): void {
    if (changed.length === 0) return;
    const old = this.#starts;
    let count = old[old.length - 1];
    for (const object of changed) count += drawn[object].pieces.length - (old[object + 1] - old[object]);
    const starts = new Uint32Array(old.length);
    const [objects, pieces, visible] = [
      new Uint32Array(count),
      new Uint32Array(count),
      new Uint8Array(count),
    ];
    let done = 0; // objects
    let at = 0;
    const keepUntil = (object: number) => {
      const [from, to] = [old[done], old[object]];
      objects.set(this.objects.subarray(from, to), at);
      pieces.set(this.pieces.subarray(from, to), at);
      visible.set(this.visible.subarray(from, to), at);
      for (let i = done; i < object; i++) starts[i] = old[i] - from + at;
      at += to - from;
      done = object;
    };
    for (const object of changed) {
      keepUntil(object);
      starts[object] = at;
      const sum = drawn[object];
      for (let i = 0; i < sum.pieces.length; i++) {
        objects[at] = object;
        pieces[at] = sum.pieces[i];
        visible[at++] = sum.visible[i];
      }
      done = object + 1;
    }
    keepUntil(old.length - 1);
    starts[old.length - 1] = at;
    this.#starts = starts;
    [this.objects, this.pieces, this.visible] = [objects, pieces, visible];
  }
}
