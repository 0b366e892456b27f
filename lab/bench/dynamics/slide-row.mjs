/**
 * Contacts of two things that slide along each other: contact levels at three errors against the exact engine, on the
 * same poses, warm, one thread, in processor time. The exact engine only counts pairs of triangles; the same answer,
 * with the closest points of each pair, is measured beside it. Every distance that contact levels give is compared with
 * the exact one.
 */
import { buildContactLevels, ContactPair } from '@impinge/dynamics';
import { bowl, cup, numbers, spiralPeg, spoon, wrinkledTorus } from '@impinge/scenes/contact';
import { collide, distance, Mesh, within } from 'impinge';
import { distanceSqTriangleTriangle } from 'impinge/geometry';
import { torus } from '../../scenes/solids.mjs';
import { count, median, milliseconds } from '../measure/figures.mjs';

/** Poses along the way; fewer if some cannot be lowered to contact. */
const POSES = 80;
/** Errors as shares of the radius of the surface slid on. */
const SHARES = [0.035, 0.0035, 0.00035];
/** Contact distance as a share of that radius. */
const REACH = 0.01;
/** Required of the same answer at any error: contact levels take no longer, but for 5 %. */
const LEAST_OF_SAME = 1 / 1.05;
/** Required ratios to a count at the first error. */
const ASKED = { 'spoon in cup': 10, 'torus on peg': 3, 'number in bowl': 3 };
const ROUNDING = 1e-12;
/** Time budgets, and the permitted overrun in %. */
const BUDGETS_MS = [0.5, 2];
const MOST_OVERRUN = 5;
/** Factor on the contact distance, so that there is more work than the budget allows. */
const WIDE = 10;
const BUDGET_RUNS = 5;
/** Processor time until everything is compiled, and minimum length of a run. */
const WARM_MS = 500;
const RUN_MS = 100;

export async function slideRow({ figures, repetitions, quick }) {
  figures.begin('slide', 'contacts of things that slide, one thread, warm');
  const scenes = [
    ['number in bowl', bowl(), numbers()[8], (t) => ({ lean: 1.3, turn: t, x: 0.05 - 0.04 * t })],
    ['spoon in cup', cup(), spoon(), (t) => ({ lean: 1.15 + 0.1 * t, turn: t, x: -0.02 })],
    ['torus on torus', lyingTorus(), lyingTorus(), (t) => ({ lean: 0.02, turn: t, x: 0.002 })],
    ['torus on peg', spiralPeg(), wrinkledTorus(), (t) => ({ lean: 0.1 + 0.2 * t, turn: 2 * t, x: 0 })],
  ];
  for (const [name, fixed, moved, path] of quick ? scenes.slice(0, 1) : scenes) {
    const [a, b] = [Mesh.from(fixed), Mesh.from(moved)];
    const poses = settled(a, b, path);
    figures.assert(poses.length > 0, `${name}: no pose in which they touch`);
    const radius = radiusOf(fixed.positions);
    const reach = REACH * radius;
    const exact = timed(repetitions, poses, (poseB) => within(a, b, { poseB, distance: reach }).count);
    figures.add(`${name}, exact`, {
      mean: milliseconds(exact.means),
      pairs: count(exact.answer),
      poses: count(poses.length),
    });
    const pointsOf = closestPoints(fixed, moved);
    const same = timed(repetitions, poses, (poseB) => {
      const { pairs } = within(a, b, { poseB, distance: reach });
      return pointsOf(pairs, poseB).length;
    });
    figures.add(`${name}, exact with closest points`, { mean: milliseconds(same.means) });
    const [levelsA, levelsB] = [buildContactLevels(a), buildContactLevels(b)];
    const pair = new ContactPair(levelsA, levelsB);
    for (const share of SHARES) {
      const allowed = share * radius;
      const asked = timed(
        repetitions,
        poses,
        (poseB) => pair.contacts({ poseB, distance: reach, allowed }).contacts.length,
      );
      const faster = exact.means.map((mean, i) => mean / asked.means[i]);
      figures.add(`${name}, ${Number((100 * share).toPrecision(3))} % of the radius`, {
        mean: milliseconds(asked.means),
        contacts: count(asked.answer),
        faster: {
          value: faster,
          unit: '×',
          asked: share === SHARES[0] && ASKED[name] && !quick ? { least: ASKED[name] } : undefined,
        },
        'faster than with points': {
          value: same.means.map((mean, i) => mean / asked.means[i]),
          unit: '×',
          asked: quick ? undefined : { least: LEAST_OF_SAME },
        },
      });
      for (const poseB of poses) {
        const { lower, upper } = pair.distance({ poseB, allowed });
        const apart = distance(a, b, { poseB }).distance;
        figures.assert(
          lower <= apart + ROUNDING && apart <= upper + ROUNDING,
          `${name}: ${apart} is not between ${lower} and ${upper}`,
        );
      }
    }
    for (const ms of BUDGETS_MS) {
      const overruns = withBudget(pair, poses, { distance: WIDE * reach, allowed: 0, ms });
      figures.add(`${name}, ${ms} ms`, {
        overrun: { value: overruns, unit: '%', asked: quick ? undefined : { most: MOST_OVERRUN } },
      });
    }
    for (const used of [pair, levelsA, levelsB, a, b]) used.dispose();
  }
}

