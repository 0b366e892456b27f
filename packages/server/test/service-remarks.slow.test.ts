/** Topics and views that people make: through the BCF API with a client from npm, in files, and back. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BcfApi, Configuration } from '@bimdata/typescript-fetch-api-client';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodePng } from '../../cli/src/reports/png.js';
import { officialFaults, schemasAreThere } from '../../cli/test/bcf-schemas.js';
import { httpServer } from './local-servers.js';
import { databaseServer, dataFolder, HAS_POSTGRES, PATIENT, Served, settingsFor } from './service-client.js';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PNG = Buffer.from(
  encodePng({ width: 2, height: 1, pixels: Uint8Array.of(0, 1), palette: [0x000000, 0x2e6fdb] }),
);
const point = (x: number, y: number, z: number) => ({ x, y, z });
const CAMERA = {
  camera_view_point: point(1.5, -2, 3),
  camera_direction: point(0, 1, 0),
  camera_up_vector: point(0, 0, 1),
};
const VIEW = {
  perspective_camera: { ...CAMERA, field_of_view: 50, aspect_ratio: 1.5 },
  clipping_planes: [{ location: point(0, 0, 4), direction: point(0, 0, 1) }],
  lines: [{ start_point: point(0, 0, 0), end_point: point(1, 1, 1) }],
  snapshot: { snapshot_type: 'png', snapshot_data: PNG.toString('base64') },
  components: {
    selection: [{ ifc_guid: '2MF28NhmDBiRVyFakgdbCT' }],
    coloring: [{ color: '#ff0000', components: [{ ifc_guid: '2MF28NhmDBiRVyFakgdbCT' }] }],
    visibility: {
      default_visibility: true,
      exceptions: [{ originating_system: 'CAD', authoring_tool_id: '17' }],
      view_setup_hints: { spaces_visible: true },
    },
  },
};

describe.skipIf(!HAS_POSTGRES)('topics that people make', () => {
  const data = dataFolder();
  const newDatabase = databaseServer();
  let served: Served;
  let project: string;

  beforeAll(async () => {
    served = await Served.start(
      settingsFor(join(data, 'd'), { database: await newDatabase(), network: { allowPrivate: true } }),
    );
    project = await served.projectOf(2);
    await served.finished(await served.start(project));
  });
  afterAll(() => served?.service.stop());

  const bcf = (path: string, asked = {}, id = project) =>
    served.ask(`/bcf/3.0/projects/${id}${path}`, { token: served.token('run'), ...asked });
  const got = async (path: string, id?: string) => {
    const { status, json } = await bcf(path, {}, id);
    expect(status, path).toBe(200);
    return json;
  };
  const archiveOf = async (version: '2.1' | '3.0', id = project) => {
    const { status, body } = await served.ask(`/api/v1/projects/${id}/review?format=bcf-${version}`);
    expect(status).toBe(200);
    return body;
  };
  const imported = async (bytes: Uint8Array, id = project) => {
    const { status, json } = await served.ask(`/api/v1/projects/${id}/review`, {
      method: 'PUT',
      body: bytes,
    });
    expect(status).toBe(200);
    return json;
  };
  /** Another tool has changed the markup of a topic. */
  const changedIn = (archive: Uint8Array, guid: string, change: (markup: string) => string) => {
    const entries = unzipSync(archive);
    const name = `${guid}/markup.bcf`;
    entries[name] = strToU8(change(strFromU8(entries[name])));
    return zipSync(entries);
  };

  test.each(['2.1', '3.0'])(
    '%s: a client makes a topic, views it, comments on it, and changes it',
    async (version) => {
      const name = `Ann of ${version}`;
      const { token } = await served.service.parts.tokens.create(name, 'run');
      const client = new BcfApi(
        new Configuration({
          basePath: served.service.address.replace(/\/$/, ''),
          apiKey: () => `Bearer ${token}`,
          fetchApi: (url: RequestInfo | URL, init?: RequestInit) =>
            fetch(String(url).replace('/bcf/2.1/', `/bcf/${version}/`), init),
        }),
      );
      const own = project as unknown as number;
      const before = await client.getTopics(own);
      const made = await client.createTopic(own, {
        title: `The bearing may be longer (${version})`,
        topic_type: 'Request',
        topic_status: 'In Progress',
        priority: 'Urgent',
        labels: ['bearing'],
        stage: 'design',
        description: 'See <drawing> & detail 7',
        assigned_to: 'structure@example.com',
        reference_links: ['https://example.com/7'],
        due_date: new Date('2026-12-24T00:00:00Z'),
      });
      const guid = made.guid!;
      expect(guid).toMatch(GUID);
      expect(made).toMatchObject({
        title: `The bearing may be longer (${version})`,
        topic_type: 'Request',
        topic_status: 'In Progress',
        priority: 'Urgent',
        labels: ['bearing'],
        stage: 'design',
        description: 'See <drawing> & detail 7',
        assigned_to: 'structure@example.com',
        reference_links: ['https://example.com/7'],
        creation_author: name,
      });
      expect((await client.getTopics(own)).map((one) => one.guid)).toEqual([
        ...before.map((one) => one.guid),
        guid,
      ]);
      expect(await client.getTopic(guid, own)).toEqual(made);
      expect(await client.getTopics(own, "stage eq 'design' and priority eq 'Urgent'")).toContainEqual(made);
      const { topic_type, stage } = await client.getExtensions(own);
      expect([topic_type, stage]).toEqual([expect.arrayContaining(['Request']), ['design']]);
      // views
      const seen = await client.createViewpoint(own, guid, undefined, VIEW as never);
      expect(seen).toMatchObject({ guid: expect.stringMatching(GUID), snapshot: { snapshot_type: 'png' } });
      const flat = await client.createViewpoint(own, guid, undefined, {
        orthogonal_camera: { ...CAMERA, view_to_world_scale: 12 },
      } as never);
      expect((await client.getViewpoints(own, guid)).map((one) => one.guid)).toEqual([seen.guid, flat.guid]);
      const { coloring } = await client.getColorings(seen.guid!, own, guid);
      expect(coloring).toMatchObject([{ color: 'FF0000' }]);
      const { selection } = await client.getSelections(seen.guid!, own, guid);
      expect(selection).toMatchObject([{ ifc_guid: '2MF28NhmDBiRVyFakgdbCT' }]);
      const picture = await bcf(`/topics/${guid}/viewpoints/${seen.guid}/snapshot`);
      expect(picture.body.equals(PNG)).toBe(true);
      // comments
      const said = await client.createComment(own, guid, {
        comment: 'as seen here',
        viewpoint_guid: seen.guid,
      } as never);
      expect(said).toMatchObject({ author: name, comment: 'as seen here', viewpoint_guid: seen.guid });
      expect(await client.getComments(own, guid)).toEqual([said]);
      // changes: all that is sent counts, and null clears
      const after = await client.fullUpdateTopic(guid, own, {
        ...made,
        title: 'Longer bearing',
        topic_status: 'Closed',
        assigned_to: null,
        due_date: null,
        labels: [],
      } as never);
      expect(after).toMatchObject({
        title: 'Longer bearing',
        topic_status: 'Closed',
        priority: 'Urgent',
        labels: [],
      });
      expect([after.assigned_to, after.due_date]).toEqual([undefined, undefined]);
      // the decision is in the one record
      const { decisions } = (await served.ask(`/api/v1/projects/${project}/decisions`)).json;
      expect(decisions.find((one: { clash: string }) => one.clash === guid)).toMatchObject({
        status: 'resolved',
        changedBy: name,
        comments: [{ author: name, text: 'as seen here' }],
      });
      // decided elsewhere, the word follows
      await served.ask(`/api/v1/projects/${project}/decisions`, {
        method: 'PATCH',
        body: { changes: [{ clash: guid, status: 'active' }] },
      });
      expect((await client.getTopic(guid, own)).topic_status).toBe('Active');
    },
  );

  test('are announced, and refused where they cannot be', async () => {
    expect((await got('')).authorization.project_actions).toEqual(['createTopic']);
    expect((await got('/extensions')).topic_actions).toContain('createViewpoint');
    const [any] = await got('/topics');
    const ofAny = [`/topics/${any.guid}/document_references`, `/topics/${any.guid}/related_topics`];
    for (const list of ['/documents', '/files_information', ...ofAny]) expect(await got(list)).toEqual([]);
    expect((await bcf('/topics/0f8fad5b-d9cb-469f-a165-70867728950e/related_topics')).status).toBe(404);
    const reader = { token: served.token('read') };
    expect((await bcf('', reader)).json.authorization.project_actions).toEqual([]);
    expect((await bcf('/topics', { ...reader, body: { title: 'x' } })).status).toBe(403);
    const guid = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const made = await bcf('/topics', { body: { guid: guid.toUpperCase(), title: 'mine' } });
    expect([made.status, made.json.guid, made.json.topic_status]).toEqual([201, guid, 'Open']);
    expect((await bcf('/topics', { body: { guid, title: 'again' } })).status).toBe(409);
    const [issue] = await got('/topics');
    expect((await bcf('/topics', { body: { guid: issue.guid, title: 'theirs' } })).status).toBe(409);
    const of = `/topics/${guid}`;
    expect((await bcf(`${of}/viewpoints`, { ...reader, body: {} })).status).toBe(403);
    for (const [path, body, why] of [
      ['/topics', { title: ' ' }, 'title: a topic needs a title'],
      ['/topics', { title: 'x', guid: 'y' }, 'guid: not a GUID'],
      [`${of}/viewpoints`, { perspective_camera: { ...CAMERA, field_of_view: 200 } }, 'field_of_view'],
      [
        `${of}/viewpoints`,
        { ...VIEW, orthogonal_camera: { ...CAMERA, view_to_world_scale: 1 } },
        'one camera',
      ],
      [`${of}/viewpoints`, { components: { selection: [{ ifc_guid: 'short' }] } }, 'not an IFC GUID'],
      [
        `${of}/viewpoints`,
        { snapshot: { snapshot_type: 'png', snapshot_data: PNG.subarray(0, -8).toString('base64') } },
        'cut off',
      ],
      [
        `${of}/viewpoints`,
        { snapshot: { snapshot_type: 'jpg', snapshot_data: PNG.toString('base64') } },
        'no jpg',
      ],
    ] as const) {
      const { status, json } = await bcf(path, { body });
      expect([status, json.message]).toEqual([400, expect.stringContaining(why)]);
    }
    expect((await bcf(`${of}/comments`, { body: { comment: 'x', viewpoint_guid: issue.guid } })).status).toBe(
      404,
    );
    expect((await got(`${of}/comments`)).length).toBe(0);
    const [first] = await got(`/topics/${issue.guid}/viewpoints`);
    expect((await bcf(`/topics/${issue.guid}/viewpoints`, { body: { guid: first.guid } })).status).toBe(409);
  });

  test('a view that a person adds to an issue stays with it, in files and after another run', async () => {
    const id = await served.projectOf(1);
    await served.finished(await served.start(id));
    const [issue] = await got('/topics', id);
    const of = `/topics/${issue.guid}`;
    const { json: added } = await bcf(`${of}/viewpoints`, { body: VIEW }, id);
    const comment = { comment: 'from below', viewpoint_guid: added.guid };
    expect((await bcf(`${of}/comments`, { body: comment }, id)).json).toMatchObject(comment);
    await served.finished(await served.start(id));
    const views = await got(`${of}/viewpoints`, id);
    expect(views.map(({ guid }: { guid: string }) => guid)).toEqual([expect.any(String), added.guid]);
    const entries = unzipSync(await archiveOf('3.0', id));
    const markup = strFromU8(entries[`${issue.guid}/markup.bcf`]);
    expect(markup).toContain(`<Viewpoint Guid="${added.guid}"/>`);
    expect(Buffer.from(entries[`${issue.guid}/${added.guid}.png`]).equals(PNG)).toBe(true);
    expect(strFromU8(entries[`${issue.guid}/${added.guid}.bcfv`])).toContain('<Lines>');
  });

  test.each(['2.1', '3.0'] as const)(
    'BCF %s has them, and brings them to another project and back',
    async (version) => {
      const here = await served.project('here');
      const there = await served.project('there');
      const { json: made } = await bcf(
        '/topics',
        {
          body: {
            title: 'A play around openings',
            topic_type: 'Remark',
            topic_status: 'Open',
            stage: 'design',
            description: 'of 5 mm',
            labels: ['a', 'b'],
            assigned_to: 'Bob',
          },
        },
        here,
      );
      const of = `/topics/${made.guid}`;
      const { json: seen } = await bcf(`${of}/viewpoints`, { body: VIEW }, here);
      await bcf(`${of}/viewpoints`, { body: { ...VIEW, snapshot: null } }, here);
      await bcf(`${of}/comments`, { body: { comment: 'look', viewpoint_guid: seen.guid } }, here);
      // there is no run, and thereby no issue
      const archive = await archiveOf(version, here);
      if (schemasAreThere) {
        const path = join(data, `remarks ${version}.bcfzip`);
        writeFileSync(path, archive);
        const { faults, files } = officialFaults(path, version);
        expect(faults).toBe('');
        expect(files).toBeGreaterThan(4);
      }
      // unedited, it changes nothing
      expect(await imported(archive, here)).toMatchObject({
        topics: 1,
        remarks: 1,
        strangers: 0,
        changed: 0,
      });
      expect(await got(of, here)).toEqual(
        made.modified_date ? { ...made, ...(await dates(of, here)) } : made,
      );
      // another project gets it whole
      expect(await imported(archive, there)).toMatchObject({ topics: 1, remarks: 1, strangers: 0 });
      const { modified_date: _, modified_author: __, index: ___, ...same } = await got(of, here);
      expect(await got(of, there)).toMatchObject(same);
      expect(await got(`${of}/viewpoints`, there)).toEqual(
        await got(`${of}/viewpoints`, here).then(plain(version)),
      );
      for (const part of ['selection', 'coloring', 'visibility'])
        expect(await got(`${of}/viewpoints/${seen.guid}/${part}`, there)).toEqual(
          await got(`${of}/viewpoints/${seen.guid}/${part}`, here),
        );
      const picture = await bcf(`${of}/viewpoints/${seen.guid}/snapshot`, {}, there);
      expect(picture.body.equals(PNG)).toBe(true);
      expect(await got(`${of}/comments`, there)).toEqual(await got(`${of}/comments`, here));
      // edited there by another tool, and changed here meanwhile
      await bcf(of, { method: 'PUT', body: { ...(await got(of, here)), assigned_to: 'Cid' } }, here);
      const edited = changedIn(archive, made.guid, (markup) =>
        markup
          .replace('TopicStatus="Open"', 'TopicStatus="Resolved"')
          .replace('<Title>A play around openings</Title>', '<Title>Play</Title>'),
      );
      expect(await imported(edited, here)).toMatchObject({ remarks: 1, changed: 1 });
      expect(await got(of, here)).toMatchObject({
        title: 'Play',
        topic_status: 'Resolved',
        assigned_to: 'Cid',
        description: 'of 5 mm',
      });
      // the same file again, after the title was changed here: both are known
      await bcf(of, { method: 'PUT', body: { title: 'Play of 5 mm' } }, here);
      await imported(edited, here);
      expect((await got(of, here)).title).toBe('Play');
      const texts = (await got(`${of}/comments`, here)).map(({ comment }: { comment: string }) => comment);
      expect(texts).toContainEqual(expect.stringContaining('"Play of 5 mm"'));

      async function dates(path: string, id: string) {
        const { modified_date, modified_author } = await got(path, id);
        return { modified_date, modified_author };
      }
    },
  );

  test('topics of other tools about no clash are kept, and those about clashes of others are not', async () => {
    const id = await served.projectOf(1);
    await served.finished(await served.start(id));
    const archive = await archiveOf('2.1', id);
    const [name] = Object.keys(unzipSync(archive)).filter((one) => one.endsWith('markup.bcf'));
    const guid = name.slice(0, 36);
    const other = await served.projectOf(2);
    await served.finished(await served.start(other));
    // with its clashes, it is about those of another project
    const moved = changedIn(archive, guid, (markup) =>
      markup.replaceAll(/\[[0-9a-f]{16}\]/g, '[0123456789abcdef]'),
    );
    const renamed = changedIn(moved, guid, (markup) =>
      markup.replaceAll(guid, '0f8fad5b-d9cb-469f-a165-70867728950e'),
    );
    expect(await imported(renamed, other)).toMatchObject({ topics: 1, remarks: 0, changed: 0 });
    const plainly = changedIn(renamed, guid, (markup) =>
      markup.replace(/<Description>[\s\S]*<\/Description>/, '<Description>a door is missing</Description>'),
    );
    expect(await imported(plainly, other)).toMatchObject({ topics: 1, remarks: 1, strangers: 0 });
    const topics = await got('/topics', other);
    expect((await served.ask(`/projects/${other}`)).text).toContain('Open topics about no clash');
    expect(topics).toContainEqual(
      expect.objectContaining({ description: 'a door is missing', server_assigned_id: 'remark 1' }),
    );
  });

  test('webhooks are told of them', async () => {
    const received: { event: string; title?: string; topic?: string }[] = [];
    const { server, base } = await httpServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      received.push(JSON.parse(Buffer.concat(parts).toString()));
      response.end();
    });
    try {
      await served.ask(`/api/v1/projects/${project}/webhooks`, {
        body: { address: base, events: ['topic-created', 'clash-commented'] },
      });
      const { json: made } = await bcf('/topics', { body: { title: 'told' } });
      await bcf(`/topics/${made.guid}/comments`, { body: { comment: 'hello' } });
      await expect.poll(() => received.length, PATIENT).toBe(2);
      expect(received).toMatchObject([
        { event: 'topic-created', topic: made.guid, title: 'told', by: 'run' },
        { event: 'clash-commented', clashes: [{ clash: made.guid }] },
      ]);
    } finally {
      server.close();
    }
  });
});

/** 2.1 has no aspect ratio. */
function plain(version: string) {
  return (views: { perspective_camera: object }[]) =>
    views.map((view) => ({
      ...view,
      perspective_camera: {
        ...view.perspective_camera,
        ...(version === '2.1' && { aspect_ratio: 4 / 3 }),
      },
    }));
}
