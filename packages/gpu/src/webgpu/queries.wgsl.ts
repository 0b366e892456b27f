/**
 * Shaders of the occlusion queries: covers as rectangles of pixels (drawn-cover.ts explains the computation and proves
 * it sufficient), and the meaning of the answers for the items.
 */
import { DEPTH_EPS, SLACK } from '../drawn-cover.js';
import { DROPPED } from './stage.js';

/** The shapes drawn: boxes of objects or of parts, or triangles. */
export const SHAPES = { objectBoxes: 0, partBoxes: 1, triangles: 2 } as const;
/** The units dropped. */
export const UNITS = { objects: 0, parts: 1, slots: 2 } as const;

/** The fields of `Pass` behind the view, in order, each a u32. */
export const PASS_FIELDS = [
  'resolution',
  'shape',
  'unit',
  'unitCount',
  'passCount',
  'objectCount',
  'partCount',
  'partSize',
  'objectWord',
  'partWord',
  'slotWord',
  'countWord',
  'round',
  'lastRound',
] as const;

const HEAD = /* wgsl */ `
struct Pass {
  view: array<vec4f, 3>,
${PASS_FIELDS.map((name) => `  ${name}: u32,`).join('\n')}
}

const DROPPED = ${DROPPED}u;

@group(0) @binding(0) var<uniform> now: Pass;
`;

export const QUERY_DRAW = /* wgsl */ `
${HEAD}
struct Box {
  low: vec4f,
  high: vec4f,
}

@group(0) @binding(1) var<storage, read> parts: array<vec4u>;
@group(0) @binding(2) var<storage, read> table: array<f32>;
@group(0) @binding(3) var<storage, read> placed: array<f32>;
@group(0) @binding(4) var<storage, read> boxes: array<Box>;
@group(0) @binding(5) var<storage, read> state: array<u32>;

struct Cover {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) ab: vec4f,
  @location(1) @interpolate(flat) cReach: vec4f,
  @location(2) @interpolate(flat) plane: vec4f,
  @location(3) @interpolate(flat) range: vec2f,
}

fn isDropped(word: u32) -> bool {
  return (state[word] & DROPPED) != 0u;
}

/** Whether the item is there and left. */
fn isLeft(item: u32) -> bool {
  if (now.shape == ${SHAPES.objectBoxes}u) {
    return !isDropped(now.objectWord + item);
  }
  var part = item;
  if (now.shape == ${SHAPES.triangles}u) {
    part = item / now.partSize;
    if (item % now.partSize >= parts[part].z || isDropped(now.slotWord + item)) {
      return false;
    }
  }
  return !isDropped(now.partWord + part) && !isDropped(now.objectWord + parts[part].x);
}

fn seen(p: vec3f) -> vec3f {
  let middle = 0.5 * f32(now.resolution);
  return vec3f(dot(now.view[0].xyz, p) + middle, dot(now.view[1].xyz, p) + middle, dot(now.view[2].xyz, p) + 0.5);
}

fn corner(at: u32) -> vec3f {
  return seen(vec3f(placed[at], placed[at + 1u], placed[at + 2u]));
}

@vertex
fn cover(@builtin(vertex_index) vertex: u32) -> Cover {
  var out: Cover;
  let item = vertex / 6u;
  if (!isLeft(item)) {
    out.position = vec4f(2, 2, 0, 1);
    return out;
  }
  var a: vec3f;
  var b: vec3f;
  var c: vec3f;
  var pad: vec3f;
  if (now.shape == ${SHAPES.triangles}u) {
    a = corner(9u * item);
    b = corner(9u * item + 3u);
    c = corner(9u * item + 6u);
    let margin = table[16u * parts[item / now.partSize].x + 12u];
    pad = margin * vec3f(now.view[0].w, now.view[1].w, now.view[2].w);
  } else {
    let box = boxes[select(item, item + now.partCount, now.shape == ${SHAPES.objectBoxes}u)];
    a = seen(0.5 * (box.low.xyz + box.high.xyz));
    b = a;
    c = a;
    let side = 0.5 * (box.high.xyz - box.low.xyz);
    pad = vec3f(
      dot(abs(now.view[0].xyz), side),
      dot(abs(now.view[1].xyz), side),
      dot(abs(now.view[2].xyz), side),
    );
  }
  let low = min(min(a, b), c);
  let high = max(max(a, b), c);
  let extent = high.xy - low.xy;
  let reach = pad.xy + ${0.5 + SLACK};
  out.ab = vec4f(a.xy, b.xy);
  out.cReach = vec4f(c.xy, reach);
  out.range = clamp(vec2f(low.z - pad.z - ${DEPTH_EPS}, high.z + pad.z + ${DEPTH_EPS}), vec2f(0.2), vec2f(0.8));
  out.plane = vec4f(a.z, 0, 0, 2);
  let p = b - a;
  let q = c - a;
  let a0 = p.x * q.y;
  let a1 = q.x * p.y;
  let area = a0 - a1;
  let ofArea = abs(a0) + abs(a1);
  if (abs(area) > 0x1p-10 * ofArea && abs(area) > 0x1p-40) {
    let x0 = p.z * q.y;
    let x1 = q.z * p.y;
    let y0 = p.x * q.z;
    let y1 = q.x * p.z;
    let g = vec2f(x0 - x1, y0 - y1) / area;
    let eg = 0x1p-19 * (vec2f(abs(x0) + abs(x1), abs(y0) + abs(y1)) + abs(g) * ofArea) / abs(area);
    let radius = dot(abs(g), reach) + dot(eg, extent + 2 * reach) + 0x1p-20 * dot(abs(g), extent + reach)
      + pad.z + ${DEPTH_EPS};
    out.plane = vec4f(a.z, g, radius);
  }
  let most = f32(now.resolution) - 1;
  let first = clamp(floor(low.xy - pad.xy - ${SLACK}), vec2f(0), vec2f(most));
  let end = clamp(floor(high.xy + pad.xy + ${SLACK}), vec2f(0), vec2f(most)) + 1;
  let k = vertex % 6u;
  let at = vec2f(select(first.x, end.x, k == 1u || k == 2u || k == 4u), select(first.y, end.y, k == 2u || k > 3u));
  out.position = vec4f(at * vec2f(2, -2) / f32(now.resolution) + vec2f(-1, 1), 0, 1);
  return out;
}

fn beyond(p: vec2f, a: vec2f, b: vec2f, c: vec2f, reach: vec2f) -> bool {
  let n = vec2f(a.y - b.y, b.x - a.x);
  let e = dot(n, p - a);
  let t = dot(n, c - a);
  let r = dot(abs(n), reach);
  return e < min(0, t) - r || e > max(0, t) + r;
}

/** [near, far] in a pixel of the cover; other pixels are discarded. */
fn depths(in: Cover) -> vec2f {
  let p = floor(in.position.xy) + 0.5;
  let a = in.ab.xy;
  let b = in.ab.zw;
  let c = in.cReach.xy;
  let reach = in.cReach.zw;
  if (beyond(p, a, b, c, reach) || beyond(p, b, c, a, reach) || beyond(p, c, a, b, reach)) {
    discard;
  }
  let middle = in.plane.x + dot(in.plane.yz, p - a);
  return vec2f(max(middle - in.plane.w, in.range.x), min(middle + in.plane.w, in.range.y));
}

@fragment
fn near(in: Cover) -> @builtin(frag_depth) f32 {
  return depths(in).x;
}

@fragment
fn far(in: Cover) -> @builtin(frag_depth) f32 {
  return depths(in).y;
}
`;

