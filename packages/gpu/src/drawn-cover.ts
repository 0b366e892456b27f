/**
 * Covers (see visibility.ts) as a graphics pipeline draws them, for the occlusion queries: the numbers that their
 * shaders use, and why they suffice.
 *
 * Every item is drawn as the rectangle of whole pixels around it, and the fragment shader decides: nothing depends on
 * how a device rasterises edges or interpolates depths. The only requirement is that it draws the pixels whose centres
 * lie half a pixel inside the rectangle.
 *
 * **Pixels.** Let x be a point of the enlarged item: x = t + e, t in the triangle as placed, |e| ≤ margin in each
 * coordinate. Let P be the pixel that holds the image of x, c its centre. Then t's image T has |T − c| ≤ reach in u and
 * v, where reach = 1/2 + margin · (sum of the row's magnitudes). Two convex figures in the plane, the rectangle c ±
 * reach and the triangle's image, meet unless a normal of one of their sides separates them: those of the rectangle are
 * the rectangle drawn, those of the triangle are `beyond` in the shaders, which needs no orientation and lets
 * everything pass if an edge has no length.
 *
 * Rounding, with operations off by 2⁻²³ of their result: a corner's pixel coordinate (three products, three sums of
 * values up to R ≤ 8 192) by 2.5 · 2⁻²³ R < 0.003 pixels; `beyond` compares sums of values up to |n| R (|n| = |n.x| +
 * |n.y|), each off by at most five operations: twice 5 · 2⁻²³ R |n| < 0.01 |n|, and r by 3 · 2⁻²³ R |n| < 0.003 |n|.
 * Together less than 0.02 pixels of reach; SLACK is 2 · PIXEL_SLACK > 0.03.
 *
 * **Depths.** Take the corners (pixel and depth) as computed: they are off by less than SLACK and DEPTH_EPS, and so is
 * any point between them. On their plane the depth at T is d(a) + g · (T − a) and T is within reach of c. The computed
 * g = N / A is off by at most eg = (eN + |g| eA) / |A|, doubled below, where eN, eA ≤ 2⁻²⁰ (|product| +
 * |product|): differences, products and a difference are four operations, counted twice. Hence the depth is within
 *   |g| reach + eg (extent + 2 reach) + 2⁻²⁰ |g| (extent + reach)
 * of d(a) + g · (c − a), where extent is the triangle's in pixels: |c − a| ≤ extent + reach. If A is too small to
 * divide by, the triangle is edge-on: the depth range of its corners serves, which bounds every interval anyway.
 *
 * DEPTH_EPS: depths are from 1/4 to 3/4; a corner's is off by 1.5 · 2⁻²³, enlarging and the last difference by 2 ·
 * 2⁻²³, the image holds float32 (2⁻²⁴): together less than 2⁻²⁰. Intervals are cut to [0.2, 0.8], where every point of
 * the frame is, so that an empty pixel (1 in a near image, 0 in a far one) is before or behind everything.
 */
import { PIXEL_SLACK } from './visibility.js';

export const SLACK = 2 * PIXEL_SLACK;
export const DEPTH_EPS = 2 ** -19;

/** Numbers that a shader needs of a view. */
export const VIEW_MAP_STRIDE = 12;

/**
 * Writes a view, which looks from behind if `mirrored`.
 *
 * Layout: rows u, v, w, each (x, y, z, |x| + |y| + |z|). A point p is at the pixel coordinates (u · p + R / 2, v · p +
 * R / 2) and at the depth 1/2 + w · p, which is from 1/4 to 3/4 in the frame. The fourth number times the margin is how
 * far an item is enlarged along the row.
 *
 * Invariant: the rows are rounded to float32 here, once, for all items: any linear map shows the same point of two
 * items at the same place, so this rounding needs no slack. It moves nothing out of the image by more than R · 2⁻²³.
 */
export function writeViewMap(
  out: Float32Array,
  views: Float32Array,
  view: number,
  half: readonly [number, number, number],
  resolution: number,
  mirrored: boolean,
): void {
  for (let row = 0; row < 3; row++) {
    const at = 9 * view + 3 * row;
    const extent =
      Math.abs(views[at]) * half[0] + Math.abs(views[at + 1]) * half[1] + Math.abs(views[at + 2]) * half[2];
    const scale = row < 2 ? resolution / (2 * extent) : (mirrored ? -0.25 : 0.25) / extent;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      out[4 * row + k] = views[at + k] * scale;
      sum += Math.abs(out[4 * row + k]);
    }
    out[4 * row + 3] = sum * (1 + 2 ** -22);
  }
}
