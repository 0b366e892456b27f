/** Walks over levels: parts of trees against fronts, kept cuts against walks from the top. */
import { Random } from '@impinge/scenes/random';
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { expect, test } from 'vitest';
import { FAST, runs } from '../../../../test/budget.js';
import { Cut, type CutMove, type Open, Walked } from '../../src/level-queries/cut.js';
import { type IsSplit, LevelTree } from '../../src/level-queries/level-tree.js';
import { PosedBoxes } from '../../src/level-queries/posed-boxes.js';
import { frontOf } from '../../src/store/front.js';
import type { StoredModel } from '../../src/store/model.js';
import { openStore } from '../../src/store/open.js';
import { MemorySource } from '../../src/store/page-source.js';
import { randomLevels } from '../draw/random-levels.js';
import { FAMILIES } from '../levels/families.js';
import { moved, named, storeBytes } from '../store/fixtures.js';
import { poseOf } from './originals.js';

const SIZE = FAST ? 12 : 24;
const ring = FAMILIES['torus'](SIZE, new Random(1));
const sheet = FAMILIES['terrain'](SIZE, new Random(2));
const bytes = await storeBytes(
  [
    { geometry: ring, objects: [named('a'), named('b', moved(1.5, 0, 0.2)), named('c', moved(0, 1.6, 0))] },
    { geometry: sheet, objects: [named('d', moved(0.2, 0.3, 0.5))] },
  ],
  { levels: true, pieceTriangles: 64 },
);
const model = await openStore(new MemorySource(bytes));
const tree = new LevelTree(model);
const other = new LevelTree(model);
const { pieceOut, pieceIn, objectShape } = model.directory;
const errors = [...new Set(Array.from(pieceOut, (out, i) => out + pieceIn[i]))].sort((p, q) => p - q);

function opener(of: LevelTree, isSplit: IsSplit): (node: number) => number[] {
  return (node) => {
    const list: number[] = [];
    of.open(node, isSplit, list);
    return list;
  };
}

function boxOf(node: number): Float64Array {
  const at = tree.boxAt(node);
  return tree.boxes.slice(at, at + 6);
}

test('the levels are worth walking', () => {
  expect(errors.length).toBeGreaterThan(8);
});

test('at every error: the front of each object, each piece once, all boxes in those above', () => {
  const limits = errors.flatMap((error) => [error, error * (1 - 1e-12)]);
  for (const limit of limits) {
    const isSplit: IsSplit = (_, error) => error > limit;
    const found: number[] = [];
    const beyond: number[] = [];
    const stack = [tree.root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node >= tree.nodes) {
        found.push(node - tree.nodes);
        continue;
      }
      const box = boxOf(node);
      for (const child of opener(tree, isSplit)(node)) {
        const own = boxOf(child);
        // but for rounding, where boxes are posed
        const isInside = [0, 1, 2].every((k) => own[k] > box[k] - 1e-12 && own[k + 3] < box[k + 3] + 1e-12);
        if (!isInside) beyond.push(child);
        stack.push(child);
      }
    }
    expect(beyond).toEqual([]);
    const expected: string[] = [];
    for (let object = 0; object < model.objectCount; object++) {
      for (const piece of frontOf(model, objectShape[object], limit)) expected.push(`${object} ${piece}`);
    }
    const named = found.map((part) => `${tree.objects[part]} ${tree.pieceOf(part)}`);
    expect(named.sort()).toEqual(expected.sort());
    const largest = (of: (piece: number) => number) =>
      Math.max(...found.map((part) => of(tree.pieceOf(part))));
    expect(tree.largestErrors(limit)).toEqual({
      out: largest((piece) => pieceOut[piece]),
      in: largest((piece) => pieceIn[piece]),
      error: largest((piece) => pieceOut[piece] + pieceIn[piece]),
    });
  }
});

test('of levels at random, where steps take some of the pieces of others: every cell once', () => {
  for (let seed = 0; seed < runs(60); seed++) {
    const { directory, cells, cellsOfShape } = randomLevels(seed);
    const { pieceOut, pieceIn } = directory;
    const random = new LevelTree({ directory, pose: () => IDENTITY } as unknown as StoredModel);
    for (const limit of [0, 0.3, 0.6, 1, 2, 4, Infinity]) {
      const found: number[] = [];
      const stack = [random.root];
      for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
        if (node >= random.nodes) found.push(node - random.nodes);
        else random.open(node, (_, error) => error > limit, stack);
      }
      for (let object = 0; object < directory.objectShape.length; object++) {
        const pieces = found
          .filter((part) => random.objects[part] === object)
          .map((part) => random.pieceOf(part));
        const covered = pieces.flatMap((piece) => [...cells[piece]]).sort((p, q) => p - q);
        const shape = cellsOfShape[directory.objectShape[object]];
        expect(covered).toEqual([...shape].sort((p, q) => p - q));
        expect(pieces.every((piece) => pieceOut[piece] + pieceIn[piece] <= limit)).toBe(true);
      }
    }
  }
});

/** A walk from the top, which keeps nothing. */
function walk(boxes: PosedBoxes, isSplit: IsSplit, reach: number): Set<number> {
  const found = new Set<number>();
  const stack: [number, number][] = [[tree.root, other.root]];
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    const [a, b] = pair;
    if (Math.sqrt(boxes.gapSq(a, b)) > reach) continue;
    if (a >= tree.nodes && b >= other.nodes) {
      found.add((a - tree.nodes) * other.parts + b - other.nodes);
      continue;
    }
    const list: number[] = [];
    const ofA = boxes.opensFirst(a, b);
    if (ofA) tree.open(a, isSplit, list);
    else other.open(b, isSplit, list);
    for (const child of list) stack.push(ofA ? [child, b] : [a, child]);
  }
  return found;
}

