/** What an agent is told, through the client of the official SDK: ten tasks whose answers are known, and refusals. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const COMMAND = fileURLToPath(new URL('../../cli/bin/impinge.js', import.meta.url));

type Box = readonly [min: readonly number[], max: readonly number[]];

/** Closed boxes, each an object of an OBJ file in metres. */
function objOf(boxes: Readonly<Record<string, Box>>): string {
  const sides = ['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6'];
  return Object.entries(boxes)
    .map(([name, ends], i) => {
      const corners = Array.from({ length: 8 }, (_, c) =>
        [0, 1, 2].map((k) => ends[(c >> k) & 1][k]).join(' '),
      );
      const faces = sides.map((side) => side.split(' ').map((corner) => Number(corner) + 8 * i));
      return `o ${name}\n${corners.map((at) => `v ${at}\n`).join('')}${faces.map((f) => `f ${f.join(' ')}\n`).join('')}`;
    })
    .join('');
}

const hall = {
  floor: [
    [0, 0, -0.2],
    [10, 6, 0],
  ],
  // with a door of 1 m
  'wall left': [
    [5, 0, 0],
    [5.2, 2, 3],
  ],
  'wall right': [
    [5, 3, 0],
    [5.2, 6, 3],
  ],
  beam: [
    [0, 4, 2.5],
    [10, 4.3, 2.8],
  ],
  // 0.1 m into the beam, and 0.05 m above it
  duct: [
    [2, 0, 2.4],
    [2.4, 6, 2.6],
  ],
  tray: [
    [7, 0, 2.85],
    [7.4, 6, 2.9],
  ],
} as const satisfies Record<string, Box>;

/** Six walls around a cube of 2 m: nothing leaves it, and no search ends before its time. */
const cell = {
  below: [
    [-2, -2, -2],
    [2, 2, -1],
  ],
  above: [
    [-2, -2, 1],
    [2, 2, 2],
  ],
  left: [
    [-2, -2, -1],
    [-1, 2, 1],
  ],
  right: [
    [1, -2, -1],
    [2, 2, 1],
  ],
  front: [
    [-1, -2, -1],
    [1, -1, 1],
  ],
  back: [
    [-1, 1, -1],
    [1, 2, 1],
  ],
} as const satisfies Record<string, Box>;

let folder: string;
let client: Client;
let elsewhere: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'impinge-agent-')));
  elsewhere = await mkdtemp(join(tmpdir(), 'impinge-elsewhere-'));
  await writeFile(join(folder, 'hall.obj'), objOf(hall));
  await writeFile(
    join(folder, 'crate.obj'),
    objOf({
      crate: [
        [-0.25, -0.25, 0],
        [0.25, 0.25, 0.5],
      ],
    }),
  );
  await writeFile(
    join(folder, 'vat.obj'),
    objOf({
      vat: [
        [-0.75, -0.75, 0],
        [0.75, 0.75, 1],
      ],
    }),
  );
  await writeFile(join(folder, 'cell.obj'), objOf(cell));
  await writeFile(
    join(elsewhere, 'secret.obj'),
    objOf({
      secret: [
        [0, 0, 0],
        [1, 1, 1],
      ],
    }),
  );
  await symlink(join(elsewhere, 'secret.obj'), join(folder, 'link.obj'));
  client = await connected(folder);
}, 60_000);

afterAll(async () => {
  await client?.close();
  for (const made of [folder, elsewhere]) await rm(made, { recursive: true, force: true });
});

