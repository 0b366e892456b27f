import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { ARENA_BASE, type Arena, arena, createPrivateArena } from '../src/base/arena.js';
import { ImpingeError } from '../src/base/errors.js';
import { Mesh } from '../src/mesh/mesh.js';
import { collide } from '../src/query/pair/collide.js';
import { distance } from '../src/query/pair/distance.js';
import { within } from '../src/query/pair/within.js';

const ALIGN = 64;
const rounded = (bytes: number) => Math.max(ALIGN, Math.ceil(bytes / ALIGN) * ALIGN);

interface Block {
  start: number;
  bytes: number;
  readonly mark: number;
}

/** An arena and what it should hold: every block is filled with a mark of its own. */
class Model {
  readonly arena: Arena = createPrivateArena();
  readonly blocks: Block[] = [];
  #nextMark = 1;

  alloc(bytes: number): void {
    const start = this.arena.alloc(bytes);
    const mark = this.#nextMark++ % 256;
    this.arena.u8().fill(mark, start, start + bytes);
    this.blocks.push({ start, bytes, mark });
  }
  free(choice: number): void {
    if (this.blocks.length === 0) return;
    const [block] = this.blocks.splice(choice % this.blocks.length, 1);
    this.arena.free(block.start);
  }
  shrink(choice: number, part: number): void {
    if (this.blocks.length === 0) return;
    const block = this.blocks[choice % this.blocks.length];
    block.bytes = Math.floor(block.bytes * part);
    this.arena.shrink(block.start, block.bytes);
  }
  check(): void {
    const sorted = [...this.blocks].sort((a, b) => a.start - b.start);
    let end = ARENA_BASE;
    let used = 0;
    const bytes = this.arena.u8();
    for (const block of sorted) {
      expect(block.start % ALIGN).toBe(0);
      expect(block.start).toBeGreaterThanOrEqual(end); // no overlap, nothing below the base
      end = block.start + rounded(block.bytes);
      used += rounded(block.bytes);
      const content = bytes.subarray(block.start, block.start + block.bytes);
      expect(content.every((byte) => byte === block.mark)).toBe(true);
    }
    expect(end).toBeLessThanOrEqual(this.arena.memory.buffer.byteLength);
    expect(this.arena.usedBytes).toBe(used);
  }
}

type Step = (model: Model) => void;
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.integer({ min: 0, max: 5000 }).map(
        (n): Step =>
          (m) =>
            m.alloc(n),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 5000, max: 300_000 }).map(
        (n): Step =>
          (m) =>
            m.alloc(n),
      ),
    },
    {
      weight: 3,
      arbitrary: fc.nat().map(
        (n): Step =>
          (m) =>
            m.free(n),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true })).map(
        ([n, part]): Step =>
          (m) =>
            m.shrink(n, part),
      ),
    },
  ),
  { maxLength: 60 },
);

