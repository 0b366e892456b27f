/**
 * The map location stated in a file, and the relative placement of files that state one.
 *
 * Eastings and northings are large, and nearby objects differ only in their last digits. So no object is ever placed in
 * map coordinates: the model has those of its first file, and another file is placed by the difference of the two,
 * which is small.
 */

export interface Georeference {
  /** The name of the coordinate reference system, as the file has it. */
  readonly crs: string;
  /** From the file's coordinates to the map: rotation (9, row-major), then the translation in metres on the ground. */
  readonly pose: Float64Array;
  /** Metres on the map per metre on the ground. Lengths are those on the ground. */
  readonly scale: number;
  /** Remarks about the georeference. */
  readonly notes: readonly string[];
}

/** The pose that takes `own` coordinates to those of `frame`, in metres; undefined where they are the same. */
export function poseBetween(frame: Georeference, own: Georeference): Float64Array | undefined {
  const [f, o] = [frame.pose, own.pose];
  if (f.every((x, i) => x === o[i])) return undefined;
  const out = new Float64Array(12);
  for (let row = 0; row < 3; row++) {
    for (let k = 0; k < 3; k++) {
      // the transpose of the frame's rotation comes second
      for (let column = 0; column < 3; column++) out[3 * row + column] += f[3 * k + row] * o[3 * k + column];
      out[9 + row] += f[3 * k + row] * (o[9 + k] - f[9 + k]);
    }
  }
  return out;
}

/** Whether two names are of one system: `EPSG:32760`, `epsg 32760`, `EPSG:32760 - WGS 84`. */
export function isSameCrs(a: string, b: string): boolean {
  const [p, q] = [a, b].map(
    (name) => /EPSG\W*(\d+)/i.exec(name)?.[1] ?? name.toUpperCase().replace(/\W+/g, ''),
  );
  return p === q;
}
