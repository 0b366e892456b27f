/** The commands, run in this process: what they print and how they exit. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from '@impinge/model';
import fc from 'fast-check';
import { contacts, Mesh } from 'impinge';
import { describe, expect, test } from 'vitest';
import { full, runs } from '../../../test/budget.js';
import { readModel } from '../src/formats/read-model.js';
import { json } from '../src/terminal.js';
import { asciiPly, binaryStl, Files, glb, gltfParts, obj } from './files.js';
import { boxesObj, boxRow, type Interval, impinge, impingeJson, type NamedBox } from './run-impinge.js';

const files = new Files();

const tetra = files.write('tetra.ply', asciiPly());
const tetraStl = files.write('tetra.stl', binaryStl());
const two = files.write(
  'two.obj',
  boxesObj(['wall', [0, 1], [0, 1], [0, 1]], ['pipe, long', [5, 6], [0, 1], [0, 1]]),
);
const twoAgain = files.write('two-again.obj', readFileSync(two, 'utf8'));
const unit = files.write('unit.obj', boxesObj(['unit', [0, 1], [0, 1], [0, 1]]));

describe('info', () => {
  full('one object', async () => {
    const { code, out } = await impinge('info', tetra);
    expect(code).toBe(0);
    expect(out.replace(tetra, 'FILE')).toBe(
      [
        'FILE',
        '  format     PLY, ASCII',
        `  file size  ${asciiPly().length} bytes`,
        '  objects    1',
        '  triangles  4',
        '  vertices   4',
        '  box        (0, -0.5, 0) … (1.5, 2.25, 3)',
        '  extent     1.5 × 2.75 × 3',
        '  unit       taken as metres: the file does not state its unit (--unit)',
        '  closed     yes',
        '',
      ].join('\n'),
    );
  });

  test('several objects and several files', async () => {
    const { code, out } = await impinge('info', two, tetraStl);
    expect(code).toBe(0);
    expect(out).toContain('  objects    2\n');
    expect(out).toMatch(
      /object +triangles +vertices +closed +extent\n {2}two\/wall +12 +8 +yes +1 × 1 × 1\n {2}two\/pipe, long +12/,
    );
    expect(out).toContain('STL, binary');
  });

  test('long lists are cut unless --all is given', async () => {
    const many = files.write('many.obj', boxRow('b', 40));
    expect((await impinge('info', many)).out).toContain('… and 10 more; --all lists them');
    expect((await impinge('info', many, '--all')).out).toContain('b 39');
  });

  test('JSON', async () => {
    const open = files.write('open.obj', obj().replace(/f [^\n]*\n/, ''));
    const { code, out } = await impinge('info', '--json', open, two);
    const [first, second] = JSON.parse(out);
    expect(code).toBe(0);
    expect(first).toMatchObject({
      file: open,
      format: 'OBJ',
      metresPerUnit: 1,
      statesUnit: false,
      triangles: 3,
      vertices: 4,
    });
    expect(first.objects[0]).toMatchObject({
      name: 'tetra',
      closed: false,
      openEdges: 3,
      nonManifoldEdges: 0,
    });
    expect(first.box).toEqual({ min: [0, -0.5, 0], max: [1.5, 2.25, 3] });
    expect(second.objects).toHaveLength(2);
  });

  test('instances and matrices count in the box', async () => {
    const { json, binary } = gltfParts();
    json.nodes = [
      { mesh: 0, children: [1], scale: [2, 2, 2] },
      { mesh: 0, translation: [10, 0, 0] },
    ];
    const file = files.write('nodes.glb', glb(json, binary));
    const [report] = await impingeJson('info', file);
    expect(report).toMatchObject({ triangles: 8, uniqueTriangles: 4, statesUnit: true });
    expect(report.box).toEqual({ min: [0, -6, -1], max: [23, 0, 4.5] });
    expect((await impinge('info', file)).out).toContain('8 (4 without instances)');
  });

  test('names cannot steer the terminal', async () => {
    const file = files.write(
      'evil.obj',
      boxesObj(['a\u001b[2J', [0, 1], [0, 1], [0, 1]], ['b', [0, 1], [0, 1], [0, 1]]),
    );
    expect((await impinge('info', file)).out).not.toContain('\u001b');
  });
});

describe('collide', () => {
  test('exit codes and verdicts', async () => {
    const hit = await impinge('collide', tetra, tetraStl, '--pose', 't=0.5,0,0.5');
    expect([hit.code, hit.err]).toEqual([1, '']);
    expect(hit.out).toMatch(
      /^A .*tetra\.ply +4 triangles\nB .*tetra\.stl +4 triangles +posed t=0\.5,0,0\.5\n\ncollision: \d+ triangle pairs\n/,
    );
    const miss = await impinge('collide', tetra, tetraStl, '--pose', 't=10,0,0');
    expect([miss.code, miss.err]).toEqual([0, '']);
    expect(miss.out).toContain('\nno collision\n');
    const any = await impinge('collide', tetra, tetraStl, '--any');
    expect(any.code).toBe(1);
    expect(any.out).toContain('\ncollision\n');
  });

  test('touching counts, a hair less does not', async () => {
    expect((await impinge('collide', unit, unit, '--pose', 't=1,0,0')).code).toBe(1);
    expect((await impinge('collide', unit, unit, '--pose', 't=1.0000001,0,0')).code).toBe(0);
  });

  test('--within', async () => {
    const at = (within: string) => impinge('collide', tetra, tetra, '--pose', 't=10,0,0', '--within', within);
    expect((await at('8.4m')).code).toBe(0);
    expect((await at('8.4m')).out).toContain('nothing within 8.4');
    expect((await at('8.5m')).code).toBe(1);
    expect((await at('8.5m')).out).toContain('within 8.5: ');
    expect((await at('8500mm')).code).toBe(1);
  });

  test('--pose-a and --pose together: the same motion of both changes nothing', async () => {
    const still = await impingeJson('collide', tetra, tetra, '--pose', 't=0.5,0,0.5');
    const moved = await impinge(
      'collide',
      tetra,
      tetra,
      '--pose-a',
      't=64,32,0 rz=90',
      '--pose',
      't=0.5,0,0.5 t=64,32,0 rz=90',
      '--json',
    );
    expect(JSON.parse(moved.out).trianglePairs).toBe(still.trianglePairs);
    expect(still.trianglePairs).toBeGreaterThan(0);
  });

  test('object by object', async () => {
    const { code, out } = await impinge('collide', two, unit, '--pose', 't=5.5,0.5,0.5');
    expect(code).toBe(1);
    expect(out).toMatch(/collision: \d+ triangle pairs in 1 object pair\n/);
    expect(out).toMatch(/in A +in B +triangle pairs\n {2}two\/pipe, long {2}unit +\d+\n/);
    expect(out).toContain('1 object pair with overlapping boxes');
    const any = await impinge('collide', two, unit, '--pose', 't=5.5,0.5,0.5', '--any');
    expect(any.out).toContain('collision: two/pipe, long × unit');
  });

  test('scaled, mirrored and sheared nodes are baked', async () => {
    const node = async (matrix: number[]) => {
      const { json, binary } = gltfParts();
      json.nodes[0]['matrix'] = matrix;
      const file = files.write('matrix.glb', glb(json, binary));
      return (await impingeJson('distance', file, tetra, '--pose', 't=100,0,0')).distance;
    };
    expect(await node([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1])).toBeCloseTo(91.5, 12);
    expect(await node([4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])).toBeCloseTo(94, 12);
    expect(await node([-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])).toBeCloseTo(100, 12);
    expect(await node([1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1])).toBeCloseTo(
      Math.hypot(93.875, 0.5, 3),
      10,
    );
  });

  test('--limit, --pairs and JSON agree', async () => {
    const csv = join(files.folder, 'pairs.csv');
    const all = await impingeJson('collide', two, twoAgain, '--pairs', csv);
    expect(all).toMatchObject({ colliding: true, complete: true, a: { objects: 2, triangles: 24 } });
    const lines = readFileSync(csv, 'utf8').trimEnd().split('\n');
    expect(lines[0]).toBe('objectA,objectB,triangleA,triangleB');
    expect(lines).toHaveLength(1 + all.trianglePairs);
    expect(lines.at(-1)).toMatch(/^"two\/pipe, long","two-again\/pipe, long",\d+,\d+$/);
    expect(new Set(lines).size).toBe(lines.length);
    const sum = all.objectPairs.reduce(
      (total: number, pair: { trianglePairs: number }) => total + pair.trianglePairs,
      0,
    );
    expect(sum).toBe(all.trianglePairs);
    for (const limit of [1, 5, all.objectPairs[0].trianglePairs, all.trianglePairs]) {
      const some = await impingeJson('collide', two, twoAgain, '--limit', String(limit));
      expect(some.trianglePairs).toBe(limit);
      if (limit < all.trianglePairs) expect(some.complete).toBe(false);
    }
    expect((await impinge('collide', two, twoAgain, '--limit', '5')).out).toContain(
      'collision: at least 5 triangle pairs',
    );
    const beyond = await impingeJson('collide', two, twoAgain, '--limit', '100000');
    expect(beyond).toMatchObject({ complete: true, trianglePairs: all.trianglePairs });
  });

  test('the same file twice: each pair of different objects once', async () => {
    const rows: NamedBox[] = [
      ['left', [0, 1], [0, 1], [0, 1]],
      ['right', [0.5, 2], [0.5, 2], [0.5, 2]],
      ['beside', [2, 3], [0, 1], [0, 1]],
      ['apart', [9, 10], [0, 1], [0, 1]],
    ];
    const file = files.write('row.obj', boxesObj(...rows));
    const link = join(files.folder, 'link.obj');
    symlinkSync(file, link);
    const names = (out: string) =>
      JSON.parse(out).objectPairs.map((pair: { a: string; b: string }) =>
        `${pair.a} ${pair.b}`.replaceAll('row/', ''),
      );
    for (const other of [file, link]) {
      const once = await impinge('collide', file, other, '--json');
      expect(once.code).toBe(1);
      expect(names(once.out)).toEqual(['left right', 'right beside']);
      expect(JSON.parse(once.out).sameFile).toBe(true);
    }
    const text = await impinge('collide', file, file);
    expect(text.out).toMatch(
      /^A = B .*row\.obj +48 triangles +4 objects\n\ncollision: \d+ triangle pairs in 2 /,
    );
    expect(text.out).toMatch(
      /object +with +triangle pairs\n {2}row\/left +row\/right +\d+\n {2}row\/right +row\/beside +\d+\n/,
    );
    const near = await impinge('collide', file, file, '--within', '6.5m', '--json');
    expect(names(near.out)).toEqual(['left right', 'left beside', 'right beside', 'beside apart']);
    // with a pose it is a copy, and everything counts
    const copy = await impinge('collide', file, file, '--pose', 't=0,0,0', '--json');
    expect(names(copy.out)).toHaveLength(8);
    const alone = await impinge('collide', unit, unit);
    expect(alone.code).toBe(0);
    expect(alone.out).toContain('one object, nothing to compare it with');
  });

  test('--contacts: one line per region, deepest first', async () => {
    const { code, out } = await impinge('collide', unit, two, '--pose', 't=0.75,0.25,0.25', '--contacts');
    expect(code).toBe(1);
    expect(out).toMatch(
      /\ncollision: \d+ triangle pairs in 1 object pair\n\n1 contact region, deepest 0\.25\n/,
    );
    expect(out).toMatch(/in A +in B +clash +contact +depth +length +pairs +at +direction to separate B\n/);
    expect(out).toMatch(/\n {2}unit +two\/wall +protruding +crossing +0\.25/);
    const single = await impinge('collide', tetra, tetraStl, '--pose', 't=1.5,0,0', '--contacts');
    expect(single.out).toMatch(/\n1 contact region\n {2}clash +contact +depth/);
    expect(single.out).toMatch(/touch +touching +0 +0 +\d+ +\(1\.5, 0, 0\)/);
    const open = files.write('no-lid.obj', readFileSync(unit, 'utf8').replace(/f [^\n]*\n/, ''));
    const bare = await impinge('collide', unit, open, '--pose', 't=0.75,0.25,0.25', '--contacts');
    expect(bare.out).toMatch(
      /\n1 contact region\n {2}clash +contact +depth.*\n {2}protruding +crossing +open +/,
    );
    expect(bare.out).toContain('one of the two is not closed');
    const none = await impinge('collide', unit, two, '--pose', 't=0,50,0', '--contacts');
    expect([none.code, none.out.includes('contact')]).toEqual([0, false]);
  });

  test('--contacts --json: what the library finds, all of it', async () => {
    const args = ['collide', unit, tetra, '--pose', 'rz=90 t=0.5,0.25,0.25', '--contacts', '--json'];
    const report = JSON.parse((await impinge(...args)).out);
    const [a, b] = await Promise.all(
      [unit, tetra].map(async (file) => Mesh.from((await readModel(file)).shapes[0].geometry)),
    );
    const pose = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.5, 0.25, 0.25, 1];
    const { regions } = contacts(a, b, { pose });
    expect(regions.length).toBeGreaterThan(0);
    const [pair] = report.objectPairs;
    expect(pair.solids).toBe(true);
    const { kind, form, depth, depthBound, point, box } = measure(a, b, { pose })!;
    expect(pair.clash).toEqual({ kind, form, depth, depthBound, point, box });
    expect(pair.contacts).toHaveLength(regions.length);
    regions.forEach((region, i) => {
      const { pairs, curves, trianglePairs, deepest, ...rest } = pair.contacts[i];
      const { pairs: wantedPairs, curves: wantedCurves, count, deepest: wanted, ...same } = region;
      expect(rest).toEqual(JSON.parse(JSON.stringify(same)));
      expect(deepest).toEqual(wanted ?? null);
      expect(trianglePairs).toBe(count);
      expect(pairs.flat()).toEqual([...wantedPairs]);
      expect(curves.map(({ points }: { points: number[][] }) => points.flat())).toEqual(
        wantedCurves.map(({ points }) => [...points]),
      );
      expect(curves.length).toBeGreaterThan(0);
    });
  });
});

describe('distance', () => {
  test('with its points', async () => {
    const { code, out } = await impinge('distance', tetra, tetraStl, '--pose', 't=10,0,0');
    expect(code).toBe(0);
    expect(out).toMatch(
      /\ndistance 8\.5\n {2}A +triangle \d.* at \(1\.5, 0, 0\)\n {2}B +triangle \d.* at \(10, 0, 0\)\n/,
    );
    const report = await impingeJson('distance', tetra, tetraStl, '--pose', 't=10,0,0');
    expect(report.distance).toBe(8.5);
    expect(report.closest.a).toMatchObject({ object: 'tetra', point: [1.5, 0, 0] });
    expect(report.closest.b).toMatchObject({ object: 'tetra', point: [10, 0, 0] });
  });

  test('with the features they lie on', async () => {
    const flat = files.write('flat.obj', 'v -9 -9 0\nv 9 -9 0\nv 0 9 0\nf 1 2 3\n');
    const tip = files.write('tip.obj', 'v 0 0 2\nv 1 0 3\nv 0 1 3\nf 3 1 2\n');
    const bar = files.write('bar.obj', 'v -2 0 9\nv 2 0 9\nv 0 0 12\nf 1 2 3\n');
    const across = files.write('across.obj', 'v 0 -2 7\nv 0 0 5\nv 0 2 7\nf 2 1 3\n');
    const face = await impinge('distance', flat, tip);
    expect(face.out).toMatch(
      /A +triangle 0, face +at \(0, 0, 0\)\n {2}B +triangle 0, corner 1 +at \(0, 0, 2\)\n/,
    );
    const edges = await impinge('distance', bar, across);
    expect(edges.out).toMatch(
      /A +triangle 0, edge 0–1 +at \(0, 0, 9\)\n {2}B +triangle 0, edge 1–2 +at \(0, 0, 7\)\n/,
    );
    const { closest } = await impingeJson('distance', flat, tip);
    expect(closest.a.feature).toEqual({ kind: 'face', corners: [0, 1, 2] });
    expect(closest.b.feature).toEqual({ kind: 'corner', corners: [1] });
    const last = (await impingeJson('distance', bar, across)).closest;
    expect(last.b.feature).toEqual({ kind: 'edge', corners: [1, 2] });
  });

  test('zero when they meet, nothing beyond --at-most', async () => {
    expect((await impinge('distance', tetra, tetra)).out).toContain('distance 0, they touch or overlap');
    const far = await impinge('distance', tetra, tetra, '--pose', 't=10,0,0', '--at-most', '8m');
    expect(far.code).toBe(0);
    expect(far.out).toContain('farther apart than 8');
    const report = await impinge('distance', tetra, tetra, '--pose', 't=10,0,0', '--at-most', '8m', '--json');
    expect(JSON.parse(report.out)).toMatchObject({ distance: null, atMost: 8 });
    const near = await impinge('distance', tetra, tetra, '--pose', 't=10,0,0', '--at-most', '8.5m', '--json');
    expect(JSON.parse(near.out).distance).toBe(8.5);
  });

  test('of many boxes: the least of all pairs, seed 13', async () => {
    const interval = fc
      .tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 6 }))
      .map(([x, d]): Interval => [x, x + d]);
    const list = fc.array(fc.tuple(interval, interval, interval), { minLength: 1, maxLength: 6 });
    const gap = (a: Interval, b: Interval) => Math.max(0, a[0] - b[1], b[0] - a[1]);
    const within = (a: Interval[], b: Interval[]) => a.every((x, k) => x[0] > b[k][0] && x[1] < b[k][1]);
    await fc.assert(
      fc.asyncProperty(list, list, async (a, b) => {
        fc.pre(!a.some((p) => b.some((q) => within(p, q) || within(q, p))));
        const [fileA, fileB] = Object.entries({ a, b }).map(([name, boxes]) =>
          files.write(`${name}.obj`, boxesObj(...boxes.map((box, i): NamedBox => [`${name}${i}`, ...box]))),
        );
        const distances = a.flatMap((p) => b.map((q) => Math.hypot(...p.map((x, k) => gap(x, q[k])))));
        const report = await impingeJson('distance', fileA, fileB);
        expect(report.distance).toBeCloseTo(Math.min(...distances), 10);
        const collision = await impingeJson('collide', fileA, fileB);
        expect(collision.objectPairs).toHaveLength(distances.filter((d) => d === 0).length);
      }),
      { seed: 13, numRuns: runs(60) },
    );
  });
});

test('JSON is laid out, never changed, seed 14', () => {
  expect(json({ box: [1, -2.5e-9, 3], empty: [] })).toBe('{\n  "box": [1, -2.5e-9, 3],\n  "empty": []\n}\n');
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(JSON.parse(json(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { seed: 14, numRuns: runs(300) },
  );
});

describe('errors are one line, exit code 2', () => {
  const absent = join(files.folder, 'absent.ply');
  const cut = files.write('cut.stl', binaryStl().slice(0, 100));
  const cases: [string[], string | RegExp][] = [
    [['info', absent], `impinge: ${absent}: no such file or folder\n`],
    [
      ['info', join(files.folder, '*.ifc')],
      `impinge: ${join(files.folder, '*.ifc')}: nothing matches this pattern\n`,
    ],
    [['info', tetra, cut], `impinge: ${cut}: cut off: the header declares 4 triangles, the file holds 0\n`],
    [
      ['collide', tetra, cut],
      `impinge: ${cut}: cut off: the header declares 4 triangles, the file holds 0\n`,
    ],
    [['distance', absent, tetra], `impinge: ${absent}: no such file or folder\n`],
    [['distance', 'plant.impinge', tetra], /^impinge: plant.impinge: cannot be read: there is no such file/],
    [['collide', tetra], "impinge: missing required argument 'B'\n"],
    [['info'], "impinge: missing required argument 'model'\n"],
    [['swim'], "impinge: unknown command 'swim'\n"],
    [['check'], "impinge: missing required argument 'model'\n"],
    [['pack', tetra], "impinge: required option '-o, --output <file>' not specified\n"],
    [['collide', tetra, tetra, '--wings'], "impinge: unknown option '--wings'\n"],
    [
      ['collide', tetra, tetra, tetra],
      /^impinge: too many arguments for 'collide'. Expected 2 arguments but got 3.*\n$/,
    ],
    [
      ['collide', tetra, tetra, '--any', '--limit', '3'],
      /^impinge: option '--(any|limit <n>)' cannot be used with option '--(any|limit <n>)'\n$/,
    ],
    ...(['--any', '--limit=3', '--within=1'] as const).map((other): [string[], RegExp] => [
      ['collide', tetra, tetra, '--contacts', other],
      /^impinge: option '--contacts' cannot be used with option '--\w+( <\w+>)?'\n$/,
    ]),
    [['collide', tetra, tetra, '--limit', '0'], 'impinge: --limit: "0" is not a count\n'],
    [['collide', tetra, tetra, '--limit', 'ten'], 'impinge: --limit: "ten" is not a count\n'],
    [['collide', tetra, tetra, '--within', '-1'], 'impinge: --within: "-1" is negative\n'],
    [['collide', tetra, tetra, '--tolerance', '1'], "impinge: unknown option '--tolerance'\n"],
    [['distance', tetra, tetra, '--at-most', 'far'], /^impinge: --at-most: "far": unknown unit "far"; /],
    [
      ['distance', tetra, tetra, '--pose', '1,2,3'],
      'impinge: --pose: "1,2,3" is not one of t=, r=, rx=, ry=, rz=, q=, m=\n',
    ],
    [
      ['collide', tetra, tetra, '--pose-a', 't=1'],
      'impinge: --pose-a: "t=1": t= takes 3 numbers separated by commas\n',
    ],
    [
      ['collide', tetra, tetra, '--pairs', join(absent, 'x.csv')],
      `impinge: ${join(absent, 'x.csv')}: no such folder\n`,
    ],
    [['collide', tetra, tetra, '--pairs', files.folder], /^impinge: .*\n$/],
  ];
  test.each(cases)('%j', async (args, message) => {
    const { code, out, err } = await impinge(...args);
    expect(code).toBe(2);
    if (args[1] !== tetra || args[0] !== 'info') expect(out).toBe('');
    if (typeof message === 'string') expect(err).toBe(message);
    else expect(err).toMatch(message);
    expect(err.trimEnd()).not.toContain('\n');
  });
});

test('help names every command and shows examples; the version is the package’s', async () => {
  const help = await impinge('--help');
  expect(help.code).toBe(0);
  for (const command of [
    'info',
    'check',
    'view',
    'serve',
    'pack',
    'collide',
    'distance',
    'generate',
    'demo',
  ]) {
    expect(help.out).toContain(`\n  ${command} `);
    const own = await impinge(command, '--help');
    expect(own.code).toBe(0);
    expect(own.out).toMatch(/Examples?:\n {2}impinge /);
    expect(own.out.split('\n').filter((line) => line.length > 120)).toEqual([]);
  }
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect((await impinge('--version')).out).toBe(`${manifest.version}\n`);
});

test('the manifest points at what the build makes', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(manifest.bin.impinge).toBe('./bin/impinge.js');
  expect(existsSync(new URL('../src/main.ts', import.meta.url))).toBe(true);
});
