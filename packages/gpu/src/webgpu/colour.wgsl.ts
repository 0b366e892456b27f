/**
 * Colours of objects: an item is held against the objects of its partners' colours instead of all the rest, where
 * partners are objects whose boxes overlap (visibility.ts). There are few colours, and they serve if partners differ.
 *
 * All objects take a colour at random. `clash` finds those that have a partner's; of two, the one of lower rank loses
 * and takes another that none of its partners has, if there is one. So in the next turn only losers can clash again,
 * and in three turns hardly any do. Objects no more than colours have one each, and there is no turn.
 *
 * **Any colours are safe.** Let items I of O and J of P meet. I meets the box of P, so P's colour is among those I is
 * held against, and the image of that colour holds J: I is not free of it. If O has the same colour, that image holds I
 * too, and I is kept unnecessarily; that is all.
 *
 * Layout: the colour of an object is in the unused place of its box (`low.w`). Between `clash` and `again` its word
 * holds the colours of its partners and LOST.
 */

const LOST = /* wgsl */ `
const LOST = 0x40000000u;

/** One to one, hence no two objects of the same rank. */
fn hash(number: u32) -> u32 {
  var x = number;
  x = (x ^ (x >> 16u)) * 0x7feb352du;
  x = (x ^ (x >> 15u)) * 0x846ca68bu;
  return x ^ (x >> 16u);
}
`;

export const COLOUR = /* wgsl */ `
${LOST}

@compute @workgroup_size(64)
fn first(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var object = thread.x; object < step.objects; object += 64u * groups.x) {
    let colour = select(hash(object), object, step.objects <= step.colours) % step.colours;
    boxes[step.parts + object].low.w = f32(colour);
  }
}

@compute @workgroup_size(64)
fn again(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var object = thread.x; object < step.objects; object += 64u * groups.x) {
    let taken = atomicExchange(&state[step.objectWord + object], 0u);
    var free = ~taken & ((1u << step.colours) - 1u);
    if ((taken & LOST) == 0u || free == 0u) {
      continue;
    }
    // any of them: losers next to each other seldom choose the same
    for (var skip = hash(object ^ (taken << 20u)) % countOneBits(free); skip > 0u; skip--) {
      free &= free - 1u;
    }
    boxes[step.parts + object].low.w = f32(firstTrailingBit(free));
  }
}
`;

export const CLASH = /* wgsl */ `
${LOST}

@compute @workgroup_size(64)
fn clash(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = min(atomicLoad(&state[OBJECT_PAIRS]), step.objectPairCapacity);
  for (var i = thread.x; i < count; i += 64u * groups.x) {
    let pair = previous[i];
    if (pair.x == pair.y) {
      continue;
    }
    let colours = vec2u(u32(boxes[step.parts + pair.x].low.w), u32(boxes[step.parts + pair.y].low.w));
    var told = vec2u(1u) << colours.yx;
    if (colours.x == colours.y) {
      if (hash(pair.x) < hash(pair.y)) {
        told.x |= LOST;
      } else {
        told.y |= LOST;
      }
    }
    atomicOr(&state[step.objectWord + pair.x], told.x);
    atomicOr(&state[step.objectWord + pair.y], told.y);
  }
}
`;
