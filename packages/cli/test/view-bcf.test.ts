/** BCF through the viewer: pictures of the page go out, decisions come back, and strangers' bytes do no harm. */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { strToU8, unzipSync, type Zippable, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { full } from '../../../test/budget.js';
import { topicGuid } from '../src/reports/bcf/topic.js';
import { encodePng } from '../src/reports/png.js';
import { parseReview } from '../src/reports/review/review-file.js';
import { pngProblem } from '../src/server/png-check.js';
import type { View } from '../src/server/view.js';
import { childrenOf, parseXml, schemaFaults, VISUALIZATION_INFO } from './reports-bcf-schema.js';
import { grouped, plantClashes } from './reports-clashes.js';
import { ask } from './view-requests.js';
import { servedReport } from './view-served.js';

const clashes = grouped(
  plantClashes(12, 9).map((one, i) => ({ ...one, id: (0xabc0000000000000n + BigInt(i)).toString(16) })),
);
const png = (width: number, height: number) =>
  Buffer.from(encodePng({ width, height, pixels: new Uint8Array(width * height), palette: [0xff8800] }));

const CAMERA = { eye: [1, 2, 3], direction: [0, 3, 0], up: [0, 1, 2], fieldOfView: 75 };

function bodyOf(list: unknown, ...pictures: readonly Uint8Array[]): Buffer {
  const text = Buffer.from(typeof list === 'string' ? list : JSON.stringify(list));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, ...pictures]);
}

const post = (view: View, path: string, body: Uint8Array | string) =>
  ask(view.address, new URL(view.address).pathname + path, { method: 'POST', body });

describe('an export with pictures', () => {
  full.each(['2.1', '3.0'])(
    'BCF %s holds them, and the camera that took them; it comes back',
    async (version) => {
      await servedReport(clashes, async (view, base) => {
        const { revision } = JSON.parse((await ask(view.address, `${base}review.json`)).body.toString());
        const decided = {
          status: 'reviewed',
          assignee: 'mep@example.com',
          due: '2026-12-24',
          comment: 'look <here>',
        };
        const changes = Object.fromEntries(clashes.map(({ id }) => [id, decided]));
        const change = JSON.stringify({ base: revision, author: 'ann', changes });
        expect((await post(view, 'review.json', change)).status).toBe(200);
        const [first, second] = [png(40, 30), png(8, 6)];
        const other = clashes.find(({ group }) => group !== clashes[0].group)!;
        const pictures = [
          { of: clashes[0].group, byteLength: first.length, camera: CAMERA },
          // by the id of a clash, and without a camera
          { of: other.id, byteLength: second.length },
        ];
        const answer = await post(view, `bcf/export?version=${version}`, bodyOf({ pictures }, first, second));
        expect(answer.status).toBe(200);
        expect(answer.headers['content-disposition']).toBe(
          `attachment; filename="clashes.${version === '3.0' ? 'bcf' : 'bcfzip'}"`,
        );
        const entries = unzipSync(answer.body);
        const [mine, others] = [clashes[0], other].map(({ group }) => topicGuid({ id: group }));
        expect(Buffer.from(entries[`${mine}/snapshot.png`]).equals(first)).toBe(true);
        expect(Buffer.from(entries[`${others}/snapshot.png`]).equals(second)).toBe(true);
        expect(Object.keys(entries).filter((name) => name.endsWith('.png'))).toHaveLength(2);
        const viewpoint = parseXml(Buffer.from(entries[`${mine}/viewpoint.bcfv`]).toString());
        const camera = (...path: string[]) =>
          childrenOf(viewpoint, 'PerspectiveCamera', ...path).flatMap(({ text, children }) =>
            children.length > 0 ? children.map((child) => Number(child.text)) : [Number(text)],
          );
        expect(camera('CameraViewPoint')).toEqual([1, 2, 3]);
        expect(camera('CameraDirection')).toEqual([0, 1, 0]);
        expect(camera('CameraUpVector')).toEqual([0, 0, 1]);
        expect(camera('FieldOfView')).toEqual([version === '2.1' ? 60 : 75]);
        if (version === '2.1') expect(schemaFaults(viewpoint, VISUALIZATION_INFO)).toEqual([]);
        // to another report of the same clashes
        await servedReport(clashes, async (elsewhere, _, folder) => {
          const back = await post(elsewhere, 'bcf', answer.body);
          expect(back.status).toBe(200);
          expect(JSON.parse(back.body.toString())).toMatchObject({
            strangers: 0,
            changed: clashes.length,
          });
          const again = await post(elsewhere, 'bcf', answer.body);
          expect(JSON.parse(again.body.toString())).toMatchObject({ strangers: 0, changed: 0 });
          const saved = parseReview(readFileSync(join(folder, 'review.json'), 'utf8'), 'x');
          expect(saved.size).toBe(clashes.length);
          for (const one of saved.values()) {
            expect(one).toMatchObject({ status: 'reviewed', assignee: 'mep@example.com', due: '2026-12-24' });
            expect(one.comments.map(({ author, text }) => [author, text])).toEqual([['ann', 'look <here>']]);
          }
        });
      });
    },
  );

  test('what is no export is refused', async () => {
    const good = png(4, 4);
    const list = (...pictures: object[]) => ({ pictures });
    const one = { of: 'x', byteLength: good.length };
    const bodies: readonly (readonly [string, Uint8Array])[] = [
      ['cut off', Buffer.alloc(0)],
      ['cut off', Buffer.from([255, 255, 255, 255, 1])],
      ['is invalid', bodyOf('{')],
      ['is invalid', bodyOf({ pictures: [{ of: 'x', byteLength: -1 }] })],
      ['is invalid', bodyOf({ pictures: [{ of: 'x', byteLength: 1e12 }] })],
      ['is invalid', bodyOf(list({ ...one, path: '../x' }), good)],
      ['is invalid', bodyOf('{"pictures":[{"of":"x","byteLength":10,"camera":{"eye":[1e999,0,0]}}]}')],
      ['is invalid', bodyOf(list(...Array.from({ length: 2001 }, () => one)))],
      ['picture of x is cut off', bodyOf(list(one), good.subarray(1))],
      ['more pictures than the list declares', bodyOf(list(one), good, Buffer.from([0]))],
      ['picture of x is no PNG', bodyOf(list({ of: 'x', byteLength: 12 }), Buffer.from('<svg></svg> '))],
    ];
    await servedReport(clashes, async (view) => {
      for (const [why, body] of bodies) {
        const { status, body: said } = await post(view, 'bcf/export?version=2.1', body);
        expect([status, JSON.parse(said.toString()).error]).toEqual([400, expect.stringContaining(why)]);
      }
      for (const path of ['bcf/export', 'bcf/export?version=2.0', 'bcf/export?version=__proto__'])
        expect((await post(view, path, bodyOf(list()))).status).toBe(400);
      expect((await post(view, 'bcf/export?version=2.1', bodyOf(list()))).status).toBe(200);
    });
  });

  test('a PNG is whole, of a size that others take, and nothing else', () => {
    const good = png(4, 4);
    expect(pngProblem(good)).toBeUndefined();
    for (let end = 0; end < good.length; end++) expect(pngProblem(good.subarray(0, end))).toBeDefined();
    for (let at = 0; at < good.length; at++) {
      const altered = Buffer.from(good);
      altered[at] ^= 1;
      expect(pngProblem(altered)).toBeDefined();
    }
    expect(pngProblem(Buffer.concat([good, Buffer.from('x')]))).toBe('is damaged');
    const large = Buffer.from(good);
    large.writeUInt32BE(4097, 16);
    large.writeUInt32BE(crc32(large.subarray(12, 29)), 29);
    expect(pngProblem(large)).toBe('is 4097 × 4; 4096 × 4096 are allowed');
  });
});

