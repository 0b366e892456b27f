/** The style of every object: hidden, ghosted, selected, hit by a flight, or part of the selected clash. */
import { GHOSTED, HIDDEN, type Visibility } from '../model/visibility.js';
import type { ObjectStyle } from '../picture/types.js';
import type { Surroundings } from './address.js';

/** Colours of the two objects of a clash: distinguishable with colour blindness, and by lightness. */
export const COLOUR_A = 0xe8700c;
export const COLOUR_B = 0x1f78d8;
export const COLOUR_SELECTED = 0x12a594;
const COLOUR_HIT = 0xd95f8f;

const SHOWN_STYLE: ObjectStyle = {};
const STYLES: readonly ObjectStyle[] = [
  SHOWN_STYLE,
  { hidden: true },
  { ghost: true },
  { colour: COLOUR_SELECTED },
  { colour: COLOUR_A },
  { colour: COLOUR_B },
  { ghost: true, colour: COLOUR_A },
  { ghost: true, colour: COLOUR_B },
  { colour: COLOUR_HIT },
];
const SELECTED = 3;
const CLASHING = 4;
/** Offset from the styles of the two clashing objects to their ghosted variants. */
const AROUND = 2;
const HIT = 8;
const SHOWN = 0;
/** Styles are bytes. */
const MOST_STYLES = 256;

/** A body of a recording, as it is now. */
export interface ReplayedBody {
  /** The object that it is; undefined: none of the model. */
  readonly object: number | undefined;
  readonly colour: number;
  readonly isAsleep: boolean;
}

/**
 * Returns an index into `styles` for every object. `outer`: which of the two encloses the other and would hide it.
 * `hit`: what a recorded flight hits. Styles of bodies that are replayed follow: that of their object, if it was given
 * one, else their colour, pale while they sleep.
 */
export function objectStyles(
  visibility: Visibility,
  selection: ReadonlySet<number>,
  clash: readonly [a: number, b: number] | undefined,
  surroundings: Surroundings,
  outer?: number,
  hit: readonly number[] = [],
  bodies: readonly ReplayedBody[] = [],
): { readonly styles: readonly ObjectStyle[]; readonly ofObject: Uint8Array } {
  const ofObject = visibility.slice();
  if (clash && (surroundings === 'ghost' || surroundings === 'hide')) {
    const mode = surroundings === 'ghost' ? GHOSTED : HIDDEN;
    for (let i = 0; i < ofObject.length; i++) if (ofObject[i] !== HIDDEN) ofObject[i] = mode;
  }
  // objects hidden by hand stay hidden; ghosts become visible when selected
  for (const object of selection) if (ofObject[object] !== HIDDEN) ofObject[object] = SELECTED;
  for (const object of hit) if (ofObject[object] !== HIDDEN) ofObject[object] = HIT;
  clash?.forEach((object, i) => {
    if (object >= 0) ofObject[object] = CLASHING + i + (i === outer ? AROUND : 0);
  });
  return withBodies(ofObject, bodies);
}

/** A body is drawn instead of its object. */
function withBodies(ofObject: Uint8Array, bodies: readonly ReplayedBody[]) {
  if (bodies.length === 0) return { styles: STYLES, ofObject };
  const styles = [...STYLES];
  const known = new Map<number, number>();
  const styleOf = (colour: number): number => {
    const style =
      known.get(colour) ?? (styles.length < MOST_STYLES ? styles.push({ colour }) : styles.length) - 1;
    known.set(colour, style);
    return style;
  };
  const all = new Uint8Array(ofObject.length + bodies.length);
  all.set(ofObject);
  for (const [i, { object, colour, isAsleep }] of bodies.entries()) {
    const own = object === undefined ? SHOWN : ofObject[object];
    all[ofObject.length + i] = own === SHOWN ? styleOf(isAsleep ? pale(colour) : colour) : own;
    if (object !== undefined) all[object] = HIDDEN;
  }
  return { styles, ofObject: all };
}

/** Half way to white. */
function pale(colour: number): number {
  return ((colour >> 1) & 0x7f7f7f) + 0x808080;
}
