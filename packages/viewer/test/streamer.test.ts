/** Processes the streamer's messages with a simulated GPU: checks the triangles drawn, and the memory limit. */
import { MemorySource, openStore, type StoredModel } from '@impinge/model';
import { expect, test } from 'vitest';
import { every, full } from '../../../test/budget.js';
import { SLAB_BYTES, SLAB_INDICES, SLAB_VERTICES } from '../src/streaming/places.js';
import type { DrawList, StreamCamera, Upload } from '../src/streaming/protocol.js';
import { Streamer } from '../src/streaming/streamer.js';
import { ball, box, moved, type StoreShape, storeBytes } from './small-model.js';

const FAR = 4e6;
const turned = (x: number) => Float64Array.of(0, -1, 0, 1, 0, 0, 0, 0, 1, FAR + x, 2, 3);
/** A shape with one object, and one that three share. */
const SHAPES: readonly StoreShape[] = [
  { solid: ball(1, 20), poses: [moved(FAR, 0, 0)] },
  { solid: ball(0.5, 14), poses: [turned(3), turned(6), moved(FAR - 4, 1, 0)] },
  { solid: box(1, 2, 3), poses: [moved(FAR, 5, 0)] },
];

/** From the side, with everything in view. */
function camera(id: number, pixelError: number, y = -20): StreamCamera {
  const pose = Float64Array.of(1, 0, 0, 0, 0, -1, 0, 1, 0, FAR, y, 0);
  const projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0];
  return { id, pose, projection, width: 1000, height: 1000, pixelError, few: Infinity };
}

/** A simulated GPU and its last draw list. */
class Card {
  readonly positions: Float32Array[] = [];
  readonly objects: Uint32Array[] = [];
  readonly indices: Uint32Array[] = [];
  list: DrawList | undefined;
  most = 0;
  written = 0;

  upload({ runs, positions, objects, indices }: Upload): number {
    let [vertexFrom, indexFrom] = [0, 0];
    for (let run = 0; run < runs.length; run += 5) {
      const [slab, vertexAt, vertices, indexAt, count] = runs.subarray(run, run + 5);
      while (this.positions.length <= slab) {
        this.positions.push(new Float32Array(3 * SLAB_VERTICES));
        this.objects.push(new Uint32Array(SLAB_VERTICES));
        this.indices.push(new Uint32Array(SLAB_INDICES).fill(SLAB_VERTICES));
      }
      const vertexTo = vertexFrom + vertices;
      this.positions[slab].set(positions.subarray(3 * vertexFrom, 3 * vertexTo), 3 * vertexAt);
      this.objects[slab].set(objects.subarray(vertexFrom, vertexTo), vertexAt);
      this.indices[slab].set(indices.subarray(indexFrom, indexFrom + count), indexAt);
      vertexFrom = vertexTo;
      indexFrom += count;
    }
    expect([vertexFrom, indexFrom]).toEqual([objects.length, indices.length]);
    const bytes = positions.byteLength + objects.byteLength + indices.byteLength;
    this.written += bytes;
    return bytes;
  }

  /** Every drawn triangle as text: its object and its corners in the model. */
  triangles({ origins: { origin, origins } }: Streamer, slabs = this.list!.slabs): string[] {
    return slabs.flatMap(({ starts, counts }, slab) =>
      [...starts].flatMap((start, i) => {
        const indices = this.indices[slab].subarray(start / 4, start / 4 + counts[i]);
        return Array.from({ length: indices.length / 3 }, (_, t) => {
          const corners = [...indices.subarray(3 * t, 3 * t + 3)];
          const object = this.objects[slab][corners[0]];
          const points = corners.map((v) =>
            [0, 1, 2].map((k) => origin[k] + origins[4 * object + k] + this.positions[slab][3 * v + k]),
          );
          return triangleText(object, points);
        });
      }),
    );
  }

  trianglesPerObject(): Map<number, number> {
    const counts = new Map<number, number>();
    this.list!.slabs.forEach(({ starts, counts: lengths }, slab) => {
      starts.forEach((start, i) => {
        for (let at = start / 4; at < start / 4 + lengths[i]; at += 3) {
          const object = this.objects[slab][this.indices[slab][at]];
          counts.set(object, (counts.get(object) ?? 0) + 1);
        }
      });
    });
    return counts;
  }
}

function triangleText(object: number, corners: readonly (readonly number[])[]): string {
  const texts = corners.map((corner) => corner.map((x) => x.toFixed(4).replace('-0.0000', '0.0000')).join());
  return `${object} ${texts.sort().join(' ')}`;
}

