/**
 * Pairs of triangles: apart for certain (dropped), meeting for certain, or doubtful.
 *
 * Two closed triangles meet if and only if an edge of one meets the other. Everything follows from signs of orient(a,
 * b, c, d) = det(a − d, b − d, c − d), taken only where they are certain.
 *
 * **The bound.** Corners are off by at most ρ of their object (`Row.rounding`, a length). Let u, v, w be the computed
 * rows, N_u = v × w, N_v = w × u, N_w = u × v. Moving the points by ε_a … ε_d, each below its ρ, changes the
 * determinant by ε_a·N_u + ε_b·N_v + ε_c·N_w − ε_d·(N_u + N_v + N_w), at most Σ ρ |N| (first order), plus terms with
 * two and three moved rows: with δ = 2 max ρ a row moves by at most δ, so these are below δ² (|u| + |v| + |w|) + δ³.
 * Rounding: a difference, a product and two sums on the way to each of six products, each off by 2⁻²³ of it, in
 * whatever order or fused: below 8 · 2⁻²³ of the sum of the six |products|, which is at most |u|₁|v|₁|w|₁ ≤ S³ / 27
 * with S = |u|₁ + |v|₁ + |w|₁: 2⁻²⁰ S³ / 27. The computed N are off by 2⁻²⁰ |v|₁|w|₁ and the like: with ρ below 2⁻¹⁸ δ
 * S². Values flushed to 0 are below 2⁻¹²⁶ in every step, and no step multiplies it by more than 16: 1e-35 is more.
 */