describe('arena', () => {
  test('random allocations never overlap, keep their bytes and merge when freed (seed 7)', () => {
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.nat()), (sequence, choices) => {
        const model = new Model();
        for (const step of sequence) {
          step(model);
          model.check();
        }
        const highWater = model.arena.memory.buffer.byteLength;
        while (model.blocks.length > 0) model.free(choices.next().value as number);
        expect(model.arena.usedBytes).toBe(0);
        // all free blocks have become one: the whole memory is available again
        expect(model.arena.alloc(highWater - ARENA_BASE)).toBe(ARENA_BASE);
        expect(model.arena.memory.buffer.byteLength).toBe(highWater);
      }),
      { seed: 7, numRuns: runs(150) },
    );
  });

  /** Four blocks of 1 KiB and a fifth that keeps them from the top. */
  function fiveBlocks(): { memory: Arena; blocks: number[] } {
    const memory = createPrivateArena();
    return { memory, blocks: Array.from({ length: 5 }, () => memory.alloc(1024)) };
  }

  test.each([
    ['forwards', [1, 2, 3]],
    ['backwards', [3, 2, 1]],
    ['the middle last', [1, 3, 2]],
    ['the middle first', [2, 1, 3]],
  ])('neighbours freed %s become one block', (_, order) => {
    const { memory, blocks } = fiveBlocks();
    for (const i of order) memory.free(blocks[i]);
    expect(memory.alloc(3 * 1024)).toBe(blocks[1]);
  });

  test('a freed block is used again', () => {
    const { memory, blocks } = fiveBlocks();
    memory.free(blocks[2]);
    expect(memory.alloc(1000)).toBe(blocks[2]);
    memory.free(blocks[1]);
    expect(memory.alloc(100)).toBe(blocks[1]);
    expect(memory.alloc(100)).toBe(blocks[1] + 128); // the rest of it
  });

  test('what is shrunk away is used again', () => {
    const { memory, blocks } = fiveBlocks();
    memory.shrink(blocks[1], 100);
    expect(memory.usedBytes).toBe(4 * 1024 + 128);
    expect(memory.alloc(800)).toBe(blocks[1] + 128);
  });

  test('the same work again and again does not make the memory grow', () => {
    const memory = createPrivateArena();
    const round = () => {
      const blocks = [70_000, 300, 5000, 90_000, 64].map((bytes) => memory.alloc(bytes));
      for (const i of [3, 0, 4, 1, 2]) memory.free(blocks[i]);
    };
    round();
    const size = memory.memory.buffer.byteLength;
    for (let i = 0; i < 1000; i++) round();
    expect(memory.memory.buffer.byteLength).toBe(size);
    expect(memory.usedBytes).toBe(0);
  });

  test('views follow when the memory grows', () => {
    const memory = createPrivateArena();
    const start = memory.alloc(16);
    memory.f64()[start / 8] = Math.PI;
    const before = memory.f64();
    memory.alloc(10_000_000);
    expect(before.length).toBe(0); // detached
    expect(memory.f64()[start / 8]).toBe(Math.PI);
    for (const view of [memory.u8(), memory.u32(), memory.i32(), memory.f32()]) {
      expect(view.buffer).toBe(memory.memory.buffer);
    }
  });

  test.each([300 * 2 ** 20, 2 ** 32, 2 ** 32 + 64, 2 ** 40])(
    'refuses %i bytes and goes on working',
    (bytes) => {
      const { memory, blocks } = fiveBlocks();
      memory.free(blocks[2]); // a free block that is too small must not be handed out
      let caught: unknown;
      try {
        memory.alloc(bytes);
      } catch (error) {
        caught = error;
      }
      expect(caught).toBeInstanceOf(ImpingeError);
      expect(caught).toMatchObject({ code: 'out-of-memory', detail: { requested: bytes, used: 4 * 1024 } });
      expect(memory.usedBytes).toBe(4 * 1024);
      expect(memory.alloc(1024)).toBe(blocks[2]);
    },
  );

  test('freeing twice, and shrinking what is not there, are errors', () => {
    const { memory, blocks } = fiveBlocks();
    memory.free(blocks[2]);
    expect(() => memory.free(blocks[2])).toThrow(/freed twice/);
    expect(() => memory.shrink(blocks[2], 10)).toThrow(/not a live block/);
    expect(() => memory.shrink(blocks[1], 2000)).toThrow(/not a live block/);
  });
});

describe('leaks', () => {
  /** A bumpy grid of 2 n² triangles. */
  function grid(n: number, height: number): Mesh {
    const positions: number[] = [];
    const indices: number[] = [];
    for (let i = 0; i <= n; i++) {
      for (let j = 0; j <= n; j++) positions.push(i / n, j / n, height + 0.1 * ((i * 7 + j * 3) % 5));
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const a = i * (n + 1) + j;
        indices.push(a, a + 1, a + n + 2, a, a + n + 2, a + n + 1);
      }
    }
    return Mesh.from({ positions, indices });
  }
  const askEverything = (a: Mesh, b: Mesh) => {
    collide(a, b);
    distance(a, b);
    within(a, b, { distance: 0.05, mode: 'all' });
  };

  test('a thousand meshes, asked and disposed, leave nothing in the arena', () => {
    const first = [grid(3, 0), grid(3, 0.1)] as const;
    askEverything(...first); // what a first query sets up stays
    for (const mesh of first) mesh.dispose();
    const before = arena().usedBytes;
    const standing = grid(20, 0);
    let high = 0;
    for (let i = 0; i < runs(1000); i++) {
      const mesh = grid(1 + (i % 9), 0.05 * (i % 7));
      if (i % 3 !== 0) askEverything(standing, mesh);
      if (i % 50 === 0) mesh.setPositions(Float64Array.from(mesh.positions, (x) => x * 2));
      if (i % 5 === 0) askEverything(mesh, standing);
      mesh.dispose();
      high = Math.max(high, arena().usedBytes);
    }
    standing.dispose();
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
    expect(high - before).toBeLessThan(200_000); // nothing piled up in between either
  });

  test('inputs that are refused leave nothing in the arena', () => {
    const positions = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
    const kept = grid(2, 0);
    const bytes = kept.toBytes();
    const before = arena().usedBytes;
    for (let i = 0; i < runs(200); i++) {
      expect(() => Mesh.from({ positions, indices: [0, 1, 3] })).toThrow();
      expect(() => Mesh.from({ positions: positions.map((x) => x * 1e300) })).toThrow();
      expect(() => Mesh.fromBytes(bytes.subarray(0, bytes.length - 1))).toThrow();
    }
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
    kept.dispose();
    expect(arena().usedBytes).toBeLessThan(before);
  });
});
