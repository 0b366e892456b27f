/** Occlusion queries on WebGPU in Node: nothing that meets is dropped; what is well apart is. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { Row, TABLE_STRIDE, type World } from '../src/backend.js';
import type { CullingLevel } from '../src/types.js';
import { makeViews } from '../src/views.js';
import { QueryCuller } from '../src/webgpu/queries.js';
import { DROPPED, type Stage } from '../src/webgpu/stage.js';
import { describeOnNodeGpu } from './devices.js';
import { type Level, meeting, places, pointsOf, soup, triangles, within } from './level-items.js';

const RESOLUTIONS = [1, 7, 64, 256, 800];
const PART = 16;

interface Left {
  /** Per object, part and slot: 1 if it was not dropped itself. */
  readonly objects: number[];
  readonly parts: number[];
  readonly slots: number[];
  /** By level: how many there were, how many were dropped. */
  readonly counts: [number, number][];
}

/** Culls the triangles of a level, in parts of PART, by the levels asked for. */
async function cull(
  device: GPUDevice,
  culler: QueryCuller,
  { data, objects, margins, half }: Level,
  levels: readonly CullingLevel[],
  how: { resolution: number; rounds?: number; randomDirections?: number },
): Promise<Left & { slotOf: number[] }> {
  const perObject = margins.map((_, o) => objects.filter((object) => object === o).length);
  const partBase = Uint32Array.from([0, ...perObject.map((n) => Math.ceil(n / PART))]);
  for (let o = 0; o < margins.length; o++) partBase[o + 1] += partBase[o];
  const objectCount = margins.length;
  const partCount = partBase[objectCount];
  const slotCount = PART * partCount;

  const parts = new Uint32Array(4 * partCount);
  for (let o = 0; o < objectCount; o++) {
    for (let p = partBase[o]; p < partBase[o + 1]; p++) {
      parts.set([o, 0, Math.min(PART, perObject[o] - PART * (p - partBase[o])), o], 4 * p);
    }
  }
  const table = new Float32Array(TABLE_STRIDE * objectCount);
  for (let o = 0; o < objectCount; o++) table[TABLE_STRIDE * o + Row.margin] = margins[o];
  // slots past the end of a part hold anything
  const placed = new Float32Array(9 * slotCount).fill(Number.NaN);
  const boxes = new Float32Array(8 * (partCount + objectCount));
  for (let b = 0; b < boxes.length; b += 8) boxes.set([9, 9, 9, 0, -9, -9, -9, 0], b);
  const next = perObject.map(() => 0);
  const slotOf = objects.map((o, i) => {
    const t = next[o]++;
    const slot = PART * partBase[o] + t;
    placed.set(data.slice(9 * i, 9 * i + 9), 9 * slot);
    for (const box of [partBase[o] + Math.floor(t / PART), partCount + o]) {
      for (let c = 0; c < 9; c++) {
        const [low, high] = [8 * box + (c % 3), 8 * box + 4 + (c % 3)];
        boxes[low] = Math.min(boxes[low], data[9 * i + c] - 1.001 * margins[o] - 1e-7);
        boxes[high] = Math.max(boxes[high], data[9 * i + c] + 1.001 * margins[o] + 1e-7);
      }
    }
    return slot;
  });

  const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const held: GPUBuffer[] = [];
  const make = (size: number, usage: number) => {
    const buffer = device.createBuffer({ size, usage });
    held.push(buffer);
    return buffer;
  };
  const upload = (contents: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) => {
    const buffer = make(contents.byteLength, STORAGE | COPY_DST);
    device.queue.writeBuffer(buffer, 0, contents);
    return buffer;
  };
  const objectWord = 16;
  const words = objectWord + objectCount + partCount + slotCount;
  const state = make(4 * words, STORAGE | COPY_DST | COPY_SRC);
  const back = make(4 * words, MAP_READ | COPY_DST);
  const world: World = {
    objects: perObject.map((triangleCount) => ({ mesh: { triangleCount } })) as unknown as World['objects'],
    partSize: PART,
    partBase,
    codes: Uint32Array.from(margins, (_, o) => o),
    layout: 0,
    table,
    half,
  };
  const stage = {
    world,
    request: {
      kind: 'objects' as const,
      distance: 0,
      method: 'queries' as const,
      levels,
      resolution: how.resolution,
      rounds: how.rounds ?? 2,
      views: makeViews(how.randomDirections ?? 0, 1),
      now: () => 0,
    },
    objectCount,
    partCount,
    slotCount,
    parts: upload(parts),
    objects: upload(new Uint32Array(4)),
    table: upload(table),
    placed: upload(placed),
    boxes: upload(boxes),
    state,
    objectWord,
    partWord: objectWord + objectCount,
    slotWord: objectWord + objectCount + partCount,
    // what sorts pairs, not culling, needs these
    ids: state,
    tallyWord: words,
    blockWord: words,
  } satisfies Omit<Stage, 'countWord'>;
  const encoder = device.createCommandEncoder();
  for (const [i, level] of levels.entries()) culler.cull(encoder, { ...stage, countWord: 2 * i }, level);
  encoder.copyBufferToBuffer(state, 0, back, 0, 4 * words);
  device.queue.submit([encoder.finish()]);
  await back.mapAsync(GPUMapMode.READ);
  const found = new Uint32Array(back.getMappedRange().slice(0));
  for (const buffer of held) buffer.destroy();

  // between levels a word is 0 or DROPPED
  const left = (from: number, count: number) =>
    Array.from(found.subarray(from, from + count), (word) => {
      expect([0, DROPPED]).toContain(word);
      return word === 0 ? 1 : 0;
    });
  return {
    objects: left(objectWord, objectCount),
    parts: left(stage.partWord, partCount),
    slots: left(stage.slotWord, slotCount),
    counts: levels.map((_, i) => [found[2 * i], found[2 * i + 1]]),
    slotOf,
  };
}