export const VERDICT = /* wgsl */ `

const APART = 0u;
const MEETS = 1u;
const DOUBT = 2u;

var<workgroup> shared0: u32;
var<workgroup> meetingCount: atomic<u32>;
var<workgroup> doubtfulCount: atomic<u32>;
var<workgroup> meetingAt: u32;
var<workgroup> doubtfulAt: u32;

alias Triangle = array<vec3f, 3>;

fn corner(at: u32) -> vec3f {
  return vec3f(placed[at], placed[at + 1u], placed[at + 2u]);
}

fn triangleOf(slot: u32) -> Triangle {
  return Triangle(corner(9u * slot), corner(9u * slot + 3u), corner(9u * slot + 6u));
}

fn sum(v: vec3f) -> f32 {
  return abs(v.x) + abs(v.y) + abs(v.z);
}

/** The sign of orient(a, b, c, d) if it is certain, else 0. */
fn orient(a: vec3f, b: vec3f, c: vec3f, d: vec3f, ra: f32, rb: f32, rc: f32, rd: f32) -> i32 {
  let u = a - d;
  let v = b - d;
  let w = c - d;
  let nu = cross(v, w);
  let nv = cross(w, u);
  let nw = cross(u, v);
  let value = dot(u, nu);
  let s = sum(u) + sum(v) + sum(w);
  let delta = 2 * max(max(ra, rb), max(rc, rd));
  let first = ra * length(nu) + rb * length(nv) + rc * length(nw) + rd * length(nu + nv + nw);
  let bound = 1.001 * first + delta * delta * (s + delta) + 0x1p-18 * delta * s * s + 4e-8 * s * s * s + 1e-35;
  return select(0, 1, value > bound) - select(0, 1, value < -bound);
}

/** Where a's corners lie: signs of a's corners against b's plane. */
fn sides(a: Triangle, b: Triangle, ra: f32, rb: f32) -> vec3i {
  return vec3i(
    orient(a[0], b[0], b[1], b[2], ra, rb, rb, rb),
    orient(a[1], b[0], b[1], b[2], ra, rb, rb, rb),
    orient(a[2], b[0], b[1], b[2], ra, rb, rb, rb),
  );
}

/** How the line of the edge p q passes the three edges of b. */
fn passes(p: vec3f, q: vec3f, b: Triangle, rp: f32, rb: f32) -> vec3i {
  return vec3i(
    orient(p, q, b[0], b[1], rp, rp, rb, rb),
    orient(p, q, b[1], b[2], rp, rp, rb, rb),
    orient(p, q, b[2], b[0], rp, rp, rb, rb),
  );
}

fn oneSided(s: vec3i) -> bool {
  return s.x != 0 && s.x == s.y && s.y == s.z;
}

/**
 * An edge against a triangle: its ends' sides of the plane, its line's ways past the edges. It pierces for certain if
 * the ends are on opposite sides and the line passes all edges alike; it misses if both are on one side, or the line
 * passes two edges differently (seen along the line, that is a point outside the triangle).
 */
fn edgeVerdict(p: i32, q: i32, ways: vec3i) -> u32 {
  if (p * q < 0 && oneSided(ways)) {
    return MEETS;
  }
  let missed = p * q > 0 || (min(min(ways.x, ways.y), ways.z) < 0 && max(max(ways.x, ways.y), ways.z) > 0);
  return select(DOUBT, APART, missed);
}

fn touchVerdict(a: Triangle, b: Triangle, ra: f32, rb: f32) -> u32 {
  let sa = sides(a, b, ra, rb);
  if (oneSided(sa)) {
    return APART;
  }
  let sb = sides(b, a, rb, ra);
  if (oneSided(sb)) {
    return APART;
  }
  // rows: edges of a; columns: edges of b
  let w0 = passes(a[0], a[1], b, ra, rb);
  let w1 = passes(a[1], a[2], b, ra, rb);
  let w2 = passes(a[2], a[0], b, ra, rb);
  let a0 = edgeVerdict(sa.x, sa.y, w0);
  let a1 = edgeVerdict(sa.y, sa.z, w1);
  let a2 = edgeVerdict(sa.z, sa.x, w2);
  let b0 = edgeVerdict(sb.x, sb.y, vec3i(w0.x, w1.x, w2.x));
  let b1 = edgeVerdict(sb.y, sb.z, vec3i(w0.y, w1.y, w2.y));
  let b2 = edgeVerdict(sb.z, sb.x, vec3i(w0.z, w1.z, w2.z));
  if (a0 == MEETS || a1 == MEETS || a2 == MEETS || b0 == MEETS || b1 == MEETS || b2 == MEETS) {
    return MEETS;
  }
  return select(APART, DOUBT, (a0 | a1 | a2 | b0 | b1 | b2) != 0u);
}

/**
 * Whether the axis n, whatever it is, separates by more than the distance. Along n, points are off by ρ |n|₁; a dot
 * product of coordinates up to 2 about b[0] is off by 2⁻²⁰ |n|₁, and so is the distance times |n|.
 */
fn separates(n: vec3f, a: Triangle, b: Triangle, rounding: f32) -> bool {
  let a0 = dot(n, a[0] - b[0]);
  let a1 = dot(n, a[1] - b[0]);
  let a2 = dot(n, a[2] - b[0]);
  let b1 = dot(n, b[1] - b[0]);
  let b2 = dot(n, b[2] - b[0]);
  let gap = max(
    min(min(a0, a1), a2) - max(max(b1, b2), 0),
    min(min(b1, b2), 0) - max(max(a0, a1), a2),
  );
  return gap > step.distance * length(n) + (rounding + 0x1p-19) * sum(n) + 1e-35;
}

fn distanceVerdict(a: Triangle, b: Triangle, rounding: f32) -> u32 {
  var edgesA = Triangle(a[1] - a[0], a[2] - a[1], a[0] - a[2]);
  var edgesB = Triangle(b[1] - b[0], b[2] - b[1], b[0] - b[2]);
  if (separates(cross(edgesA[0], edgesA[1]), a, b, rounding) || separates(cross(edgesB[0], edgesB[1]), a, b, rounding)) {
    return APART;
  }
  for (var i = 0; i < 3; i++) {
    for (var j = 0; j < 3; j++) {
      if (separates(cross(edgesA[i], edgesB[j]), a, b, rounding)) {
        return APART;
      }
    }
  }
  return DOUBT;
}

fn sameNumber(a: u32, b: u32) -> bool {
  return a == b || ((a | b) & 0x7fffffffu) == 0u;
}

/**
 * Whether two triangles of one object are neighbours: a corner with the same number or, if the distance is 0, in the
 * same place as stored. Bits are compared: nothing is flushed.
 */
fn neighbours(a: vec4u, b: vec4u) -> bool {
  for (var i = 0; i < 3; i++) {
    for (var j = 0; j < 3; j++) {
      if (a[i] == b[j] || (step.distance == 0 && samePlace(3u * a[i], 3u * b[j]))) {
        return true;
      }
    }
  }
  return false;
}

fn samePlace(v: u32, w: u32) -> bool {
  return sameNumber(positions[v], positions[w]) && sameNumber(positions[v + 1u], positions[w + 1u])
    && sameNumber(positions[v + 2u], positions[w + 2u]);
}

fn verdictOf(pair: vec2u) -> u32 {
  let partA = parts[pair.x / PART];
  let partB = parts[pair.y / PART];
  if (partA.x == partB.x && neighbours(corners[partA.y + pair.x % PART], corners[partB.y + pair.y % PART])) {
    return APART;
  }
  let a = triangleOf(pair.x);
  let b = triangleOf(pair.y);
  let ra = table[4u * partA.x + 3u].y;
  let rb = table[4u * partB.x + 3u].y;
  if (step.distance > 0) {
    return distanceVerdict(a, b, ra + rb);
  }
  return touchVerdict(a, b, ra, rb);
}

/** From a slot here to the slot that the host knows: triangles are in another order there. */
fn slotOfHost(slot: u32) -> u32 {
  let part = parts[slot / PART];
  return part.w * PART + corners[part.y + slot % PART].w;
}

fn pairOfHost(pair: vec2u) -> vec2u {
  let a = slotOfHost(pair.x);
  let b = slotOfHost(pair.y);
  return vec2u(min(a, b), max(a, b));
}

fn reserve(counter: u32, count: u32) -> u32 {
  if (count == 0u) {
    return 0u;
  }
  if (atomicLoad(&state[counter]) > MANY) {
    atomicStore(&state[FULL], 1u);
    return MANY;
  }
  return atomicAdd(&state[counter], count);
}

/** Layout of the list: \`meetingCapacity\` pairs that meet, then those to be decided. */
@compute @workgroup_size(64)
fn verdict(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  if (thread == 0u) {
    shared0 = min(atomicLoad(&state[CANDIDATES]), step.candidateCapacity);
  }
  let count = workgroupUniformLoad(&shared0);
  for (var first = 64u * group.x; first < count; first += 64u * groups.x) {
    var found = APART;
    var pair = vec2u(0);
    if (first + thread < count) {
      pair = previous[first + thread];
      found = verdictOf(pair);
    }
    var at = 0u;
    if (found == MEETS) {
      at = atomicAdd(&meetingCount, 1u);
    } else if (found == DOUBT) {
      at = atomicAdd(&doubtfulCount, 1u);
    }
    workgroupBarrier();
    if (thread == 0u) {
      meetingAt = reserve(MEETING, atomicExchange(&meetingCount, 0u));
      doubtfulAt = reserve(DOUBTFUL, atomicExchange(&doubtfulCount, 0u));
    }
    workgroupBarrier();
    if (found == MEETS && meetingAt + at < step.meetingCapacity) {
      let meeting = pairOfHost(pair);
      list[meetingAt + at] = meeting;
      atomicAdd(&state[step.tallyWord + meeting.x], 1u);
    } else if (found == DOUBT && doubtfulAt + at < step.doubtfulCapacity) {
      list[step.meetingCapacity + doubtfulAt + at] = pairOfHost(pair);
    }
    workgroupBarrier();
  }
}
`;