/** All triangles of the model, from the shapes themselves. */
function wholeModel(): string[] {
  const all = SHAPES.flatMap(({ solid, poses }) => poses.map((pose) => ({ solid, pose })));
  return all.flatMap(({ solid: { positions, indices }, pose }, object) =>
    Array.from({ length: indices.length / 3 }, (_, t) => {
      const corners = [...indices.subarray(3 * t, 3 * t + 3)].map((v) =>
        [0, 1, 2].map((k) =>
          [0, 1, 2].reduce((sum, i) => sum + pose[3 * k + i] * positions[3 * v + i], pose[9 + k]),
        ),
      );
      return triangleText(object, corners);
    }),
  );
}

/** Stores made so far, without and with levels. */
const stores = [new Map<readonly StoreShape[], Uint8Array>(), new Map<readonly StoreShape[], Uint8Array>()];

async function modelOf(shapes: readonly StoreShape[], levels: boolean): Promise<StoredModel> {
  const made = stores[Number(levels)];
  const bytes = made.get(shapes) ?? (await storeBytes(shapes, { levels, pieceTriangles: 512 }));
  made.set(shapes, bytes);
  return openStore(new MemorySource(bytes));
}

function streaming(model: StoredModel, memory = 600e6) {
  const card = new Card();
  const failures: unknown[] = [];
  const streamer = new Streamer(model, {
    memory,
    budget: Infinity,
    send: (message) => {
      if (message.kind === 'upload') {
        const bytes = card.upload(message);
        queueMicrotask(() => streamer.uploaded(bytes));
        return;
      }
      card.list = message;
      card.most = Math.max(card.most, message.stats.gpuBytes + message.stats.memoryBytes);
    },
    fail: (error) => failures.push(error),
    bytesRead: () => 0,
    keptBytes: () => 0,
    gapBytes: 0,
    now: () => performance.now(),
  });
  /** Waits for a list that satisfies a condition. */
  const until = async (satisfies: (list: DrawList) => boolean) => {
    for (let turn = 0; turn < 2000; turn++) {
      if (failures.length > 0) throw failures[0];
      if (card.list && satisfies(card.list)) return card.list;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error(`it does not come to that: ${JSON.stringify(card.list?.stats)}`);
  };
  const complete = (id: number) =>
    until(({ stats }) => stats.cameraId === id && stats.complete && stats.triangles > 0);
  return { card, streamer, until, complete };
}

full.each([false, true])('draws every triangle once, where its object is (levels: %s)', async (levels) => {
  const { card, streamer, complete } = streaming(await modelOf(SHAPES, levels));
  const whole = wholeModel().sort();
  streamer.look(camera(1, 0));
  await complete(1);
  expect(card.triangles(streamer).sort()).toEqual(whole);
  // the context is lost
  card.indices.length = card.positions.length = card.objects.length = 0;
  streamer.lost();
  streamer.look(camera(2, 0));
  await complete(2);
  expect(card.triangles(streamer).sort()).toEqual(whole);
  // hidden objects are not drawn
  streamer.hide(Uint8Array.of(1, 0, 1, 0, 0));
  streamer.look(camera(3, 0));
  await complete(3);
  const shown = whole.filter((text) => !/^[02] /.test(text));
  expect(card.triangles(streamer).sort()).toEqual(shown);
});

full('far away fewer triangles are drawn, and near again all, of which none is written again', async () => {
  const { card, streamer, complete } = streaming(await modelOf(SHAPES, true));
  streamer.look(camera(1, 0));
  const all = (await complete(1)).stats.triangles;
  streamer.look(camera(2, 1, -3000));
  expect((await complete(2)).stats.triangles).toBeLessThan(all / 2);
  const { written } = card;
  streamer.look(camera(3, 0));
  await complete(3);
  expect(card.triangles(streamer).sort()).toEqual(wholeModel().sort());
  expect(card.written).toBe(written);
});

test('what is in a box is drawn within an error, however far away', async () => {
  const { card, streamer, complete } = streaming(await modelOf(SHAPES, true));
  const [first, second] = [4 * 20 * 19, 4 * 14 * 13];
  streamer.look(camera(1, 1, -3000));
  await complete(1);
  const coarse = card.trianglesPerObject();
  expect(coarse.get(0)).toBeLessThan(first);
  expect(coarse.get(1)).toBeLessThan(second);
  streamer.refine({ box: [FAR - 1, -1, -1, FAR + 1, 1, 1], error: 0 });
  streamer.look(camera(2, 1, -3000));
  await complete(2);
  const fine = card.trianglesPerObject();
  expect(fine.get(0)).toBe(first);
  expect(fine.get(1)).toBe(coarse.get(1));
  streamer.refine(null);
  streamer.look(camera(3, 1, -3000));
  await complete(3);
  expect(card.trianglesPerObject()).toEqual(coarse);
});

test('the shorter list has whole objects of the longer one, and no more triangles than asked for', async () => {
  const { card, streamer, complete } = streaming(await modelOf(SHAPES, true));
  const whole = wholeModel();
  const few = 12 + 2 * 14 * 13 * 4;
  streamer.look({ ...camera(1, 0), few });
  const { stats } = await complete(1);
  expect(card.triangles(streamer).sort()).toEqual(whole.sort());
  const drawn = card.triangles(streamer, card.list!.few!);
  expect(stats.fewTriangles).toBe(drawn.length);
  expect(drawn.length).toBeGreaterThan(0);
  expect(drawn.length).toBeLessThanOrEqual(few);
  // the box covers the most pixels per triangle
  expect(drawn.filter((text) => text.startsWith('4 '))).toHaveLength(12);
  const objects = new Set(drawn.map((text) => text.split(' ')[0]));
  expect(drawn.sort()).toEqual(whole.filter((text) => objects.has(text.split(' ')[0])).sort());
  // watched objects come first, however many triangles they have
  expect(objects.has('0')).toBe(false);
  streamer.watched = [0];
  streamer.look({ ...camera(3, 0), few });
  await complete(3);
  const watched = card.triangles(streamer, card.list!.few!).filter((text) => text.startsWith('0 '));
  expect(watched).toHaveLength(whole.filter((text) => text.startsWith('0 ')).length);
  streamer.look({ ...camera(2, 0), few: whole.length });
  await complete(2);
  expect(card.list!.few).toBeNull();
});

/** Balls of one shape in rows, and memory for one slab, where all would take three. */
const ROWS: readonly StoreShape[] = [
  {
    solid: ball(1, 32),
    poses: Array.from({ length: 300 }, (_, i) => moved(3 * (i % 20), 3 * Math.floor(i / 20), 0)),
  },
];
const SHORT_MEMORY = 53e6 + SLAB_BYTES;

function above(id: number, x: number, y: number, z: number): StreamCamera {
  return { ...camera(id, 0), pose: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z) };
}

