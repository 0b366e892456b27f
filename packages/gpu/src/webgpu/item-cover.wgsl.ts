/**
 * Which pixels an item (a triangle, or the box of a part or an object) may cover in a view, and at which depths.
 *
 * **The cover of a triangle.** The projections of the corners, as computed, span a triangle; every point of the item
 * projects to within PIXEL_SLACK and the margin of it. A pixel is covered unless the rectangle about its centre (half a
 * pixel, the margin, SLACK) lies outside one of its edges or its bounding rectangle. An edge function has terms up to L
 * D (edge length times distance, both below 2¹⁵ pixels) and is off by 2⁻²⁰ L D: less than L / 32, which the SLACK of
 * 1/16 in place of PIXEL_SLACK = 1/64 makes up for. Depths: the plane through the computed corners, over the rectangle,
 * within the depths of the corners. With |det| > 2⁻¹² of its two products, det is off by 2⁻⁹ of itself and a slope by
 * less than 2⁻⁷ n / |det|, n the sum of the products in its numerator; times the extent that is added. Where det is
 * smaller (edge-on, degenerate), the bounding rectangle and the depths of the corners are the cover.
 */
import { DEPTH_SLACK, PIXEL_SLACK } from '../visibility.js';

/** Reads `boxes`, `placed`, `table` and `views` (raster.wgsl.ts). */
export const itemCover = (stage: string) => /* wgsl */ `
const SLACK = ${4 * PIXEL_SLACK};
const DEPTH_SLACK = ${DEPTH_SLACK};

struct Item {
  /** First pixel, width; the image it is written into, or those it is tested against, a bit for each. */
  place: vec4u,
  /** Edges: at the pixel (x, y), counted from the first, a x + b y + c is negative outside. */
  a: vec3f,
  b: vec3f,
  c: vec3f,
  /** Depth: x, y and constant; half the interval. */
  plane: vec4f,
  /** Depths of the whole item. */
  range: vec2f,
}

fn cornerOf(at: u32, rows: array<vec4f, 3>) -> vec3f {
  let p = vec3f(placed[at], placed[at + 1u], placed[at + 2u]);
  let centre = 0.5 * f32(step.resolution);
  return vec3f(dot(rows[0].xyz, p) * rows[0].w + centre, dot(rows[1].xyz, p) * rows[1].w + centre, dot(rows[2].xyz, p));
}

/** Pixels of a range of coordinates, and how many. */
fn pixels(low: f32, high: f32) -> vec2u {
  let last = f32(step.resolution - 1u);
  let first = clamp(floor(low), 0, last);
  return vec2u(u32(first), u32(clamp(floor(high), first, last) - first) + 1u);
}

/** Sets up the cover of an item; returns the pixels of its bounding rectangle. */
fn setUp(index: u32, object: u32, view: u32, which: u32, item: ptr<function, Item>) -> u32 {
  let rows = views[view];
  let centre = 0.5 * f32(step.resolution);
  (*item).a = vec3f(0);
  (*item).b = vec3f(0);
  (*item).c = vec3f(1);
  (*item).plane = vec4f(0, 0, 0, 1e30);
  if (${stage} == 0u || ${stage} == 2u) {
    let box = boxes[select(index, step.parts + index, ${stage} == 0u)];
    let middle = 0.5 * (box.low.xyz + box.high.xyz);
    let half = 0.5 * (box.high.xyz - box.low.xyz);
    let at = vec3f(
      dot(rows[0].xyz, middle) * rows[0].w + centre,
      dot(rows[1].xyz, middle) * rows[1].w + centre,
      dot(rows[2].xyz, middle),
    );
    let reach = vec3f(
      dot(abs(rows[0].xyz), half) * rows[0].w + SLACK,
      dot(abs(rows[1].xyz), half) * rows[1].w + SLACK,
      dot(abs(rows[2].xyz), half) + DEPTH_SLACK,
    );
    let x = pixels(at.x - reach.x, at.x + reach.x);
    let y = pixels(at.y - reach.y, at.y + reach.y);
    (*item).place = vec4u(x.x, y.x, x.y, which);
    (*item).range = vec2f(at.z - reach.z, at.z + reach.z);
    return x.y * y.y;
  }
  let p0 = cornerOf(9u * index, rows);
  let p1 = cornerOf(9u * index + 3u, rows);
  let p2 = cornerOf(9u * index + 6u, rows);
  let margin = table[4u * object + 3u].x;
  let grown = vec3f(
    margin * dot(abs(rows[0].xyz), vec3f(1)) * rows[0].w + SLACK,
    margin * dot(abs(rows[1].xyz), vec3f(1)) * rows[1].w + SLACK,
    margin * dot(abs(rows[2].xyz), vec3f(1)) + DEPTH_SLACK,
  );
  let low = min(min(p0, p1), p2) - grown;
  let high = max(max(p0, p1), p2) + grown;
  let x = pixels(low.x, high.x);
  let y = pixels(low.y, high.y);
  (*item).place = vec4u(x.x, y.x, x.y, which);
  (*item).range = vec2f(low.z, high.z);
  // from here on about the centre of the first pixel
  let first = vec2f(f32(x.x), f32(y.x)) + 0.5;
  let q0 = p0.xy - first;
  let q1 = p1.xy - first;
  let q2 = p2.xy - first;
  let d1 = q1 - q0;
  let d2 = q2 - q0;
  let det = d1.x * d2.y - d2.x * d1.y;
  let size = abs(d1.x * d2.y) + abs(d2.x * d1.y);
  if (abs(det) > 0x1p-12 * size && size > 1e-20) {
    let turn = sign(det);
    let d = q2 - q1;
    let rectangle = grown.xy + 0.5;
    let a = turn * vec3f(-d1.y, -d.y, d2.y);
    let b = turn * vec3f(d1.x, d.x, -d2.x);
    (*item).a = a;
    (*item).b = b;
    (*item).c = abs(a) * rectangle.x + abs(b) * rectangle.y
      - (a * vec3f(q0.x, q1.x, q2.x) + b * vec3f(q0.y, q1.y, q2.y));
    let w1 = p1.z - p0.z;
    let w2 = p2.z - p0.z;
    let slope = vec2f(w1 * d2.y - w2 * d1.y, d1.x * w2 - d2.x * w1) / det;
    let steep = vec2f(abs(w1 * d2.y) + abs(w2 * d1.y), abs(d1.x * w2) + abs(d2.x * w1)) / abs(det);
    let extent = vec2f(f32(x.y), f32(y.y)) + 1;
    (*item).plane = vec4f(
      slope,
      p0.z - dot(slope, q0),
      dot(abs(slope), rectangle) + 0x1p-6 * dot(steep, extent) + grown.z,
    );
  }
  return x.y * y.y;
}
`;
