/** Decisions in the service: one record for all users and runs, through its API, its pages, files and webhooks. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpServer } from './local-servers.js';
import {
  type Answered,
  databaseServer,
  dataFolder,
  HAS_POSTGRES,
  overlappingBoxes,
  PATIENT,
  Served,
  settingsFor,
} from './service-client.js';

interface Decided {
  readonly clash: string;
  readonly status: string;
  readonly assignee: string;
  readonly due: string;
  readonly comments: readonly { readonly author: string; readonly date: string; readonly text: string }[];
}

describe.skipIf(!HAS_POSTGRES)('decisions in the service', () => {
  const data = dataFolder();
  const newDatabase = databaseServer();
  let served: Served;

  beforeAll(async () => {
    served = await Served.start(
      settingsFor(join(data, 'd'), { database: await newDatabase(), network: { allowPrivate: true } }),
    );
  });
  afterAll(() => served?.service.stop());

  const api = (project: string, path: string, asked = {}) =>
    served.ask(`/api/v1/projects/${project}/${path}`, asked);
  const named = async (name: string, role: 'read' | 'run' = 'run', projects?: readonly string[]) =>
    (await served.service.parts.tokens.create(name, role, projects)).token;

  async function checked(overlaps: number, project?: string) {
    const id = project ?? (await served.project());
    await served.upload(id, 'boxes.obj', overlappingBoxes(overlaps));
    const run = await served.start(id);
    const end = await served.finished(run);
    expect(end.state).toBe('done');
    const lines = (await served.ask(`/api/v1/runs/${run}/files/clashes.jsonl`)).text.trim().split('\n');
    const clashes = lines.map(
      (line) => JSON.parse(line) as { id: string; review: { status: string } | null },
    );
    return { project: id, run, end, clashes, ids: clashes.map(({ id: clash }) => clash) };
  }

  async function decisionsOf(project: string, query = ''): Promise<Decided[]> {
    return (await api(project, `decisions${query}`)).json.decisions;
  }

  const decide = (project: string, token: string, changes: object[], base?: string): Promise<Answered> =>
    api(project, 'decisions', { method: 'PATCH', token, body: { changes, ...(base && { base }) } });

  test('are taken by later runs, whose totals, page and BCF agree', async () => {
    const { project, ids } = await checked(3);
    const ann = await named('Ann');
    const answer = await decide(project, ann, [
      { clash: ids[0], status: 'approved', comment: 'sleeve is planned' },
      { clash: ids[1], assignee: 'mep@example.com', due: '2026-12-24' },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.json.decisions).toHaveLength(2);
    const next = await checked(3, project);
    expect(next.end).toMatchObject({ clashes: 2, approved: 1, newClashes: 0 });
    expect(next.clashes.find(({ id }) => id === ids[0])!.review).toMatchObject({
      status: 'approved',
      comments: [{ author: 'Ann', text: 'sleeve is planned' }],
    });
    const { open } = (await api(project, 'open')).json;
    expect(open).toEqual([
      { assignee: '', open: 1, overdue: 0, undecided: 1 },
      { assignee: 'mep@example.com', open: 1, overdue: 0, undecided: 1 },
    ]);
    // decided after the run, and shown of it
    await decide(project, ann, [{ clash: ids[2], status: 'reviewed' }]);
    const shown = (await served.ask(`/runs/${next.run}/view/review.json`)).json;
    expect(shown.decisions[ids[2]].status).toBe('reviewed');
    expect(await decisionsOf(project, '?status=reviewed')).toMatchObject([{ clash: ids[2] }]);
    expect(await decisionsOf(project, '?assignee=mep%40example.com')).toMatchObject([{ clash: ids[1] }]);
    expect(await decisionsOf(project, `?run=${next.run}`)).toHaveLength(3);
    expect((await api(await served.project(), `decisions?run=${next.run}`)).status).toBe(404);
  });

  test('of two people at once: the later value wins, and a comment records the other', async () => {
    const { project, ids } = await checked(2);
    const [ann, bob] = [await named('Ann'), await named('Bob')];
    const { revision } = (await api(project, 'decisions')).json;
    await decide(project, ann, [{ clash: ids[0], assignee: 'Ann', status: 'active' }], revision);
    await decide(project, bob, [{ clash: ids[0], assignee: 'Bob' }], revision);
    const [merged] = await decisionsOf(project);
    expect(merged).toMatchObject({ status: 'active', assignee: 'Bob' });
    expect(merged.comments).toMatchObject([
      { author: 'Bob', text: 'assignee: "Ann" became "Bob", both set at the same time' },
    ]);
    // without a base, the later value simply is
    await decide(project, ann, [{ clash: ids[0], assignee: 'Cid' }]);
    expect((await decisionsOf(project))[0].comments).toHaveLength(1);
    // many at once: none is lost
    const comments = Array.from({ length: 20 }, (_, i) => `said ${i}`);
    await Promise.all(
      comments.map((text, i) =>
        api(project, `decisions/${ids[1]}/comments`, { token: i % 2 ? ann : bob, body: { text } }),
      ),
    );
    const said = (await decisionsOf(project)).find(({ clash }) => clash === ids[1])!.comments;
    expect(said.map(({ text }) => text).sort()).toEqual(comments.sort());
    expect(new Set(said.map(({ author }) => author))).toEqual(new Set(['Ann', 'Bob']));
  });

  test('need the role run, the right project, and a clash that was found', async () => {
    const { project, ids } = await checked(1);
    const other = await served.project();
    const change = [{ clash: ids[0], status: 'approved' }];
    expect((await decide(project, await named('Guest', 'read'), change)).status).toBe(403);
    expect((await decide(project, await named('Of another', 'run', [other]), change)).status).toBe(404);
    expect((await decide(project, await named('Of this', 'run', [project]), change)).status).toBe(200);
    const stranger = await decide(project, await named('Ann'), [{ clash: 'c0ffee', status: 'active' }]);
    expect([stranger.status, stranger.json.error]).toEqual([400, 'there is no clash c0ffee']);
    const odd = await decide(project, await named('Ann'), [{ clash: 'a\0', status: 'active' }]);
    expect(odd.status).toBe(400);
    expect((await api(project, 'decisions?assignee=%00')).json.decisions).toEqual([]);
    for (const bad of [
      [{ clash: ids[0], status: 'fine' }],
      [{ clash: ids[0], due: 'tomorrow' }],
      [{ clash: ids[0], comment: ' ' }],
      [],
    ])
      expect((await decide(project, await named('Ann'), bad)).status).toBe(400);
    for (const [method, path] of [
      ['GET', 'decisions'],
      ['GET', 'review?format=json'],
      ['GET', 'open'],
      ['GET', 'weeks'],
    ])
      expect(
        (await api(project, path, { method, token: await named('Of another', 'read', [other]) })).status,
      ).toBe(404);
  });

  test('come back in an edited BCF, and go out as files', async () => {
    const { project, ids } = await checked(3);
    const ann = await named('Ann');
    await decide(project, ann, [{ clash: ids[0], status: 'active' }]);
    for (const [version, file] of [
      ['2.1', 'clashes.bcfzip'],
      ['3.0', 'clashes.bcf'],
    ]) {
      const archive = await api(project, `review?format=bcf-${version}`);
      expect([archive.status, archive.headers['content-disposition']]).toEqual([
        200,
        `attachment; filename="${file}"`,
      ]);
      const same = await api(project, 'review', { method: 'PUT', token: ann, body: archive.body });
      expect(same.json).toMatchObject({ changed: 0, strangers: 0 });
      expect(same.json.topics).toBeGreaterThan(0);
    }
    // another tool closes everything that is open; meanwhile somebody here assigns
    const { body } = await api(project, 'review?format=bcf-2.1');
    await decide(project, ann, [{ clash: ids[1], assignee: 'mep' }]);
    const edited = await editedBcf(body, (markup) =>
      markup.replace(/TopicStatus="Open"/g, 'TopicStatus="Closed"'),
    );
    const imported = await api(project, 'review', { method: 'PUT', token: ann, body: edited });
    expect(imported.json.changed).toBeGreaterThan(0);
    const all = await decisionsOf(project);
    expect(all.find(({ clash }) => clash === ids[1])).toMatchObject({ status: 'resolved', assignee: 'mep' });
    const yaml = (await api(project, 'review')).text;
    expect(yaml).toContain(`${ids[1]}:`);
    const text = 'clashes:\n  aaaaaaaaaaaaaaaa: { status: approved, comment: of earlier }\n';
    expect((await api(project, 'review', { method: 'PUT', token: ann, body: text })).json).toMatchObject({
      changed: 1,
      topics: null,
    });
    const odd = 'clashes: { bbbbbbbbbbbbbbbb: { comment: "a\\0b" } }\n';
    expect((await api(project, 'review', { method: 'PUT', token: ann, body: odd })).json.changed).toBe(1);
    const signed = (await decisionsOf(project)).find(({ clash }) => clash === 'aaaaaaaaaaaaaaaa')!;
    expect(signed.comments).toMatchObject([{ author: 'Ann', text: 'of earlier' }]);
    const bad = await api(project, 'review', {
      method: 'PUT',
      token: ann,
      body: 'clashes:\n  a: { status: x }\n',
    });
    expect([bad.status, bad.json.error]).toEqual([400, expect.stringMatching(/^the file:2:\d+: status/)]);
    const { text: json } = await api(project, 'review?format=json');
    expect(Object.keys(JSON.parse(json).clashes)).toContain('aaaaaaaaaaaaaaaa');
    // what is not an archive fails as such
    const broken = await api(project, 'review', {
      method: 'PUT',
      token: ann,
      body: Buffer.from('PK\x03\x04no'),
    });
    expect(broken.status).toBe(400);
  });

  test('are told to the webhooks that want to know', async () => {
    const got: { event: string; path: string; body: Answered['json']; isSigned: boolean }[] = [];
    const secrets = new Map<string, string>();
    const { server, base } = await httpServer((request, response) => {
      let text = '';
      request.on('data', (part) => {
        text += part;
      });
      request.on('end', () => {
        const [, seconds, digest] = /^t=(\d+),v1=(.*)$/.exec(String(request.headers['x-impinge-signature']))!;
        const right = createHmac('sha256', secrets.get(request.url!)!).update(`${seconds}.${text}`);
        const body = JSON.parse(text);
        got.push({ event: body.event, path: request.url!, body, isSigned: right.digest('hex') === digest });
        response.writeHead(204).end();
      });
    });
    try {
      const { project, ids } = await checked(2);
      for (const [path, events] of [
        ['/decisions', ['clash-decided', 'clash-assigned', 'clash-commented']],
        ['/assigned', ['clash-assigned']],
        ['/runs', undefined],
      ] as const) {
        const { json } = await api(project, 'webhooks', { body: { address: base + path, events } });
        secrets.set(path, json.secret);
        expect(json.events).toEqual(events ?? ['run-finished']);
      }
      expect((await api(project, 'webhooks', { body: { address: base, events: ['else'] } })).status).toBe(
        400,
      );
      const ann = await named('Ann');
      await decide(project, ann, [
        { clash: ids[0], status: 'active', assignee: 'mep' },
        { clash: ids[1], assignee: 'mep', comment: 'please' },
      ]);
      await expect.poll(() => got.length, PATIENT).toBe(4);
      expect(got.every(({ isSigned }) => isSigned)).toBe(true);
      expect(got.filter(({ path }) => path === '/decisions').map(({ event }) => event)).toEqual([
        'clash-decided',
        'clash-assigned',
        'clash-commented',
      ]);
      const assigned = got.find(({ path }) => path === '/assigned')!.body;
      expect(assigned).toMatchObject({ event: 'clash-assigned', project, by: 'Ann', count: 2 });
      expect(assigned.clashes).toContainEqual({
        ...{ clash: ids[0], status: 'active', assignee: 'mep', due: '' },
        was: { assignee: '' },
      });
      const commented = got.find(({ event }) => event === 'clash-commented')!.body;
      expect(commented.clashes).toMatchObject([
        { clash: ids[1], comments: [{ author: 'Ann', text: 'please' }] },
      ]);
      // nothing new, nothing told
      await decide(project, ann, [{ clash: ids[0], assignee: 'mep' }]);
      await checked(2, project);
      await expect.poll(() => got.at(-1)!.event, PATIENT).toBe('run-finished');
      expect(got).toHaveLength(5);
    } finally {
      server.close();
    }
  });

  test('of the pages are saved at once, under the name of the token', async () => {
    const { project, run, ids } = await checked(2);
    const ann = await named('Ann');
    const report = await served.ask(`/runs/${run}/report.html`, { token: ann });
    const saving = JSON.parse(
      /data-saving="([^"]*)"/.exec(report.text)![1].replaceAll('&quot;', '"').replaceAll('&#39;', "'"),
    );
    expect(saving).toMatchObject({ author: 'Ann', readOnly: null, review: 'view/review.json' });
    expect(report.headers['content-security-policy']).toContain("connect-src 'self'");
    const guest = await named('Guest', 'read');
    const readOnly = (await served.ask(`/runs/${run}/view/view.json`, { token: guest })).json;
    expect(readOnly).toMatchObject({ live: true, saving: { readOnly: 'The role read cannot decide' } });
    const { revision } = (await served.ask(`/runs/${run}/view/review.json`)).json;
    const date = new Date().toISOString();
    const body = {
      base: revision,
      author: 'Somebody else',
      changes: {
        [ids[0]]: { status: 'active', comments: [{ author: 'Somebody else', date, text: 'look' }] },
      },
    };
    const post = (token: string, headers = {}) =>
      served.ask(`/runs/${run}/view/review.json`, { token, body, headers });
    expect((await post(guest)).status).toBe(403);
    expect((await post(ann)).status).toBe(200);
    // what a page sends again is not said twice
    expect((await post(ann)).json.decisions[ids[0]].comments).toEqual([
      { author: 'Ann', date, text: 'look' },
    ]);
    const inCookie = { Cookie: `impinge_token=${ann}` };
    const without = { token: undefined, body, headers: inCookie };
    expect((await served.ask(`/runs/${run}/view/review.json`, without)).status).toBe(403);
    const headers = { ...inCookie, 'X-CSRF-Token': saving.csrf };
    expect((await served.ask(`/runs/${run}/view/review.json`, { ...without, headers })).status).toBe(200);
    const events = served.ask(`/runs/${run}/view/events`, { token: ann });
    await expect.poll(() => served.service.parts.events.count, PATIENT).toBe(1);
    await decide(project, ann, [{ clash: ids[1], status: 'reviewed' }]);
    // the stream ends with the service; here it is enough that it is there
    events.catch(() => {});
    const pictures = Buffer.concat([Buffer.from([15, 0, 0, 0]), Buffer.from('{"pictures":[]}')]);
    const archive = await served.ask(`/runs/${run}/view/bcf/export?version=3.0`, {
      token: guest,
      body: pictures,
    });
    expect(archive.body.subarray(0, 2).toString()).toBe('PK');
    const again = await served.ask(`/runs/${run}/view/bcf`, { token: ann, body: archive.body });
    expect(again.json).toMatchObject({ changed: 0, strangers: 0 });
    expect(readFileSync(join(served.service.parts.folders.report(run), 'review.json'), 'utf8')).toContain(
      '{}',
    );
  });

  test('are counted by week, discipline and person', async () => {
    const { project, ids } = await checked(3);
    await decide(project, await named('Ann'), [
      { clash: ids[0], status: 'approved', assignee: 'Ann' },
      { clash: ids[1], assignee: 'Bob' },
    ]);
    await checked(4, project);
    await checked(2, project);
    const { weeks } = (await api(project, 'weeks')).json;
    const week = weeks.at(-1);
    expect(week).toMatchObject({ open: expect.any(Number), new: 1, resolved: 2 });
    const sum = (list: { open: number }[]) => list.reduce((total, { open }) => total + open, 0);
    expect([sum(week.disciplines), sum(week.people)]).toEqual([week.open, week.open]);
    const open = (await api(project, 'open')).json.open;
    expect(sum(open)).toBe(week.open);
    expect(week.disciplines[0].name).toBe('boxes × boxes');
  });

  test('of runs before they were counted, and of clashes with other ids, are counted on', async () => {
    const { project, run, ids } = await checked(2);
    const { spans, reports, database } = served.service.parts;
    await database.rows('DELETE FROM clash_spans WHERE project = $1', [project]);
    await database.rows('UPDATE projects SET counted_since = NULL WHERE id = $1', [project]);
    const [unrecorded] = await spans.unrecorded();
    expect(unrecorded).toMatchObject({ run, project });
    const found = await reports.found(run);
    await spans.record(project, unrecorded.finished, found);
    expect(await spans.unrecorded()).toEqual([]);
    const renamed = { ...found[0], id: 'aaaaaaaaaaaaaaaa', formerIds: ['bbbbbbbbbbbbbbbb', found[0].id] };
    await spans.record(project, new Date().toISOString(), [renamed, found[1]]);
    const { weeks } = (await api(project, 'weeks')).json;
    expect(weeks.at(-1)).toMatchObject({ open: 2, new: 0, resolved: 0 });
    await spans.record(project, new Date(Date.now() + 1).toISOString(), [renamed]);
    expect((await api(project, 'weeks')).json.weeks.at(-1)).toMatchObject({ open: 1, resolved: 1 });
    expect(ids).toContain(found[1].id);
  });
});

/** The archive with other markup. */
async function editedBcf(archive: Buffer, edit: (markup: string) => string): Promise<Buffer> {
  const { unzipSync, zipSync } = await import('fflate');
  const files = unzipSync(archive);
  const edited = Object.entries(files).map(([name, bytes]) => [
    name,
    name.endsWith('markup.bcf') ? Buffer.from(edit(Buffer.from(bytes).toString('utf8'))) : bytes,
  ]);
  return Buffer.from(zipSync(Object.fromEntries(edited)));
}