await describeOnNodeGpu('occlusion queries', ({ shared }) => {
  /** Culls many, one after the other, with one culler. */
  async function cullAll(
    levels: readonly Level[],
    by: readonly CullingLevel[],
    how: { resolution: number; rounds?: number; randomDirections?: number },
  ) {
    const device = await shared();
    const culler = new QueryCuller(device);
    const left = [];
    for (const level of levels) left.push(await cull(device, culler, level, by, how));
    culler.dispose();
    return left;
  }

  test.each(RESOLUTIONS)(
    'a point of an enlarged triangle is in its cover, at %i pixels',
    async (resolution) => {
      const random = new SeededRandom(resolution);
      const margins = [0, 1e-4, 0.03];
      const levels = Array.from({ length: LONG ? 9 : 3 }, (_, i) => pointsOf(random, margins[i % 3]));
      const left = await cullAll(levels, ['triangles'], { resolution, randomDirections: 1 });
      for (const [i, { slots, slotOf, counts }] of left.entries()) {
        expect(
          slotOf.map((slot) => slots[slot]),
          `triangle ${i}`,
        ).toEqual(slotOf.map(() => 1));
        expect(counts).toEqual([[slotOf.length, 0]]);
      }
    },
  );

  test.each(RESOLUTIONS)('what meets is kept at every level, at %i pixels', async (resolution) => {
    const random = new SeededRandom(100 + resolution);
    const levels = Array.from({ length: LONG ? 6 : 2 }, (_, i) => soup(random, 3 + i, i === 0 ? 20 : 6, 0.8));
    const left = await cullAll(levels, ['boxes', 'objects', 'parts', 'triangles'], { resolution });
    for (const [i, { objects, parts, slots, slotOf }] of left.entries()) {
      const level = levels[i];
      const meets = meeting(level);
      expect(meets).toContain(1);
      for (const item of places(meets).filter((k) => meets[k])) {
        const slot = slotOf[item];
        expect([objects[level.objects[item]], parts[Math.floor(slot / PART)], slots[slot]]).toEqual([
          1, 1, 1,
        ]);
      }
    }
  });

  /** 27 objects of 20 triangles in cells of a grid, the first two of which meet. */
  function grid(): Level {
    const random = new SeededRandom(5);
    const data: number[] = [];
    const objects: number[] = [];
    for (let o = 0; o < 27; o++) {
      const at = [o % 3, Math.floor(o / 3) % 3, Math.floor(o / 9)].map((k) => 0.6 * (k - 1));
      for (let t = 0; t < 20; t++) {
        for (let c = 0; c < 3; c++) data.push(...at.map((x) => within(x + 0.4 * (random.next() - 0.5))));
        objects.push(o);
      }
    }
    // a triangle of object 1 ends in a corner of the first triangle of object 0
    for (let k = 0; k < 3; k++) data[9 * 20 + k] = data[k];
    return triangles(data, objects);
  }

  test.each<[CullingLevel[], number, number]>([
    [['boxes'], 27, 25],
    [['objects'], 27, 25],
    [['boxes', 'parts'], 4, 1],
    [['boxes', 'triangles'], 40, 20],
  ])('%j: what is well apart is dropped and counted', async (by, of, dropped) => {
    const [left] = await cullAll([grid()], by, { resolution: 128, rounds: 6 });
    const { counts, objects, parts, slots } = left;
    expect(counts[0]).toEqual([27, 25]);
    expect(places(objects).filter((o) => objects[o])).toEqual([0, 1]);
    const last = counts.at(-1)!;
    expect(last[0]).toBe(of);
    expect(last[1]).toBeGreaterThanOrEqual(dropped);
    const units = by.includes('parts') ? parts : by.includes('triangles') ? slots : objects;
    expect(units.filter((unit) => !unit)).toHaveLength(last[1]);
  });

  test('more queries than a set holds', async () => {
    // 300 objects of a triangle each take 4 800 slots; of every four the last two touch in a corner
    const random = new SeededRandom(9);
    const data: number[] = [];
    for (let o = 0; o < 300; o++) {
      const at = [0, 1, 2].map(() => 1.8 * random.next() - 0.9);
      for (let c = 0; c < 3; c++) data.push(...at.map((x) => within(x + 0.08 * (random.next() - 0.5))));
      if (o % 4 === 3) for (let k = 0; k < 3; k++) data[9 * o + k] = data[9 * o - 3 + k];
    }
    const level = triangles(data, [...Array(300).keys()]);
    const [left] = await cullAll([level], ['triangles'], { resolution: 128, rounds: 1 });
    const kept = left.slotOf.map((slot) => left.slots[slot]);
    expect(Math.max(...left.slotOf)).toBeGreaterThan(4096);
    expect(places(kept).filter((i) => !kept[i] && i % 4 >= 2)).toEqual([]);
    // of those that touch nothing most are dropped, in both sets
    for (const [from, to] of [
      [0, 256],
      [256, 300],
    ]) {
      const free = kept.slice(from, to).filter((_, i) => i % 4 < 2);
      expect(free.filter((k) => k).length).toBeLessThan(free.length / 2);
    }
  });

  test('an image larger than the device draws', async () => {
    await expect(cullAll([grid()], ['boxes'], { resolution: 100_000 })).rejects.toMatchObject({
      code: 'unsupported',
    });
  });
});
