/**
 * The rule of culling by visibility, which all rasterisers keep, and why it drops nothing that meets.
 *
 * **Items** are boxes or triangles, each of an object, enlarged by the margin m of that object (backend.ts, `Row`). A
 * **view** is a rotation (u, v, w); its image has R × R pixels over [−hu, hu] × [−hv, hv], where hu = Σ |u_k| half_k
 * covers the frame, likewise hv; the computed pixel coordinate is (u + hu) · R / (2 hu).
 *
 * An item's **cover** is a set of pixels with an interval of depths in each: every pixel whose closed square, enlarged
 * by PIXEL_SLACK pixels, meets the projection of the enlarged item; and in it [near, far], which holds w of every point
 * of the enlarged item over that enlarged square, rounded outward by DEPTH_SLACK.
 *
 * **No miss.** Let items I and J have a point x in common (or points no farther apart than the reach, of which the
 * margins hold half each: then the point x in the middle is in both enlarged items). The margins exceed the errors of
 * placing, so x is a point of both enlarged items as placed. The computed pixel coordinates of x are off by less than
 * PIXEL_SLACK, so the pixel P that they name is in the cover of I and of J, and both intervals there hold the depth of
 * x and so overlap. Hence:
 *
 * - An item is **free** of a set S of other objects' items if in every pixel of its cover its interval lies before all
 *   intervals of S, or behind all of them. A free item shares no point with S. (The paper asks for "before" in all
 *   pixels of one view; either side, pixel by pixel, drops more and is as safe.)
 * - An item is dropped if the other objects are the union of sets S1 … Sk and for each of them there is a view in which
 *   the item is free of it. Objects whose boxes it does not meet may be left out: it shares no point with them. In
 *   `queries` the sets are the objects before and after it in the order. In `split-tree` there is one for each colour
 *   of the objects whose boxes it meets (webgpu/colour.wgsl.ts).
 * - A dropped item takes no part in later rounds, neither as an item nor in S. That is safe: it meets nothing.
 * - If an item of object O is dropped, only items of O that are left represent O. An object is dropped when it has no
 *   item left.
 *
 * A depth is held in an image as a number that rises with it; the loss is part of DEPTH_SLACK, or is added by a
 * rasteriser that loses more.
 */

/**
 * Pixel coordinates: three products and two sums for u, a sum and a product for the pixel, each off by 2⁻²³ of values
 * below 4 in units of hu: together below 2⁻¹⁹ hu, which is R · 2⁻²⁰ pixels; for R ≤ 8 192 less than 2⁻⁶.
 */
export const PIXEL_SLACK = 1 / 64;

/** Depths: as for u, in units of the frame (|w| ≤ √3): below 2⁻¹⁹. */
export const DEPTH_SLACK = 2 ** -19;

/** Above this the slack of a pixel would not hold. */
export const MAX_RESOLUTION = 8192;