/** A pose a little farther on. */
function stepped(pose: RigidPose, random: Random, by: number): RigidPose {
  const next = pose.slice() as RigidPose;
  for (let k = 9; k < 12; k++) next[k] += by * (2 * random.next() - 1);
  return next;
}

/** More than any point of b moves between poses that differ in place only. */
function way(from: RigidPose, to: RigidPose): number {
  return Math.hypot(to[9] - from[9], to[10] - from[10], to[11] - from[11]) * (1 + 1e-9);
}

/** What is split at an error, and among some of the steps at another: then few nodes are opened into something else. */
function splitAt(limit: number, elsewhere: number, random: Random): IsSplit {
  const isElsewhere = [0, 1, 2, 3].map(() => random.chance(0.5));
  return (node, error) => error > (isElsewhere[Math.floor((4 * node) / tree.root)] ? elsewhere : limit);
}

test('a kept cut visits what a walk from the top finds, while b moves, and reach and levels change', () => {
  const random = new Random(5);
  const walked = new Walked();
  let [visited, same] = [0, 0];
  for (let seed = 0; seed < runs(16); seed++) {
    const boxes = new PosedBoxes(tree, other);
    const anyError = () => errors[Math.floor(errors.length * random.next())];
    let isSplit = splitAt(anyError(), anyError(), random);
    const cut = new Cut(tree, other, boxes, walked, opener(tree, isSplit), opener(other, isSplit));
    let pose = poseOf(random, 1.2);
    let gone = 0;
    let distance = 0.1 * random.next();
    for (let step = 0; step < 12; step++) {
      const next = stepped(pose, random, step % 4 === 3 ? 1 : 0.02);
      gone += way(pose, next);
      pose = next;
      if (random.next() < 0.5) {
        const limit = anyError();
        isSplit = splitAt(limit, random.chance(0.5) ? limit : anyError(), random);
        const before = [...seenIn(cut, { bToA: pose, way: gone, reach: distance })].sort();
        const isOther = cut.openAgain(opener(tree, isSplit), opener(other, isSplit));
        // nothing needs to be looked up again where it says so
        if (!isOther) {
          expect([...walk(boxes, isSplit, distance)].sort()).toEqual(before);
          same++;
        }
      }
      if (random.next() < 0.3) distance = 0.1 * random.next();
      const seen = seenIn(cut, { bToA: pose, way: gone, reach: distance });
      const found = walk(boxes, isSplit, distance);
      expect([...found].filter((key) => !seen.has(key))).toEqual([]);
      expect([...seen].filter((key) => !found.has(key))).toEqual([]);
      visited += seen.size;
    }
  }
  expect(visited).toBeGreaterThan(0);
  if (!FAST) expect(same).toBeGreaterThan(0);
  expect(Math.min(walked.split, walked.merged)).toBeGreaterThan(100);
});

/** What a cut visits, each pair once, and near enough. */
function seenIn(cut: Cut, move: CutMove): Set<number> {
  const seen = new Set<number>();
  const wrong: number[] = [];
  cut.move(move, (a, b, gap) => {
    const key = a * other.parts + b;
    if (seen.has(key) || gap > move.reach) wrong.push(key);
    seen.add(key);
  });
  expect(wrong).toEqual([]);
  return seen;
}

test('where opening nodes fails on the way, nothing that was kept is relied on', () => {
  const random = new Random(6);
  const walked = new Walked();
  const boxes = new PosedBoxes(tree, other);
  const isSplit: IsSplit = (_, error) => error > errors[2];
  const [openA, openB] = [opener(tree, isSplit), opener(other, isSplit)];
  const cut = new Cut(tree, other, boxes, walked, openA, openB);
  let pose = poseOf(random, 0.5);
  let gone = 0;
  let failed = 0;
  for (let step = 0; step < runs(40); step++) {
    const next = stepped(pose, random, 0.3);
    gone += way(pose, next);
    pose = next;
    const move = { bToA: pose, way: gone, reach: 0.05 };
    let left = random.integer(0, 20);
    const openOrFail = (open: Open) => (node: number) => {
      if (left-- === 0) throw new Error('not today');
      return open(node);
    };
    try {
      cut.openAgain(openOrFail(openA), openOrFail(openB));
      cut.move(move, () => {});
    } catch {
      failed++;
    }
    cut.openAgain(openA, openB);
    expect([...seenIn(cut, move)].sort()).toEqual([...walk(boxes, isSplit, move.reach)].sort());
  }
  expect(failed).toBeGreaterThan(runs(40) / 4);
});

test('a body at rest and one far away move no cut', () => {
  const walked = new Walked();
  const boxes = new PosedBoxes(tree, other);
  const isSplit: IsSplit = (_, error) => error > errors[4];
  const cut = new Cut(tree, other, boxes, walked, opener(tree, isSplit), opener(other, isSplit));
  const move = { way: 0, reach: 0.01 };
  const near = IDENTITY.slice() as RigidPose;
  cut.move({ ...move, bToA: near }, () => {});
  const { split, merged } = walked;
  cut.move({ ...move, bToA: near }, () => {});
  expect([walked.split, walked.merged]).toEqual([split, merged]);
  const far = near.slice() as RigidPose;
  far[9] += 100;
  cut.move({ ...move, bToA: far, way: 101 }, () => expect.unreachable());
  expect(walked.cut).toBe(1);
});
