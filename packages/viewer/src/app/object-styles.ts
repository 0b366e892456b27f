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

/**
 * Returns an index into `styles` for every object. `outer`: which of the two encloses the other and would hide it.
 * `hit`: what a recorded flight hits.
 */
export function objectStyles(
  visibility: Visibility,
  selection: ReadonlySet<number>,
  clash: readonly [a: number, b: number] | undefined,
  surroundings: Surroundings,
  outer?: number,
  hit: readonly number[] = [],
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
  return { styles: STYLES, ofObject };
}
