/** Which objects are hidden or ghosted by hand. Values are immutable, so that signals notice changes. */
export const SHOWN = 0;
export const HIDDEN = 1;
export const GHOSTED = 2;

export type Visibility = Uint8Array;

export function withMode(of: Visibility, objects: Iterable<number>, mode: number): Visibility {
  const next = of.slice();
  for (const object of objects) next[object] = mode;
  return next;
}

/** Hides all others. */
export function isolated(count: number, objects: Iterable<number>): Visibility {
  return withMode(new Uint8Array(count).fill(HIDDEN), objects, SHOWN);
}

/** Also hides what ends below a height; `boxes`: six numbers for each object. */
export function reaching(of: Visibility, boxes: ArrayLike<number>, least: number): Visibility {
  return of.map((mode, object) => (boxes[6 * object + 5] < least ? HIDDEN : mode));
}

/** Sets `mode`, or shows the objects if all have that mode already. */
export function toggled(of: Visibility, objects: readonly number[], mode: number): Visibility {
  return withMode(of, objects, objects.every((object) => of[object] === mode) ? SHOWN : mode);
}