/** Of 10 000 triangles, its axis upwards. */
function lyingTorus() {
  const { positions, indices } = torus(0.1, 0.03, 100, 50);
  const turned = positions.slice();
  for (let i = 0; i < positions.length; i += 3)
    [turned[i + 1], turned[i + 2]] = [positions[i + 2], -positions[i + 1]];
  return { positions: turned, indices };
}

/** What finds the closest points of pairs of triangles, as objects. */
function closestPoints(fixed, moved) {
  const cornersOf = ({ positions, indices }) =>
    Float64Array.from(
      { length: 3 * indices.length },
      (_, i) => positions[3 * indices[Math.floor(i / 3)] + (i % 3)],
    );
  const [ofA, ofB] = [cornersOf(fixed), cornersOf(moved)];
  const [posed, points] = [new Float64Array(9), new Float64Array(8)];
  return (pairs, { rotation: r, translation: t }) => {
    const found = [];
    for (let i = 0; i < pairs.length; i += 2) {
      const from = 9 * pairs[i + 1];
      for (let c = 0; c < 9; c += 3) {
        const [x, y, z] = [ofB[from + c], ofB[from + c + 1], ofB[from + c + 2]];
        for (let k = 0; k < 3; k++) posed[c + k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + t[k];
      }
      const sq = distanceSqTriangleTriangle(ofA, 9 * pairs[i], posed, 0, points);
      const [ax, ay, az, bx, by, bz] = points;
      found.push({ distance: Math.sqrt(sq), pointA: [ax, ay, az], pointB: [bx, by, bz] });
    }
    return found;
  };
}

/** Milliseconds of processor time per pose in each run, after a warm-up, and the result per pose. */
function timed(runs, poses, ask) {
  const spent = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const repeated = (leastMs) => {
    let [done, answer] = [0, 0];
    const start = spent();
    do {
      answer = poses.reduce((sum, pose) => sum + ask(pose), 0) / poses.length;
      done++;
    } while (spent() - start < leastMs);
    return { mean: (spent() - start) / (done * poses.length), answer };
  };
  const { answer } = repeated(WARM_MS);
  return { means: Array.from({ length: runs }, () => repeated(RUN_MS).mean), answer };
}

/** The overrun of a budget in %: the median of several runs for each pose, by processor time. */
function withBudget(pair, poses, { distance, allowed, ms }) {
  const now = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const ask = (poseB) => pair.contacts({ poseB, distance, allowed, budget: { ms, now } });
  for (const start = now(); now() - start < WARM_MS; ) for (const poseB of poses) ask(poseB);
  return poses.map((poseB) => {
    const runs = Array.from({ length: BUDGET_RUNS }, () => {
      const start = now();
      ask(poseB);
      return Math.max(0, (100 * (now() - start - ms)) / ms);
    });
    return median(runs);
  });
}

/** Poses along a path, lowered until they nearly touch; omitted where that fails. */
function settled(a, b, path) {
  const poses = [];
  for (let i = 0; i < POSES; i++) {
    const { lean, turn, x } = path(i / POSES);
    let [high, low] = [0.5, -0.2];
    const free = (y) => !collide(a, b, { poseB: placed(lean, turn, x, y) }).colliding;
    if (!free(high)) continue;
    for (let halving = 0; halving < 40; halving++) {
      const middle = (high + low) / 2;
      if (free(middle)) high = middle;
      else low = middle;
    }
    if (!free(high) || high - low > 1e-9 || low < -0.19) continue;
    poses.push(placed(lean, turn, x, high + 1e-5));
  }
  return poses;
}

/** Rotated about z, then about y, then shifted: x along the rotated axis, y up. */
function placed(lean, turn, x, y) {
  const [c, s, d, t] = [Math.cos(lean), Math.sin(lean), Math.cos(turn), Math.sin(turn)];
  return {
    rotation: [d * c, -d * s, t, s, c, 0, -t * c, t * s, d],
    translation: [d * x, y, -t * x],
  };
}

/** Half the largest extent. */
function radiusOf(positions) {
  let most = 0;
  for (let k = 0; k < 3; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = k; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    most = Math.max(most, (high - low) / 2);
  }
  return most;
}
