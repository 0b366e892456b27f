/** What the archive of a check shows: geometry, from where nothing is in the way. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { openStoreFile } from '@impinge/model/node';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { painterOf } from '../src/reports/painter-threads.js';
import { Scenery } from '../src/reports/scenery.js';
import { temporaryFolder } from './files.js';
import { childrenOf, parseXml } from './reports-bcf-schema.js';
import { type NamedBox as Box, boxesObj, impinge } from './run-impinge.js';

const folder = temporaryFolder();

/** The one topic of a model of boxes: the camera's eye, and how many pixels have each colour. */
async function topicOf(name: string, ...boxes: Box[]) {
  const model = join(folder, `${name}.obj`);
  writeFileSync(model, boxesObj(...boxes));
  const output = join(folder, name);
  expect((await impinge('check', model, '-o', output, '--formats', 'bcf')).code).toBe(1);
  const files = unzipSync(readFileSync(join(output, 'clashes.bcfzip')));
  const file = (end: string) => files[Object.keys(files).find((one) => one.endsWith(end))!];
  const view = parseXml(strFromU8(file('.bcfv')));
  const eye = childrenOf(view, 'PerspectiveCamera', 'CameraViewPoint')[0].children.map((one) =>
    Number(one.text),
  );
  return { eye, colours: coloursOf(Buffer.from(file('.png'))) };
}

/** By the colour: reddish, bluish, grey. */
function coloursOf(png: Buffer): { red: number; blue: number } {
  const part = (type: string) => {
    const at = png.indexOf(type);
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  };
  const [palette, rows, width] = [part('PLTE'), inflateSync(part('IDAT')), png.readUInt32BE(16)];
  let [red, blue] = [0, 0];
  rows.forEach((index, i) => {
    if (i % (1 + width) === 0) return;
    const [r, g, b] = palette.subarray(3 * index, 3 * index + 3);
    if (r > 1.5 * b && r > 1.5 * g) red++;
    if (b > 1.5 * r && b > 1.2 * g) blue++;
  });
  return { red, blue };
}

const BARS: Box[] = [
  ['bar', [-3, 3], [-0.1, 0.1], [0, 0.2]],
  ['post', [-0.1, 0.1], [-0.1, 0.1], [-0.7, 0.7]],
  ['ground', [-9, 9], [-9, 9], [-9, -8.9]],
];

test('a picture shows both objects', async () => {
  const { colours } = await topicOf('bars', ...BARS);
  expect(colours.red).toBeGreaterThan(500);
  expect(colours.blue).toBeGreaterThan(500);
});

test('the camera is not inside a roof, nor is a wall in the way where another side is free', async () => {
  const open = await topicOf('open', ...BARS);
  expect(open.eye[2]).toBeGreaterThan(1);
  // all around from above is roof
  const roof: Box = ['roof', [-9, 9], [-9, 9], [open.eye[2] - 0.4, open.eye[2] + 3]];
  const below = await topicOf('roof', ...BARS, roof);
  expect(below.eye[2]).toBeLessThan(roof[3][0]);
  // and what was the side of the camera is a wall
  const wall: Box = ['wall', [-9, -0.6], [-9, -0.6], [-5, 1]];
  const beside = await topicOf('wall', ...BARS, roof, wall);
  expect(beside.eye[0] > -0.6 || beside.eye[1] > -0.6).toBe(true);
  expect(beside.colours.red).toBeGreaterThan(500);
});

/** So many issues that pictures are drawn by several threads. */
const crosses = (count: number): Box[] =>
  Array.from({ length: count }, (_, i): Box[] => [
    [`bar ${i}`, [20 * i - 3, 20 * i + 3], [-0.1, 0.1], [0, 0.2]],
    [`post ${i}`, [20 * i - 0.1, 20 * i + 0.1], [-0.1, 0.1], [-0.7, 0.2 + 0.01 * i]],
  ]).flat();

test('any number of threads draws the same pictures and models', async () => {
  const model = join(folder, 'crosses.obj');
  writeFileSync(model, boxesObj(...crosses(120)));
  const archives: Buffer[] = [];
  const pages: string[] = [];
  for (const workers of ['1', '3']) {
    const output = join(folder, `crosses ${workers}`);
    const args = ['--formats', 'bcf,html', '--group-by', 'element', '--workers', workers];
    await impinge('check', model, '-o', output, ...args);
    archives.push(readFileSync(join(output, 'clashes.bcfzip')));
    pages.push(readFileSync(join(output, 'report.html'), 'utf8'));
  }
  expect(Object.keys(unzipSync(archives[0])).filter((name) => name.endsWith('.png'))).toHaveLength(120);
  expect(archives[1].equals(archives[0])).toBe(true);
  expect(pages[1] === pages[0]).toBe(true);
});

test('what goes wrong in a thread that draws is told by the pictures', async () => {
  const store = join(folder, 'few.impinge');
  const model = join(folder, 'few.obj');
  writeFileSync(model, boxesObj(...crosses(1)));
  await impinge('pack', model, '-o', store);
  const opened = await openStoreFile(store);
  const box = { min: [0, 0, 0], max: [1, 1, 1] } as const;
  renameSync(store, join(folder, 'moved.impinge')); // open here, and no longer found by others
  const painter = painterOf(opened, new Scenery(opened), box, 2);
  painter.prepare(30);
  const subject = { box, point: [0, 0, 0], hubs: [], others: [], contacts: [] } as const;
  // this thread, which has the store open, draws until the other one is there
  const draw = async () => {
    for (;;) {
      const pictures = painter.paint(Array.from({ length: 30 }, () => subject));
      for (let i = 0; i < 30; i++) expect((await pictures(i)).png.length).toBeGreaterThan(100);
    }
  };
  await expect(draw()).rejects.toThrow('few.impinge');
  await painter.dispose();
  await opened.dispose();
});
