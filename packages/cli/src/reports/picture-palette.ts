/** The colours of pictures, as indices of one palette: what is drawn by hand, shades of surfaces, and cut faces. */
import { SHADES } from './depth-layer.js';

const HUB = 0xd92d20;
const OTHER = 0x2e6fdb;
const BOTH = 0x8a2be2;
const PALE = 0xccd5de;
/** Opacity of surfaces behind others. */
const THROUGH = 0.3;

const DRAWING = {
  ground: 0xf4f6f8,
  grid: 0xdde3e9,
  // faces of boxes: top, left, right, and their edges
  top: 0xf2b8b0,
  left: 0xe39a90,
  right: 0xd58277,
  boxEdge: 0x7a271a,
  // at a clash
  mark: 0x16202b,
  rim: 0xffffff,
  // where a surface ends or bends: of the two sides, and around
  edge: 0x39434e,
  paleEdge: 0xa4b0bc,
  outline: 0x9aa7b4,
  // the plan, from empty to dense
  plan0: 0xffffff,
  plan1: 0xe6ebf0,
  plan2: 0xcfd8e1,
  plan3: 0xb3c0cd,
  plan4: 0x96a6b6,
} as const;

export const COLOUR = Object.fromEntries(Object.keys(DRAWING).map((name, i) => [name, i])) as {
  readonly [Name in keyof typeof DRAWING]: number;
};

/** Each has shades from its darkest to full light; `back` shines through. */
const SURFACES = {
  hub: { front: HUB, back: undefined, darkest: 0.35 },
  hubBefore: { front: HUB, back: OTHER, darkest: 0.35 },
  other: { front: OTHER, back: undefined, darkest: 0.35 },
  otherBefore: { front: OTHER, back: HUB, darkest: 0.35 },
  around: { front: PALE, back: undefined, darkest: 0.75 },
} as const;

type Surface = keyof typeof SURFACES;
const SURFACE_NAMES = Object.keys(SURFACES) as Surface[];
const FIRST_SURFACE = Object.keys(DRAWING).length;

/** Solids where the section cuts them, hatched; one tone for each pair of sides of the section. */
const CUTS = {
  hub: { front: HUB, back: undefined },
  hubBefore: { front: HUB, back: OTHER },
  other: { front: OTHER, back: undefined },
  otherBefore: { front: OTHER, back: HUB },
  /** One side within the other. */
  both: { front: BOTH, back: undefined },
  around: { front: PALE, back: undefined },
} as const;

type Cut = keyof typeof CUTS;
const CUT_NAMES = Object.keys(CUTS) as Cut[];
const TONES = [0.86, 0.78, 0.94];
const HATCH = 0.8;
const FIRST_CUT = FIRST_SURFACE + SHADES * SURFACE_NAMES.length;
const PER_CUT = 2 * TONES.length;

/** The palette entry of the darkest shade of a surface. */
export function surfaceColour(surface: Surface): number {
  return FIRST_SURFACE + SHADES * SURFACE_NAMES.indexOf(surface);
}

/** The palette entry of a cut face across axis 0, followed by one for its hatch, and those of the other axes. */
export function cutColour(cut: Cut): number {
  return FIRST_CUT + PER_CUT * CUT_NAMES.indexOf(cut);
}

export const PALETTE: readonly number[] = [
  ...Object.values(DRAWING),
  ...Object.values(SURFACES).flatMap(({ front, back, darkest }) =>
    Array.from({ length: SHADES }, (_, i) => {
      const light = darkest + ((1 - darkest) * i) / (SHADES - 1);
      return through(mixed(front, 0x000000, 1 - light), back);
    }),
  ),
  ...Object.values(CUTS).flatMap(({ front, back }) =>
    TONES.flatMap((tone) =>
      [tone, HATCH * tone].map((light) => through(mixed(front, 0x000000, 1 - light), back)),
    ),
  ),
];

/** Which surface or cut face a palette entry belongs to, and how light it is: edges are drawn where these jump. */
export const FACE_OF: Uint8Array = Uint8Array.from(PALETTE, (_, i) => {
  if (i < FIRST_SURFACE) return 0;
  if (i < FIRST_CUT) return 1 + Math.floor((i - FIRST_SURFACE) / SHADES);
  return 1 + SURFACE_NAMES.length + ((i - FIRST_CUT) >> 1);
});
export const SHADE_OF: Uint8Array = Uint8Array.from(PALETTE, (_, i) =>
  i < FIRST_SURFACE || i >= FIRST_CUT ? 0 : (i - FIRST_SURFACE) % SHADES,
);
/** Whether a palette entry belongs to what is around the two sides, or to nothing. */
export const IS_PALE: Uint8Array = Uint8Array.from(PALETTE, (_, i) => {
  const surface = Math.floor((i - FIRST_SURFACE) / SHADES);
  const isAround = i < FIRST_CUT ? SURFACE_NAMES[surface] === 'around' : i >= cutColour('around');
  return i < FIRST_SURFACE || isAround ? 1 : 0;
});

function through(front: number, back: number | undefined): number {
  return back === undefined ? front : mixed(front, back, THROUGH);
}

function mixed(p: number, q: number, share: number): number {
  const channel = (shift: number) =>
    Math.round((1 - share) * ((p >> shift) & 255) + share * ((q >> shift) & 255)) << shift;
  return channel(16) | channel(8) | channel(0);
}