/**
 * After the passes of a round: which objects each unit is free of, and whether it is dropped. Answers are two words a
 * query, 0 if nothing of the unit was at or behind the image; passes in order and in reverse alternate.
 *
 * The bits FREE stay from round to round: a unit that was once free of all objects before it stays so, as these only
 * become fewer; likewise of all after it.
 */
export const QUERY_SETTLE = /* wgsl */ `
${HEAD}
@group(0) @binding(1) var<storage, read> parts: array<vec4u>;
@group(0) @binding(2) var<storage, read> answers: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> state: array<atomic<u32>>;

const FREE_OF_EARLIER = 1u;
const FREE_OF_LATER = 2u;

fn isDropped(word: u32) -> bool {
  return (atomicLoad(&state[word]) & DROPPED) != 0u;
}

fn isThere(unit: u32) -> bool {
  if (now.unit == ${UNITS.objects}u) {
    return true;
  }
  var part = unit;
  if (now.unit == ${UNITS.slots}u) {
    part = unit / now.partSize;
    if (unit % now.partSize >= parts[part].z || isDropped(now.partWord + part)) {
      return false;
    }
  }
  return !isDropped(now.objectWord + parts[part].x);
}

@compute @workgroup_size(64)
fn settle(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let words = array<u32, 3>(now.objectWord, now.partWord, now.slotWord);
  let stride = (now.unitCount + 31u) & ~31u;
  for (var unit = id.x; unit < now.unitCount; unit += 64u * groups.x) {
    let word = words[now.unit] + unit;
    var free = atomicLoad(&state[word]);
    if (!isThere(unit) || (free & DROPPED) != 0u) {
      continue;
    }
    if (now.round == 0u) {
      atomicAdd(&state[now.countWord], 1u);
    }
    for (var i = 0u; i < now.passCount; i++) {
      let seen = answers[i * stride + unit];
      if ((seen.x | seen.y) == 0u) {
        free |= select(FREE_OF_EARLIER, FREE_OF_LATER, (i & 1u) == 1u);
      }
    }
    if (free == (FREE_OF_EARLIER | FREE_OF_LATER)) {
      free = DROPPED;
      atomicAdd(&state[now.countWord + 1u], 1u);
    } else if (now.round == now.lastRound) {
      free = 0u;
    }
    atomicStore(&state[word], free);
  }
}
`;
