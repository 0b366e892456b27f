/** Triangles into the frame, and boxes: a workgroup per part, then one per object. */

/** One box around those of all threads of a workgroup, in the end with the first. To be called by all of them. */
const UNITE = (threads: string) => /* wgsl */ `
var<workgroup> low: array<vec3f, ${threads}>;
var<workgroup> high: array<vec3f, ${threads}>;

fn unite(thread: u32, least: vec3f, most: vec3f) -> Box {
  low[thread] = least;
  high[thread] = most;
  for (var stride = ${threads} / 2u; stride > 0u; stride /= 2u) {
    workgroupBarrier();
    if (thread < stride) {
      low[thread] = min(low[thread], low[thread + stride]);
      high[thread] = max(high[thread], high[thread + stride]);
    }
  }
  return Box(vec4f(low[thread], 0), vec4f(high[thread], 0));
}
`;

export const PLACE = /* wgsl */ `
${UNITE('PART')}
fn cornerOf(vertex: u32, object: u32) -> vec3f {
  let v = 3u * vertex;
  let p = vec4f(bitcast<vec3f>(vec3u(positions[v], positions[v + 1u], positions[v + 2u])), 1);
  return vec3f(dot(table[4u * object], p), dot(table[4u * object + 1u], p), dot(table[4u * object + 2u], p));
}

fn put(at: u32, p: vec3f) {
  placed[at] = p.x;
  placed[at + 1u] = p.y;
  placed[at + 2u] = p.z;
}

@compute @workgroup_size(PART)
fn place(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let part = groupIndex(group, groups);
  if (part >= step.parts) {
    return;
  }
  let entry = parts[part];
  // threads past the end repeat the last triangle for the box
  let vertices = corners[entry.y + min(thread, entry.z - 1u)];
  let a = cornerOf(vertices.x, entry.x);
  let b = cornerOf(vertices.y, entry.x);
  let c = cornerOf(vertices.z, entry.x);
  if (thread < entry.z) {
    let slot = 9u * (part * PART + thread);
    put(slot, a);
    put(slot + 3u, b);
    put(slot + 6u, c);
  }
  let box = enlarged(a, b, c, table[4u * entry.x + 3u].x);
  let all = unite(thread, box.low.xyz, box.high.xyz);
  if (thread == 0u) {
    boxes[part] = all;
  }
}
`;

export const GATHER = /* wgsl */ `
${UNITE('64u')}
@compute @workgroup_size(64)
fn gather(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let object = groupIndex(group, groups);
  if (object >= step.objects) {
    return;
  }
  if (object == 0u && thread == 0u) {
    atomicStore(&state[STAMP], step.stamp);
  }
  var least = vec3f(1e30);
  var most = vec3f(-1e30);
  for (var part = objects[object] + thread; part < objects[object + 1u]; part += 64u) {
    least = min(least, boxes[part].low.xyz);
    most = max(most, boxes[part].high.xyz);
  }
  let all = unite(thread, least, most);
  if (thread == 0u) {
    boxes[step.parts + object] = all;
  }
}
`;