async function connected(...args: string[]): Promise<Client> {
  const one = new Client({ name: 'test', version: '1' });
  await one.connect(new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp', ...args] }));
  return one;
}

interface Content {
  readonly type: string;
  readonly text: string;
  readonly data: string;
}

async function call(name: string, args: Record<string, unknown>, by = client) {
  const { content, isError } = await by.callTool({ name, arguments: args }, undefined, { timeout: 60_000 });
  const [{ text }, picture] = content as Content[];
  // biome-ignore lint/suspicious/noExplicitAny: facts of all tools
  return { facts: isError ? undefined : (JSON.parse(text) as any), refused: isError ? text : '', picture };
}

describe('ten tasks', { timeout: 60_000 }, () => {
  test('which files are there?', async () => {
    const { facts } = await call('list_files', {});
    expect(facts.files.map(({ file }: { file: string }) => file)).toEqual([
      'cell.obj',
      'crate.obj',
      'hall.obj',
      'vat.obj',
    ]);
  });
  test('which objects does the hall have that are walls?', async () => {
    const { facts } = await call('describe_model', { files: ['hall.obj'], objects: true, matching: 'WALL' });
    expect(facts.matching).toBe(2);
    expect(facts.objects.map(({ path }: { path: string }) => path)).toEqual([
      'hall/wall left',
      'hall/wall right',
    ]);
    expect(facts.description).toContain('triangles  72');
  });
  test('what clashes in the hall, and how deep is it?', async () => {
    const { facts } = await call('check_model', { files: ['hall.obj'] });
    expect(facts.clashes).toBe(2);
    expect(facts.kinds.hard).toBe(2);
    const between = facts.worst.map(({ a, b }: Record<'a' | 'b', { path: string }>) => `${a.path} ${b.path}`);
    expect(between.sort()).toEqual(['hall/beam hall/duct', 'hall/wall right hall/beam'].sort());
    const duct = facts.worst.find(({ b }: { b: { path: string } }) => b.path === 'hall/duct');
    expect(duct.depth).toBeCloseTo(0.1, 6);
  });
  test('what is nearer to something than 60 mm, but does not touch it?', async () => {
    const { facts } = await call('check_model', { files: ['hall.obj'], clearance: '60mm' });
    const { facts: near } = await call('list_clashes', { report: facts.report, kind: 'clearance' });
    expect(near.found).toBe(1);
    expect(near.clashes[0].distance).toBeCloseTo(0.05, 6);
    expect([near.clashes[0].a.path, near.clashes[0].b.path]).toEqual(['hall/beam', 'hall/tray']);
  });
  test('what does the worst clash of the duct look like?', async () => {
    const { facts } = await call('check_model', { files: ['hall.obj'] });
    const { facts: found } = await call('list_clashes', { report: facts.report, matching: 'duct' });
    const { facts: explained, picture } = await call('explain_clash', {
      report: facts.report,
      id: found.clashes[0].id,
    });
    expect(explained.clash.b.name).toBe('duct');
    expect(explained.clash.rule).toBe('default');
    const png = Buffer.from(picture.data, 'base64');
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1280, 960]);
  });
  test('what is within 0.3 m of the beam?', async () => {
    const { facts } = await call('list_near', {
      files: ['hall.obj'],
      object: 'hall/beam',
      distance: '300mm',
    });
    const others = facts.near.flatMap(({ a, b }: Record<'a' | 'b', { path: string }>) => [a.path, b.path]);
    expect(new Set(others)).toEqual(new Set(['hall/beam', 'hall/duct', 'hall/wall right', 'hall/tray']));
    expect(facts.found).toBe(3);
  });
  test('how far is the crate from the hall if it hangs a metre up?', async () => {
    const { facts } = await call('measure_distance', { a: 'hall.obj', b: 'crate.obj', poseB: 't=3,2,1' });
    expect(facts.distance).toBeCloseTo(Math.hypot(0.35, 0.9), 6); // to the duct above, and beside
  });
  test('what does the crate meet where it stands in the door?', async () => {
    const { facts } = await call('collide', { a: 'hall.obj', b: 'crate.obj', poseB: 't=5,2.1,0.1' });
    expect(facts.objectPairs.map(({ a }: { a: string }) => a)).toEqual(['hall/wall left']);
    expect(facts.objectPairs[0].clash.depth).toBeCloseTo(0.15, 6);
  });
  test('can the crate be carried through the door, and the vat?', async () => {
    const way = { model: 'hall.obj', from: [2, 2, 0.1], to: [8, 2, 0.1], clearance: '50mm' };
    const { facts } = await call('find_path', { ...way, bodyFile: 'crate.obj' });
    expect(facts.found).toBe(true);
    expect(facts.certificate.clearance).toBeGreaterThan(0.05);
    const onFoot = { ...way, bodyFile: 'vat.obj', from: [2, 2, 0], to: [8, 2, 0], walk: true };
    expect((await call('find_path', onFoot)).facts.found).toBe(false);
  });
  test('where can the vat stand that is wished into the wall?', async () => {
    const wish = {
      model: 'hall.obj',
      bodyFile: 'vat.obj',
      near: [4.6, 1, 0.3],
      rest: true,
      clearance: '10mm',
    };
    const { facts } = await call('find_place', wish);
    expect(facts.found).toBe(true);
    expect(facts.pose.position[0]).toBeCloseTo(5 - 0.75 - 0.01, 2);
  });
});

