/**
 * Puts configurations before a device and compares with the oracle. Runs in Node and in a page: what is wrong comes
 * back as text.
 */
import { seededRandom } from '../../../lab/scenes/index.mjs';
import type { CullerOptions, CullingDevice, CullingStage } from '../src/index.js';
import { VisibilityCuller } from '../src/index.js';
import {
  type Configuration,
  configuration,
  disposeAll,
  FAMILY_NAMES,
  type Placed,
  realise,
} from './configurations.js';
import { allDistances, libraryRows, meetingRows, objectsIn, type Row, rowsOf } from './oracle.js';
import { ball, mapped, moved, sheet, soupOf } from './shapes.js';

/** What came of some configurations. */
export interface Findings {
  /** One line for each answer that is not right. */
  readonly wrong: string[];
  configurations: number;
  /** Configurations with at least one contact. */
  meeting: number;
  pairs: number;
  objects: number;
  /**
   * Objects that meet others, and objects in the potentially colliding sets; both without configurations that were not
   * culled.
   */
  colliding: number;
  kept: number;
  candidates: number;
  doubts: number;
}

const STAGES: readonly (readonly CullingStage[])[] = [
  ['boxes', 'objects', 'parts', 'triangles'],
  ['boxes'],
  ['objects'],
  ['parts', 'triangles'],
  ['triangles'],
  [],
];

const METHODS = ['split-tree', 'queries'] as const;
function wayOf(stages: number, method: number, resolution: number, seed: number): CullerOptions {
  return {
    stages: STAGES[stages],
    method: METHODS[method],
    resolution,
    randomDirections: seed % 4,
    seed,
    partSize: seed % 3 === 0 ? 64 : 16,
    rounds: 1 + (seed % 5),
  };
}

/** On the CPU, which draws nothing, ways differ in the size of parts alone. */
export const CPU_WAYS: readonly CullerOptions[] = [{ partSize: 16 }, { partSize: 64 }];

/** For drivers in software: all stages by both methods at 64, then some at other resolutions. */
export const GPU_WAYS: readonly CullerOptions[] = [
  ...Array.from({ length: 12 }, (_, k) => wayOf(k % 6, Math.floor(k / 6), 64, k)),
  ...[wayOf(0, 0, 256, 0), wayOf(1, 1, 256, 1), wayOf(3, 1, 256, 2), wayOf(4, 0, 256, 1)],
  ...[wayOf(1, 1, 800, 0), wayOf(3, 0, 800, 4), wayOf(4, 1, 800, 0)],
  ...[wayOf(0, 0, 7, 2), wayOf(2, 1, 1, 3)],
  // of one stage, in parts of 64
  ...[wayOf(4, 0, 64, 3), wayOf(4, 1, 64, 3)],
];

/** A configuration, and one of `GPU_WAYS`. */
export type Case = readonly [number: number, way: number];

/** So many configurations, of families in turn, for each way of a resolution; of all ways or of some. */
export function gpuCases(
  counts: Readonly<Record<number, number>>,
  ways: readonly number[] = [...GPU_WAYS.keys()],
): Case[] {
  let number = 0;
  return ways.flatMap((way) =>
    Array.from({ length: counts[GPU_WAYS[way].resolution!] ?? 0 }, (): Case => [number++, way]),
  );
}

export function noFindings(): Findings {
  return {
    wrong: [],
    configurations: 0,
    meeting: 0,
    pairs: 0,
    objects: 0,
    colliding: 0,
    kept: 0,
    candidates: 0,
    doubts: 0,
  };
}

/** The share of objects in the potentially colliding sets, and what it was at best. */
export function summaryOf(f: Findings): string {
  const share = (n: number) => `${((100 * n) / f.objects).toFixed(1)} %`;
  return (
    `${f.configurations} configurations, ${f.meeting} with a contact, ${f.pairs} pairs; potentially colliding ` +
    `${share(f.kept)} of ${f.objects} objects (${share(f.colliding)} collide); ` +
    `${f.candidates} candidates, ${f.doubts} doubts`
  );
}

/** One culler for each way, used again and again. */
export class Examiner {
  readonly #device: CullingDevice;
  readonly #ways: readonly CullerOptions[];
  readonly #cullers = new Map<number, VisibilityCuller>();
  readonly #said: string[] = [];
  readonly findings = noFindings();

