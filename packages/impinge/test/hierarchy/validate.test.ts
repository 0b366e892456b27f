import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { least, runs, some, stride } from '../../../../test/budget.js';
import { arena } from '../../src/base/arena.js';
import { ImpingeError } from '../../src/base/errors.js';
import { MAX_DEPTH } from '../../src/hierarchy/layout.js';
import type { TreeView } from '../../src/hierarchy/tree-view.js';
import { validateHierarchy } from '../../src/hierarchy/validate.js';
import { EMPTY, HierarchyHeader, TREE_HEADER_BYTES } from '../../src/kernel/layout.generated.js';
import { VOLUME_KINDS } from '../../src/volumes/kinds.js';
import { build, soup } from './fixtures.js';

const mesh = soup(51, 1100, 0.1);

function lengthOf(view: TreeView): number {
  return view.header(HierarchyHeader.byteLength);
}

function complaint(view: TreeView, byteLength = lengthOf(view)): ImpingeError | undefined {
  try {
    validateHierarchy(view.arena, view.byteOffset, byteLength, mesh);
    return undefined;
  } catch (error) {
    if (!(error instanceof ImpingeError)) throw error;
    expect(error.code).toBe('bad-buffer');
    return error;
  }
}

/** What is wrong after words were overwritten; they are put back. */
function complaintAfter(view: TreeView, changes: [word: number, value: number][]): ImpingeError | undefined {
  const length = lengthOf(view);
  const before = changes.map(([word]) => view.words[word]);
  for (const [word, value] of changes) view.words[word] = value;
  try {
    return complaint(view, length);
  } finally {
    for (const [i, [word]] of changes.entries()) view.words[word] = before[i];
  }
}

const TREES = [
  ...VOLUME_KINDS.map((volume) => ({ volume, lazy: false })),
  ...(['obb', 'sphere'] as const).map((volume) => ({ volume, lazy: true })),
];

describe.each(some(TREES))('$volume, lazy: $lazy', (options) => {
  const view = build(mesh, options);

  test('a tree as built is valid', () => {
    expect(complaint(view)).toBeUndefined();
  });

  test('any bit of the header flipped: valid or a typed error', () => {
    let refused = 0;
    for (let word = 0; word < TREE_HEADER_BYTES / 4; word++) {
      for (let bit = 0; bit < 32; bit += stride) {
        const at = view.headerWord + word;
        if (complaintAfter(view, [[at, (view.words[at] ^ (1 << bit)) >>> 0]])) refused++;
      }
    }
    // all but the bits of builder, capacity, checksum, unused words and the low bits of centre and radius
    expect(refused).toBeGreaterThan((12 * 32) / stride);
  });

  test('random words overwritten: valid or a typed error (seed 52)', () => {
    const random = seededRandom(52);
    const words = view.blocksWord - view.headerWord + view.blockCount * view.wordsPerBlock;
    let refused = 0;
    for (let run = 0; run < runs(1500); run++) {
      const changes: [number, number][] = [];
      for (let i = 0; i <= random() * 3; i++) {
        const at = view.headerWord + Math.floor(random() * words);
        const kinds = [
          random() * 2 ** 32,
          view.words[at] ^ (1 << (random() * 32)),
          random() * 300,
          0x80000000 + random() * 600,
        ];
        changes.push([at, kinds[Math.floor(random() * 4)] >>> 0]);
      }
      if (complaintAfter(view, changes)) refused++;
    }
    expect(refused).toBeGreaterThan(least(500));
    expect(complaint(view)).toBeUndefined();
  });

  test('cut off anywhere: a typed error', () => {
    for (let bytes = 0; bytes < lengthOf(view); bytes += 4 * 97) expect(complaint(view, bytes)).toBeDefined();
  });
});

describe('names what is wrong', () => {
  const view = build(mesh);
  const inner = firstSlot(view, (ref) => ref < 0x40000000 && ref > 1);
  const leaf = firstSlot(view, (ref) => ref >= 0x80000000 && ref !== EMPTY);

  function firstSlot(tree: TreeView, wanted: (ref: number) => boolean): number {
    for (let slot = 0; ; slot++) if (wanted(tree.ref(slot))) return slot;
  }

  const block = inner >>> 2;
  const lane = inner & 3;
  test.each([
    ['a triangle named twice', [view.orderWord + 5, view.triangleAt(6)], /named before/, {}],
    ['a triangle out of range', [view.orderWord + 5, 1100], /out of range/, { position: 5 }],
    ['a cycle', [view.refAt(inner), 0], /does not come after/, { block, lane }],
    ['a shared block', [view.refAt(inner), 1], /block 1 is referred to twice/, {}],
    ['a block out of range', [view.refAt(inner), view.blockCount], /out of range/, { block, lane }],
    ['a treelet out of range', [view.refAt(inner), 0x40000007], /out of range/, { block, lane }],
    [
      'a leaf that starts elsewhere',
      [view.refAt(leaf), view.ref(leaf) + 1],
      /is next/,
      { block: leaf >>> 2, lane: leaf & 3 },
    ],
    ['a lane left out', [view.refAt(inner), EMPTY], /an unused lane has a volume/, { block, lane }],
    [
      'a leaf of more than the leaf size',
      [view.refAt(leaf), (view.ref(leaf) | 0x70000000) >>> 0],
      /holds 8/,
      {},
    ],
    [
      'a volume moved away',
      [view.volumeAt(inner), floatBits(9)],
      /does not contain triangle/,
      { block, lane },
    ],
    [
      'a volume that is not a number',
      [view.volumeAt(inner), floatBits(Number.NaN)],
      /not finite/,
      { block, lane },
    ],
  ] as const)('%s', (_, [word, value], message, detail) => {
    const error = complaintAfter(view, [[word, value]]);
    expect(error?.message).toMatch(message);
    expect(error?.detail).toMatchObject(detail);
  });

  test('a chain deeper than any builder makes', () => {
    // blocks in a row under one lane each, with volumes copied from the root's first lane
    const deep = build(mesh, { volume: 'aabb' });
    const blocks = MAX_DEPTH + 1;
    expect(deep.blockCount).toBeGreaterThan(blocks);
    const changes: [number, number][] = [];
    for (let b = 0; b < blocks; b++) {
      changes.push([deep.refAt(4 * b), b + 1]);
      for (let c = 0; c < 24; c += 4) {
        changes.push([deep.volumeAt(4 * b) + c, floatBits(c < 12 ? -10 : 10)]);
        for (let l = 1; l < 4; l++)
          changes.push([deep.volumeAt(4 * b + l) + c, floatBits(c < 12 ? 1e30 : -1e30)]);
      }
      for (let l = 1; l < 4; l++) changes.push([deep.refAt(4 * b + l), EMPTY]);
    }
    expect(complaintAfter(deep, changes)?.message).toMatch(/deeper/);
  });

  function floatBits(x: number): number {
    return new Uint32Array(Float32Array.of(x).buffer)[0];
  }
});

test('a tree of another mesh is refused', () => {
  const other = build(soup(53, 1101, 0.1));
  expect(() => validateHierarchy(arena(), other.byteOffset, lengthOf(other), mesh)).toThrow(/1101 triangles/);
  const sameCount = build(soup(54, 1100, 0.1));
  expect(() => validateHierarchy(arena(), sameCount.byteOffset, lengthOf(sameCount), mesh)).toThrow(
    ImpingeError,
  );
});