describe('nothing else', { timeout: 60_000 }, () => {
  test.each(['../x', '/etc/passwd', 'link.obj', 'https://example.com/a.glb', '*.obj', '.', ''])(
    'is read: %s',
    async (file) => {
      expect((await call('measure_distance', { a: file, b: 'hall.obj' })).refused).not.toBe('');
      const body = { model: 'hall.obj', bodyObject: join(elsewhere, 'secret.obj'), to: [1, 1, 1] };
      expect((await call('find_path', body)).refused).toContain('selects no object');
    },
  );
  test('is taken for an option', async () => {
    await writeFile(join(folder, '--view'), 'no model');
    expect((await call('measure_distance', { a: '--view', b: 'hall.obj' })).refused).toContain('--view');
    await rm(join(folder, '--view'));
    const object = { model: 'hall.obj', bodyObject: '--output', to: [1, 1, 1] };
    expect((await call('find_path', object)).refused).toContain('path:--output');
  });
  test('is written, unless that is allowed', async () => {
    const check = { files: ['hall.obj'], save: 'found' };
    expect((await call('check_model', check)).refused).toContain('--write');
    expect(await readdir(folder)).not.toContain('found');

    const writer = await connected(folder, '--write');
    try {
      expect((await call('check_model', check, writer)).facts.report).toBe('found');
      expect(await readdir(join(folder, 'found'))).toContain('report.html');
      expect((await call('check_model', check, writer)).refused).toContain('exists already');
      expect((await call('check_model', { ...check, save: '../found' }, writer)).refused).toContain(
        'not in a folder',
      );
      const { facts } = await call('list_clashes', { report: 'found' }, writer);
      expect(facts.found).toBe(2);
    } finally {
      await writer.close();
      await rm(join(folder, 'found'), { recursive: true, force: true });
    }
  });
  test('is left behind, and long questions can be taken back', async () => {
    const before = await leftBy();
    const other = await connected(folder);
    const asked = other.callTool(
      {
        name: 'find_path',
        arguments: { model: 'cell.obj', bodyFile: 'crate.obj', from: [0, 0, 0], to: [8, 0, 0] },
      },
      undefined,
      { signal: AbortSignal.timeout(1500) },
    );
    await expect(asked).rejects.toThrow();
    expect((await call('list_files', {}, other)).facts.files.length).toBe(4);
    await other.close();
    await expect.poll(leftBy, { timeout: 10_000 }).toEqual(before);
  });
});

async function leftBy(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('impinge-mcp-')).sort();
}

test.each(['hall.obj', 'nothing'])('a folder that is none is told in one line: %s', (name) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [COMMAND, 'mcp', join(folder, name)], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toBe(`impinge: ${join(folder, name)}: no such folder\n`);
});