  constructor(device: CullingDevice, ways: readonly CullerOptions[] = CPU_WAYS) {
    this.#device = device;
    this.#ways = ways;
  }

  /** Which triangles meet, and who may: against the oracle. */
  async meeting(number: number, way = this.#wayFor(number)): Promise<Row[]> {
    return this.#withScene(number, way, configuration(number), async (culler, placed, first, complain) => {
      const set = await culler.potentiallyCollidingSet();
      const pairs = await culler.collide();
      const rows = rowsOf(pairs).map(([a, i, b, j]): Row => [a - first, i, b - first, j]);
      const expected = meetingRows(placed);
      const difference = firstDifference(rows, expected);
      if (difference) complain(`collide: ${difference}`);
      if (pairs.count !== rows.length) complain(`count ${pairs.count} for ${rows.length} pairs`);
      const kept = [...set.objects].map((id) => id - first);
      const missed = objectsIn(expected).filter((object) => !kept.includes(object));
      if (missed.length > 0) complain(`the potentially colliding set lacks ${missed}`);
      if (kept.some((object, i) => object < 0 || object >= placed.length || object <= (kept[i - 1] ?? -1))) {
        complain(`the potentially colliding set is ${kept}`);
      }
      const { findings } = this;
      findings.meeting += expected.length > 0 ? 1 : 0;
      findings.pairs += expected.length;
      findings.objects += placed.length;
      findings.colliding += objectsIn(expected).length;
      findings.kept += kept.length;
      findings.candidates += pairs.stats.candidates;
      findings.doubts += pairs.stats.doubts;
      return rows;
    });
  }

  /** Pairs within a distance, and the closest one: against all distances. */
  async near(number: number, way = this.#wayFor(number)): Promise<void> {
    await this.#withScene(number, way, configuration(number), async (culler, placed, first, complain) => {
      const { rows, distances, doubts } = allDistances(placed);
      // the closest pair is one of different objects
      const sorted = distances.filter((_, i) => rows[i][0] !== rows[i][2]).sort((x, y) => x - y);
      const nearest = sorted[0];
      const some = sorted[Math.floor(sorted.length / 20)];
      const index = new Map(rows.map((row, i) => [row.join(), i]));
      for (const distance of new Set([0, nearest, some, 0.7 * some])) {
        const found = new Set(
          rowsOf(await culler.within({ distance })).map(([a, i, b, j]) =>
            [a - first, i, b - first, j].join(),
          ),
        );
        for (const name of found) {
          const i = index.get(name) ?? -1;
          const excess = distances[i] - distance - doubts[i];
          if (!(distances[i] === 0 || excess <= 0))
            complain(`within ${distance}: ${name} is ${excess} beyond`);
        }
        rows.forEach((row, i) => {
          const within = distances[i] === 0 || (distance > 0 && distances[i] <= distance - doubts[i]);
          if (within && !found.has(row.join()))
            complain(`within ${distance}: ${row} at ${distances[i]} is missing`);
        });
      }
      const doubt = Math.max(...doubts);
      for (const atMost of [
        Infinity,
        2 * some + doubt,
        nearest * (1 + 1e-9) + 4 * doubt,
        nearest * (1 - 1e-9) - 4 * doubt,
      ]) {
        if (!(atMost > 0)) continue;
        const closest = await culler.distance({ atMost });
        if (atMost < nearest) {
          if (closest)
            complain(`distance at most ${atMost}: ${closest.distance}, but ${nearest} is the least`);
          continue;
        }
        if (!closest) complain(`distance at most ${atMost}: nothing, but ${nearest} is the least`);
        else {
          const [a, b] = closest.objects;
          const i = index.get([a - first, closest.triangles[0], b - first, closest.triangles[1]].join());
          const gap = Math.hypot(...[0, 1, 2].map((k) => closest.points[0][k] - closest.points[1][k]));
          const largest = Math.max(...closest.points.flat().map(Math.abs));
          if (i === undefined) complain(`distance: there is no pair ${closest.objects} ${closest.triangles}`);
          else if (Math.abs(distances[i] - closest.distance) > doubt || closest.distance > nearest + doubt) {
            complain(`distance: ${closest.distance} for a pair at ${distances[i]}, ${nearest} is the least`);
          }
          if ((nearest === 0) !== (closest.distance === 0))
            complain(`distance ${closest.distance}, not ${nearest}`);
          // a pose that is not quite rigid changes lengths
          if (Math.abs(gap - closest.distance) > 20 * doubt + 1e-15 * largest + 2e-5 * gap) {
            complain(`distance ${closest.distance}, but its points are ${gap} apart`);
          }
        }
      }
    });
  }

  /** A sheet of many parts, folded through itself, and a ball in it: against the library. */
  async folded(number: number, way = this.#wayFor(number)): Promise<void> {
    const random = seededRandom(number);
    const amplitude = 0.3 + random();
    const crumpled = mapped(sheet(12), (x, y) => [
      x + amplitude * Math.sin(5 * y + number),
      y + 0.3 * Math.sin(7 * x),
      0.2 * Math.sin(4 * x * y) + 0.01 * random(),
    ]);
    const shapes = [crumpled, moved(ball(1), [0.2, 0.1, 0], 0.4), soupOf(crumpled)];
    const family = 'general position';
    const items = shapes.map((shape, i) => ({
      shape,
      pose: { translation: [0, 0, 1.5 * Math.max(0, i - 1)] },
    }));
    const scene = { family, items, self: [true, false, true] } as const;
    await this.#withScene(number, way, scene, async (culler, placed, first, complain) => {
      const rows = rowsOf(await culler.collide()).map(([a, i, b, j]): Row => [a - first, i, b - first, j]);
      const expected = libraryRows(placed);
      const difference = firstDifference(rows, expected);
      if (difference) complain(`folded: ${difference}`);
      this.findings.pairs += expected.filter(([a, , b]) => a === b).length;
    });
  }

  async #withScene<T>(
    number: number,
    way: number,
    scene: Configuration,
    ask: (
      culler: VisibilityCuller,
      placed: readonly Placed[],
      first: number,
      complain: (what: string) => void,
    ) => Promise<T>,
  ): Promise<T> {
    const culler = this.#cullerFor(way);
    const complain = (what: string) => {
      const options = JSON.stringify(this.#ways[way]);
      this.findings.wrong.push(`configuration ${number} (${scene.family}) by way ${way} ${options}: ${what}`);
    };
    const placed = realise(scene);
    const objects = placed.map(({ mesh, pose, self }) => culler.add(mesh, { pose, self }));
    try {
      return await ask(culler, placed, objects[0].id, complain);
    } finally {
      for (const message of this.#said.splice(0)) complain(`fell back: ${message}`);
      for (const object of objects) object.remove();
      disposeAll(placed);
      this.findings.configurations++;
    }
  }

  /** Every family meets every way. */
  #wayFor(number: number): number {
    return Math.floor(number / FAMILY_NAMES.length) % this.#ways.length;
  }

  #cullerFor(way: number): VisibilityCuller {
    let culler = this.#cullers.get(way);
    if (!culler) {
      const onFallback = (message: string) => this.#said.push(message);
      culler = new VisibilityCuller(this.#device, { ...this.#ways[way], onFallback });
      this.#cullers.set(way, culler);
    }
    return culler;
  }

  dispose(): void {
    for (const culler of this.#cullers.values()) culler.dispose();
    this.#cullers.clear();
  }
}

/** The first pair that is in one list only, or out of place; undefined if the lists are equal. */
export function firstDifference(found: readonly Row[], expected: readonly Row[]): string | undefined {
  const names = new Set(found.map((row) => row.join()));
  const missed = expected.filter((row) => !names.has(row.join()));
  if (missed.length > 0) return `MISSED ${missed.length} of ${expected.length}, first ${missed[0]}`;
  if (found.length > expected.length) {
    const known = new Set(expected.map((row) => row.join()));
    const extra = found.find((row) => !known.has(row.join()));
    return `${found.length} pairs instead of ${expected.length}, ${extra ?? 'repeated ones'} among them`;
  }
  const at = found.findIndex((row, i) => row.join() !== expected[i].join());
  return at === -1 ? undefined : `pair ${at} is ${found[at]}, not ${expected[at]}: not in order`;
}
