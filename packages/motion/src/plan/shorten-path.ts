/**
 * A shorter path with more room, of motions that are all proved: pieces are replaced by straight motions between two
 * of its places, and places moved to where the body has more room.
 */
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { apart, type RoomySpace, type State, type StateSpace } from './state-space.js';

/** Places between two others that are looked at before the straight motion is proved. */
const LOOKS = [0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875];
/** Shortcuts tried: so many, and so many for every motion of the path. */
const SHORTCUTS = 20;
const SHORTCUTS_PER_MOTION = 2;
/** Times that every place is moved, and how far at most, as a share of the way to its neighbours. */
const ROUNDS = 1;
const FARTHEST = 0.3;

/**
 * A path over some of the places of another, all of its motions proved: the longest that are free when stretches are
 * halved. Where two neighbours are not joined by a free motion, its number.
 */
export function provePath(space: StateSpace, states: readonly State[]): State[] | number {
  const out = [states[0]];
  const prove = (from: number, to: number): number => {
    const isNext = to === from + 1;
    if ((isNext || looksFree(space, states[from], states[to])) && space.edgeFree(states[from], states[to])) {
      out.push(states[to]);
      return -1;
    }
    if (isNext) return from;
    const middle = (from + to) >> 1;
    const failed = prove(from, middle);
    return failed >= 0 ? failed : prove(middle, to);
  };
  const failed = states.length > 1 ? prove(0, states.length - 1) : -1;
  return failed >= 0 ? failed : out;
}

export function looksFree(space: StateSpace, from: State, to: State): boolean {
  return LOOKS.every((share) => space.keepsClear(space.interpolate(from, to, share)));
}

/** Stops where it is too late. */
export function shortenPath(
  space: StateSpace,
  path: readonly State[],
  random: SeededRandom,
  isLate: () => boolean,
): State[] {
  let states = [...path];
  let tries = SHORTCUTS + SHORTCUTS_PER_MOTION * states.length;
  for (; tries > 0 && states.length > 2 && !isLate(); tries--) {
    states = shortcut(space, states, random);
  }
  return states;
}

/** Replaces what is between two random places of a path, if the straight motion is free and shorter. */
function shortcut(space: StateSpace, states: State[], random: SeededRandom): State[] {
  const lengths = states.slice(1).map((state, i) => apart(space, states[i], state));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const [a, b] = [random.next() * total, random.next() * total].sort((x, y) => x - y);
  const from = placeAt(space, states, lengths, a);
  const to = placeAt(space, states, lengths, b);
  if (from.motion === to.motion) return states;
  const straight = apart(space, from.state, to.state);
  if (straight > 0.99 * (b - a)) return states;
  if (!looksFree(space, from.state, to.state) || !space.edgeFree(from.state, to.state)) return states;
  const out = [...states.slice(0, from.motion + 1), from.state, to.state, ...states.slice(to.motion + 1)];
  // the pieces that are left of two motions round differently from the whole
  const isProved =
    space.edgeFree(out[from.motion], from.state) && space.edgeFree(to.state, out[from.motion + 3]);
  return isProved ? out : states;
}

/** Where a path is after a length, and on which of its motions. */
function placeAt(space: StateSpace, states: readonly State[], lengths: readonly number[], length: number) {
  let left = length;
  let motion = 0;
  while (motion < lengths.length - 1 && left > lengths[motion]) left -= lengths[motion++];
  const share = Math.min(1, left / lengths[motion]);
  return { motion, state: space.interpolate(states[motion], states[motion + 1], share) };
}

/** Moves every place but the ends to where it has more room, while its motions stay free. */
export function clearPath(
  space: RoomySpace,
  path: readonly State[],
  random: SeededRandom,
  isLate: () => boolean,
): State[] {
  const states = [...path];
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 1; i < states.length - 1 && !isLate(); i++) {
      const [before, after] = [states[i - 1], states[i + 1]];
      const room = roomAt(space, before, states[i], after);
      const step = FARTHEST * Math.min(apart(space, before, states[i]), apart(space, states[i], after));
      const moved = space.sampleNear(states[i], Math.min(step, 2 * room), random);
      if (!space.keepsClear(moved) || !(roomAt(space, before, moved, after) > room)) continue;
      if (space.edgeFree(before, moved) && space.edgeFree(moved, after)) states[i] = moved;
    }
  }
  return states;
}

/** The least room at a place and halfway to its neighbours. */
function roomAt(space: RoomySpace, before: State, state: State, after: State): number {
  const places = [space.interpolate(before, state, 0.5), state, space.interpolate(state, after, 0.5)];
  return places.reduce((least, place) => Math.min(least, space.roomAt(place, least)), Infinity);
}
