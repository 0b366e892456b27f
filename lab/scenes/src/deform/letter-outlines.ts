/**
 * Twenty-six block capitals as outlines, in hundredths of the capital height, baseline at y = 0.
 *
 * Layout: contours separated by `M`, each closed by itself, the letter on the left hand: outer ones run
 * counter-clockwise, holes clockwise. `L x y` is a straight line; `h x y` and `v x y` are a quarter of an ellipse
 * that leaves horizontally or vertically and arrives the other way.
 */
export const OUTLINES: Readonly<Record<string, string>> = {
  A: 'M0 0 L22 0 L28.6 20 L61.4 20 L68 0 L90 0 L57 100 L33 100 M35.2 40 L45 69 L54.8 40',
  B: 'M0 0 L44 0 h72 26 L72 32 L60 52 L68 70 L68 74 v42 100 L0 100 M22 20 L22 42 L42 42 h50 31 v42 20 M22 62 L22 80 L40 80 h47 71 v40 62',
  C: 'M84 70 v46 100 h0 50 v46 0 h84 30 L62 30 v46 20 h22 50 v46 80 h62 70',
  D: 'M0 0 L36 0 h80 50 v36 100 L0 100 M22 20 L22 80 L36 80 h58 50 v36 20',
  E: 'M0 0 L66 0 L66 20 L22 20 L22 40 L58 40 L58 60 L22 60 L22 80 L66 80 L66 100 L0 100',
  F: 'M0 0 L22 0 L22 38 L56 38 L56 58 L22 58 L22 80 L66 80 L66 100 L0 100',
  G: 'M86 70 v46 100 h0 50 v46 0 h86 34 L86 54 L48 54 L48 36 L64 36 v46 20 h22 50 v46 80 h64 70',
  H: 'M0 0 L22 0 L22 40 L56 40 L56 0 L78 0 L78 100 L56 100 L56 60 L22 60 L22 100 L0 100',
  I: 'M0 0 L60 0 L60 20 L41 20 L41 80 L60 80 L60 100 L0 100 L0 80 L19 80 L19 20 L0 20',
  J: 'M66 100 L20 100 L20 80 L44 80 L44 34 v33 20 h22 34 L0 34 v33 0 h66 34',
  K: 'M0 0 L22 0 L22 34 L33 47 L54 0 L80 0 L49 66 L80 100 L52 100 L22 64 L22 100 L0 100',
  L: 'M0 0 L64 0 L64 20 L22 20 L22 100 L0 100',
  M: 'M0 0 L21 0 L21 62 L42 20 L58 20 L79 62 L79 0 L100 0 L100 100 L80 100 L50 42 L20 100 L0 100',
  N: 'M0 0 L21 0 L21 62 L58 0 L80 0 L80 100 L59 100 L59 38 L22 100 L0 100',
  O: 'M92 50 v46 100 h0 50 v46 0 h92 50 M70 50 v46 20 h22 50 v46 80 h70 50',
  P: 'M0 0 L22 0 L22 36 L40 36 h72 68 v40 100 L0 100 M22 56 L22 80 L40 80 h50 68 v40 56',
  Q: 'M92 50 v46 100 h0 50 v46 0 L57 1.5 L66 5 L72 0 L96 0 L82 19 L88 29.6 M70 50 v46 20 h22 50 v46 80 h70 50',
  R: 'M0 0 L22 0 L22 38 L32 38 L50 0 L76 0 L56 41 h72 69 v40 100 L0 100 M22 58 L22 80 L40 80 h50 69 v40 58',
  S: 'M70 70 v37 100 h2 70 v36 41 h48 30 v36 20 h24 30 L2 30 v36 0 h70 30 v36 59 h24 70 v37 80 h48 70',
  T: 'M27 0 L49 0 L49 80 L76 80 L76 100 L0 100 L0 80 L27 80',
  U: 'M78 100 L56 100 L56 36 v39 20 h22 36 L22 100 L0 100 L0 36 v39 0 h78 36',
  V: 'M32 0 L56 0 L88 100 L65 100 L44 34 L23 100 L0 100',
  W: 'M19 0 L37 0 L50 52 L63 0 L81 0 L100 100 L80 100 L71 44 L58 92 L42 92 L29 44 L20 100 L0 100',
  X: 'M0 0 L27 0 L42 31 L57 0 L84 0 L56 51 L82 100 L56 100 L42 70 L28 100 L2 100 L28 51',
  Y: 'M31 0 L53 0 L53 42 L84 100 L59 100 L42 64 L25 100 L0 100 L31 42',
  Z: 'M0 0 L72 0 L72 20 L30 20 L72 82 L72 100 L2 100 L2 80 L42 80 L0 18',
};

export const ALPHABET: readonly string[] = Object.keys(OUTLINES);

export type Point = readonly [x: number, y: number];

/** The contours of an outline as polygons whose sides are of about the given length. */
export function contoursOf(path: string, side: number): Point[][] {
  const contours: Point[][] = [];
  let from: Point = [0, 0];
  for (const [, command, x, y] of path.matchAll(/([MLhv])([\d.]+) ([\d.]+)/g)) {
    const to: Point = [Number(x), Number(y)];
    if (command === 'M') contours.push([to]);
    else contours[contours.length - 1].push(...samplePiece(command, from, to, side));
    from = to;
  }
  return contours.map((contour) => closed(contour, side));
}

/** Adds the closing line, unless the last piece came back to the start by itself. */
function closed(contour: Point[], side: number): Point[] {
  const last = contour[contour.length - 1];
  const back = distance(last, contour[0]) === 0 ? [] : samplePiece('L', last, contour[0], side);
  return [...contour, ...back].slice(0, -1);
}

/** Points after `from` up to `to`, evenly along the piece. */
function samplePiece(command: string, from: Point, to: Point, side: number): Point[] {
  const at = (t: number): Point => {
    if (command === 'L') return [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])];
    // a point of the unit quarter circle, from (1, 0) towards (0, 1)
    const length = Math.sqrt((1 - t) * (1 - t) + t * t);
    const ahead = 1 - (1 - t) / length;
    const aside = t / length;
    const [shareX, shareY] = command === 'h' ? [aside, ahead] : [ahead, aside];
    return [from[0] + shareX * (to[0] - from[0]), from[1] + shareY * (to[1] - from[1])];
  };
  const fine = command === 'L' ? 1 : 64;
  const lengths = [0];
  for (let k = 1; k <= fine; k++) lengths.push(lengths[k - 1] + distance(at((k - 1) / fine), at(k / fine)));
  const count = Math.max(command === 'L' ? 1 : 2, Math.round(lengths[fine] / side));
  const points: Point[] = [];
  for (let i = 1, k = 1; i < count; i++) {
    const along = (i / count) * lengths[fine];
    while (lengths[k] < along) k++;
    points.push(at((k - (lengths[k] - along) / (lengths[k] - lengths[k - 1])) / fine));
  }
  return [...points, to];
}

function distance(a: Point, b: Point): number {
  const [x, y] = [a[0] - b[0], a[1] - b[1]];
  return Math.sqrt(x * x + y * y);
}
