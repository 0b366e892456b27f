/** Which kinds of space two objects make. */

/** Kinds of space that exist, as bits. */
export const Space = { shared: 1, onlyA: 2, onlyB: 4 } as const;

/** What a point says that lies inside the objects, or not. */
export function besideBits(inA: boolean, inB: boolean): number {
  if (inA) return inB ? Space.shared : Space.onlyA;
  return inB ? Space.onlyB : 0;
}
