/**
 * Shaders of the occlusion queries: covers (item-cover.wgsl.ts) drawn by a graphics pipeline.
 *
 * Every item is drawn as the rectangle of whole pixels around it, and the fragment shader decides: nothing depends on
 * how a device rasterises edges or interpolates depths. The only requirement is that it draws the pixels whose centres
 * lie half a pixel inside the rectangle.
 *
 * A depth w of the frame, |w| ≤ √3, is drawn as 1/2 + w / 4: between 0.06 and 0.94, so that an empty pixel, 1, is
 * behind everything. The sum is off by 2⁻²³ of itself, and so is the difference that puts near before it and far
 * behind: together less than EPS.
 */
import { itemsOf } from './collect.wgsl.js';
import { COMMON } from './common.wgsl.js';
import { itemCover } from './item-cover.wgsl.js';

export const QUERY_DRAW = /* wgsl */ `
${COMMON}
@group(0) @binding(1) var<storage, read> parts: array<vec4u>;
@group(0) @binding(2) var<storage, read> table: array<vec4f>;
@group(0) @binding(3) var<storage, read> placed: array<f32>;
@group(0) @binding(4) var<storage, read> boxes: array<Box>;
@group(0) @binding(5) var<storage, read> state: array<u32>;
@group(0) @binding(6) var<uniform> views: array<array<vec4f, 3>, 32>;
${itemsOf('step.stage', 'step.partSize', (word) => `state[${word}]`)}
${itemCover('step.stage')}

const EPS = 0x1p-21;

struct Cover {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) first: vec2f,
  @location(1) @interpolate(flat) a: vec3f,
  @location(2) @interpolate(flat) b: vec3f,
  @location(3) @interpolate(flat) c: vec3f,
  @location(4) @interpolate(flat) plane: vec4f,
  @location(5) @interpolate(flat) range: vec2f,
}

@vertex
fn cover(@builtin(vertex_index) vertex: u32) -> Cover {
  var out: Cover;
  let index = vertex / 6u;
  let object = objectOf(index);
  if (object == step.objects) {
    out.position = vec4f(2, 2, 0, 1);
    return out;
  }
  var item: Item;
  let count = setUp(index, object, step.firstView, 0u, &item);
  let first = vec2f(item.place.xy);
  let end = first + vec2f(vec2u(item.place.z, count / item.place.z));
  let k = vertex % 6u;
  let at = vec2f(select(first.x, end.x, k == 1u || k == 2u || k == 4u), select(first.y, end.y, k == 2u || k > 3u));
  out.position = vec4f(at * vec2f(2, -2) / f32(step.resolution) + vec2f(-1, 1), 0, 1);
  out.first = first;
  out.a = item.a;
  out.b = item.b;
  out.c = item.c;
  out.plane = item.plane;
  out.range = item.range;
  return out;
}

/** [near, far] in a pixel of the cover; other pixels are discarded. */
fn depths(in: Cover) -> vec2f {
  let p = floor(in.position.xy) - in.first;
  if (any(in.a * p.x + in.b * p.y + in.c < vec3f(0))) {
    discard;
  }
  let middle = dot(in.plane.xy, p) + in.plane.z;
  let w = vec2f(max(middle - in.plane.w, in.range.x), min(middle + in.plane.w, in.range.y));
  return select(w, -w.yx, step.mirrored != 0u) * 0.25 + 0.5;
}

@fragment
fn near(in: Cover) -> @builtin(frag_depth) f32 {
  return depths(in).x - EPS;
}

@fragment
fn far(in: Cover) -> @builtin(frag_depth) f32 {
  return depths(in).y + EPS;
}
`;
