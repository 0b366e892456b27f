/** Colours of the picture, as 0xrrggbb. */

/** Default colours of objects: plain, structure, then by discipline or type. */
export const OWN_COLOURS: readonly number[] = [
  ...[0xc3c7ca, 0x9fa9b3, 0xc9a58c, 0xd6d0c2, 0xd4b878, 0xa9bfd0, 0x93b5a1, 0x88a8c7, 0xb7a6bb, 0xb9b08d],
  ...[0xa4b8b5, 0xc7a8a4],
];

export interface Theme {
  readonly background: number;
  /** Faces that a section cuts open. */
  readonly cut: number;
  readonly edge: number;
  /** Opacity of edges: on a dark background, thin objects must not vanish under them. */
  readonly edgeStrength: number;
  /** Opacity of ghosts. */
  readonly ghost: number;
}

export const THEMES: Readonly<Record<'light' | 'dark', Theme>> = {
  light: { background: 0xf2f4f6, cut: 0x4b5a6b, edge: 0x20262e, edgeStrength: 0.55, ghost: 0.18 },
  dark: { background: 0x1b1e23, cut: 0x8494a6, edge: 0x05070a, edgeStrength: 0.35, ghost: 0.17 },
};

/** Red, green, blue from 0 to 1. */
export function rgb(colour: number): [number, number, number] {
  return [(colour >> 16) / 255, ((colour >> 8) & 255) / 255, (colour & 255) / 255];
}
