/** The common beginning of all kernels. */
import { DROPPED_BIT, Head, MET_WORD } from './layout.js';
import { STEP_FIELDS } from './step.js';

const fields = STEP_FIELDS.map((name) => `  ${name}: ${name === 'distance' ? 'f32' : 'u32'},`).join('\n');

export const COMMON = /* wgsl */ `
override PART: u32 = 64u;

struct Step {
${fields}
}

const STAMP = ${Head.stamp}u;
const OBJECT_PAIRS = ${Head.objectPairs}u;
const PART_ITEMS = ${Head.partItems}u;
const PART_PAIRS = ${Head.partPairs}u;
const CANDIDATES = ${Head.candidates}u;
const MEETING = ${Head.meeting}u;
const DOUBTFUL = ${Head.doubtful}u;
const FULL = ${Head.full}u;
const TASKS = ${Head.tasks}u;
const MOST_TASKS = ${Head.mostTasks}u;
const FIRST_OBJECT_PAIRS = ${Head.firstObjectPairs}u;
const MOST = ${Head.mostPartners}u;
/** A counter stops near it: additions under way by then cannot carry it past 2³². */
const MANY = 0x60000000u;
const MET = ${MET_WORD}u;
const DROPPED = ${(1 << DROPPED_BIT) >>> 0}u;

struct Box {
  low: vec4f,
  high: vec4f,
}

@group(0) @binding(0) var<uniform> step: Step;

/** Dispatches of more workgroups than fit into x go on in y. */
fn groupIndex(group: vec3u, groups: vec3u) -> u32 {
  return group.y * groups.x + group.x;
}

fn overlaps(a: Box, b: Box) -> bool {
  return all(a.low.xyz <= b.high.xyz) && all(b.low.xyz <= a.high.xyz);
}

/**
 * The box of a triangle, enlarged by the margin, and by 2⁻²¹ of its coordinates for the rounding of this sum. The rest
 * of a sum that was flushed to 0 is below the margin's own reserve.
 */
fn enlarged(a: vec3f, b: vec3f, c: vec3f, margin: f32) -> Box {
  let low = min(min(a, b), c);
  let high = max(max(a, b), c);
  return Box(vec4f(low - (margin + abs(low) * 0x1p-21), 0), vec4f(high + (margin + abs(high) * 0x1p-21), 0));
}
`;