full.each(every([false, true], 2))(
  'what is out of view makes room for what is in it (levels: %s)',
  async (levels) => {
    const { card, streamer, complete } = streaming(await modelOf(ROWS, levels), SHORT_MEMORY);
    const each = ROWS[0].solid.indices.length / 3;
    const stations = [6, 21, 36, 51, 21].flatMap((x) => [6, 21, 36].map((y) => ({ x, y })));
    for (const [i, { x, y }] of every(stations, 2).entries()) {
      streamer.look(above(i + 1, x, y, 9));
      const { stats } = await complete(i + 1);
      expect(stats.gpuBytes).toBe(SLAB_BYTES);
      const counts = card.trianglesPerObject();
      expect(Math.max(...counts.values())).toBe(each);
      // the ball below the camera, and its neighbours
      for (const column of [-1, 0, 1]) expect(counts.get(20 * (y / 3) + x / 3 + column)).toBe(each);
    }
    // all uploads together would not have fitted
    expect(card.written).toBeGreaterThan(SLAB_BYTES);
  },
);

full.each(every([false, true], 2))('keeps to its memory (levels: %s)', async (levels) => {
  const model = await modelOf(ROWS, levels);
  const { card, streamer, until } = streaming(model, SHORT_MEMORY);
  streamer.look(above(1, 30, 20, 40));
  const { stats } = await until(({ stats }) =>
    levels ? stats.pixelError > 0 && stats.pixelError < 100 : stats.leftOut > 0 && stats.triangles > 1e5,
  );
  expect(stats.complete).toBe(false);
  expect(stats.gpuBytes).toBe(SLAB_BYTES);
  expect(card.most).toBeLessThanOrEqual(SHORT_MEMORY);
  // every drawn range was written
  const { slabs } = card.list!;
  slabs.forEach(({ starts, counts }, slab) => {
    starts.forEach((start, i) => {
      const range = card.indices[slab].subarray(start / 4, start / 4 + counts[i]);
      expect(range.every((vertex) => vertex < SLAB_VERTICES)).toBe(true);
    });
  });
});