describe('an archive that comes in', () => {
  const version = { 'bcf.version': strToU8('<Version VersionId="2.1"/>') };
  const markup = () => strToU8('<Markup><Topic Guid="x" TopicStatus="Closed"/></Markup>');
  const zipped = (entries: Zippable) => Buffer.from(zipSync({ ...version, ...entries }));
  /** Says in its directory, where it is looked for first, that all topics have this many bytes. */
  const declaring = (archive: Buffer, byteLength: number) => {
    const altered = Buffer.from(archive);
    const entry = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
    for (let at = altered.indexOf(entry); at >= 0; at = altered.indexOf(entry, at + 1)) {
      if (altered.toString('latin1', at + 46, at + 47) === 't') altered.writeUInt32LE(byteLength, at + 24);
    }
    return altered;
  };
  const topics = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}/markup.bcf`, markup()]));

  const REFUSED: readonly (readonly [what: string, body: Buffer, why: RegExp])[] = [
    ['nothing', Buffer.alloc(0), /empty/],
    ['no archive', Buffer.from('hello'), /not a whole zip archive/],
    ['no BCF', Buffer.from(zipSync({ 'a.txt': strToU8('x') })), /is not BCF/],
    ['a topic that is too large', declaring(zipped(topics(1)), 5 << 20), /larger than 4 MiB/],
    ['a topic that is larger than it says', declaring(zipped(topics(1)), 9), /more than the 9 bytes/],
    [
      'topics that come to gigabytes',
      declaring(zipped(topics(80)), (4 << 20) - 1),
      /come to more than 256 MiB/,
    ],
  ];

  test('is refused where it is none, or too much', async () => {
    await servedReport(clashes, async (view, _, folder) => {
      for (const [what, body, why] of REFUSED) {
        const { status, body: said } = await post(view, 'bcf', body);
        const { error } = JSON.parse(said.toString());
        expect([what, status, error]).toEqual([what, 400, expect.stringMatching(why)]);
        expect(error).not.toContain(tmpdir());
      }
      expect(readdirSync(folder)).not.toContain('review.json');
    });
  });

  test('names that lead out of it are nobody’s topics; those about other clashes are counted', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('impinge-bcf-'));
    await servedReport(clashes, async (view, _, folder) => {
      const out = zipped({
        '../../evil/markup.bcf': markup(),
        '/abs/markup.bcf': markup(),
        't/markup.bcf': markup(),
      });
      const { status, body } = await post(view, 'bcf', out);
      expect([status, JSON.parse(body.toString())]).toMatchObject([
        200,
        { topics: 1, strangers: 1, decisions: {} },
      ]);
      expect(readdirSync(folder)).toEqual(['clashes.jsonl', 'report.json']);
    });
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('impinge-bcf-'))).toEqual(before);
  });

  test('one that is larger than may be is refused before it is there', async () => {
    await servedReport(clashes, async (view, base) => {
      const headers = { 'content-length': (64 << 20) + 1 };
      const { status } = await ask(view.address, `${base}bcf`, { method: 'POST', headers, unfinished: true });
      expect(status).toBe(413);
    });
  });
});
