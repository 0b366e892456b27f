/** The BCF API with a client from npm, that of a BIM platform; its addresses are of 2.1, so those of 3.0 are put in. */
import { join } from 'node:path';
import { BcfApi, Configuration } from '@bimdata/typescript-fetch-api-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  databaseServer,
  dataFolder,
  HAS_POSTGRES,
  overlappingBoxes,
  Served,
  settingsFor,
} from './service-client.js';

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array';
/** Of the specification: required fields, and after a question mark optional ones, which may be null. */
const SPECIFIED: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  project: { project_id: 'string', name: 'string', '?authorization': 'object' },
  extensions: Object.fromEntries(
    [
      ...['topic_type', 'topic_status', 'topic_label', 'snippet_type', 'priority', 'users', 'stage'],
      ...['?project_actions', '?topic_actions', '?comment_actions'],
    ].map((name) => [name, 'array']),
  ),
  topic: {
    ...{ guid: 'string', server_assigned_id: 'string', title: 'string' },
    ...{ creation_date: 'string', creation_author: 'string', '?modified_date': 'string' },
    ...{ '?modified_author': 'string', '?topic_type': 'string', '?topic_status': 'string' },
    ...{ '?reference_links': 'array', '?priority': 'string', '?index': 'number', '?labels': 'array' },
    ...{ '?assigned_to': 'string', '?stage': 'string', '?description': 'string', '?due_date': 'string' },
    '?authorization': 'object',
  },
  comment: {
    ...{ guid: 'string', date: 'string', author: 'string', comment: 'string', topic_guid: 'string' },
    ...{ '?viewpoint_guid': 'string', '?modified_date': 'string', '?modified_author': 'string' },
  },
  viewpoint: {
    ...{ guid: 'string', '?index': 'number', '?perspective_camera': 'object' },
    ...{ '?lines': 'array', '?clipping_planes': 'array', '?snapshot': 'object' },
  },
  perspective_camera: {
    ...{ camera_view_point: 'object', camera_direction: 'object', camera_up_vector: 'object' },
    ...{ field_of_view: 'number', aspect_ratio: 'number' },
  },
  file: { '?ifc_project': 'string', '?filename': 'string', '?date': 'string', '?reference': 'string' },
};

/** What of a value is not as specified. Fields beyond it are allowed. */
function faults(name: string, value: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(SPECIFIED[name]).flatMap(([key, kind]) => {
    const field = key.replace('?', '');
    const own = value[field];
    if (own === undefined || own === null) return key === field ? [`${name} without ${field}`] : [];
    const is = Array.isArray(own) ? 'array' : typeof own;
    return is === kind ? [] : [`${name}.${field} is ${is}`];
  });
}

describe.skipIf(!HAS_POSTGRES)('the BCF API', () => {
  const data = dataFolder();
  const newDatabase = databaseServer();
  let served: Served;
  let project: string;
  let run: string;

  beforeAll(async () => {
    served = await Served.start(settingsFor(join(data, 'd'), { database: await newDatabase() }));
    // a rule each, so that there are three issues
    const rules = [0, 1, 2].map((i) => `  - { name: pair ${i}, a: boxes/left${i}, b: boxes/right${i} }\n`);
    project = await served.project('A project', { rules: `rules:\n${rules.join('')}` });
    await served.upload(project, 'boxes.obj', overlappingBoxes(3));
    run = await served.start(project);
    await served.finished(run);
  });
  afterAll(() => served?.service.stop());

  // the ids of that platform are numbers; they are only written into addresses
  const own = () => project as unknown as number;
  const base = () => served.service.address.replace(/\/$/, '');
  const tokenOf = async (name: string, role: 'read' | 'run' = 'run', projects?: readonly string[]) =>
    (await served.service.parts.tokens.create(name, role, projects)).token;

  function clientOf(version: string, authorization: string): BcfApi {
    return new BcfApi(
      new Configuration({
        basePath: base(),
        apiKey: () => authorization,
        fetchApi: (url: RequestInfo | URL, init?: RequestInit) =>
          fetch(String(url).replace('/bcf/2.1/', `/bcf/${version}/`), init),
      }),
    );
  }
  async function got(path: string, token = served.token('read')) {
    const { status, json } = await served.ask(path, { token });
    expect(status, path).toBe(200);
    return json;
  }

  test.each(['2.1', '3.0'])('%s: a client reads topics, decides and comments', async (version) => {
    const name = `Ann of ${version}`;
    const client = clientOf(version, `Bearer ${await tokenOf(name)}`);
    const projects = await client.getBcfProjects();
    expect(projects).toMatchObject([{ project_id: project, name: 'A project' }]);
    expect((await client.getExtensions(own())).topic_status).toEqual(
      expect.arrayContaining(['Open', 'Active', 'Reviewed', 'Approved', 'Resolved', 'Closed']),
    );
    const topics = await client.getTopics(own());
    expect(topics).toHaveLength(3);
    const [before] = topics;
    const guid = before.guid!;
    // the client sends back the topic that it has read, with its changes
    const due = new Date('2026-12-24T00:00:00Z');
    const after = await client.fullUpdateTopic(guid, own(), {
      ...before,
      topic_status: 'Reviewed',
      assigned_to: 'mep@example.com',
      due_date: due,
    } as never);
    expect(after).toMatchObject({
      guid,
      title: before.title,
      topic_status: 'Reviewed',
      assigned_to: 'mep@example.com',
      modified_author: name,
    });
    expect(after.due_date).toEqual(due);
    const said = await client.createComment(own(), guid, { comment: `seen by ${name}` } as never);
    expect(said).toMatchObject({ author: name, comment: `seen by ${name}` });
    expect(await client.getComment(said.guid!, own(), guid)).toEqual(said);
    expect((await client.getComments(own(), guid)).at(-1)).toEqual(said);
    const clash = /\[([0-9a-f]{16})\]/.exec(before.description!)![1];
    const { decisions } = await got(`/api/v1/projects/${project}/decisions`);
    const decided = decisions.find((one: { clash: string }) => one.clash === clash);
    expect(decided).toMatchObject({ status: 'reviewed', assignee: 'mep@example.com', changedBy: name });
    expect(decided.due.slice(0, 10)).toBe('2026-12-24');
    expect(decided.comments.at(-1)).toMatchObject({ author: name, text: `seen by ${name}` });
    // filters and sorting
    const filtered = (filter: string, order?: string) => client.getTopics(own(), filter, order);
    expect(await filtered("topic_status eq 'Reviewed' and assigned_to eq 'mep@example.com'")).toHaveLength(1);
    expect(await filtered('assigned_to eq null')).toHaveLength(2);
    expect(await filtered("labels/any(label: label eq 'hard')")).toHaveLength(3);
    expect(await filtered("not (topic_status eq 'Open') or title eq 'x'")).toHaveLength(1);
    const [latest] = await filtered('modified_date gt 2000-01-01T00:00:00+01:00', 'modified_date desc');
    expect(latest.guid).toBe(guid);
    await expect(filtered("topic_status is 'Open'")).rejects.toMatchObject({ status: 400 });
    // null clears, and the status goes back
    const cleared = await client.fullUpdateTopic(guid, own(), {
      ...(await client.getTopic(guid, own())),
      topic_status: 'Open',
      assigned_to: null,
      due_date: null,
    } as never);
    // the client makes undefined of null
    expect(cleared).toMatchObject({ topic_status: 'Open', assigned_to: undefined, due_date: undefined });
    // its view
    const [view] = await client.getViewpoints(own(), guid);
    expect(view.perspective_camera!.field_of_view).toBeGreaterThan(0);
    expect(view.clipping_planes).toHaveLength(6);
    const { selection } = await client.getSelections(view.guid!, own(), guid);
    expect(selection).toHaveLength(2);
    const { coloring } = await client.getColorings(view.guid!, own(), guid);
    expect(coloring.map(({ color }) => color)).toEqual(['FFD92D20', 'FF2E6FDB']);
  });

  test('3.0: answers are as specified', async () => {
    const of = `/bcf/3.0/projects/${project}`;
    const all: string[] = [];
    for (const one of await got('/bcf/3.0/projects')) all.push(...faults('project', one));
    all.push(...faults('project', await got(of)), ...faults('extensions', await got(`${of}/extensions`)));
    const topics = await got(`${of}/topics?includeAuthorization=true&unknown=1`);
    for (const topic of topics) all.push(...faults('topic', topic));
    expect(topics[0].authorization.topic_actions).toEqual([]);
    const at = `${of}/topics/${topics[0].guid.toUpperCase()}`;
    const [viewpoint] = await got(`${at}/viewpoints`);
    all.push(
      ...faults('topic', await got(at)),
      ...faults('viewpoint', viewpoint),
      ...faults('perspective_camera', viewpoint.perspective_camera),
    );
    for (const file of await got(`${at}/files`)) all.push(...faults('file', file));
    for (const comment of await got(`${at}/comments`)) all.push(...faults('comment', comment));
    expect(all).toEqual([]);
    expect(await got(`${at}/viewpoints/${viewpoint.guid}`)).toEqual(viewpoint);
    const { visibility } = await got(`${at}/viewpoints/${viewpoint.guid}/visibility`);
    expect(visibility).toEqual({ default_visibility: true, exceptions: [] });
    expect(viewpoint.snapshot).toEqual({ snapshot_type: 'png' });
    const picture = await served.ask(`${at}/viewpoints/${viewpoint.guid}/snapshot`);
    expect([picture.headers['content-type'], picture.body.subarray(1, 4).toString()]).toEqual([
      'image/png',
      'PNG',
    ]);
    const ids = (list: { guid: string }[]) => list.map(({ guid }) => guid);
    const page = await got(`${of}/topics?$orderby=index desc&$top=1&$skip=1`.replace(/ /g, '%20'));
    expect(ids(page)).toEqual([ids(await got(`${of}/topics?$orderby=index`))[1]]);
    expect((await got('/foundation/versions')).versions).toContainEqual({
      api_id: 'bcf',
      version_id: '3.0',
      detailed_version: expect.any(String),
      api_base_url: `${base()}/bcf/3.0`,
    });
    expect((await got('/foundation/1.0/current-user')).id).toBe('read');
    expect(await got('/bcf/3.0/auth')).toEqual({ http_basic_supported: true, supported_oauth2_flows: [] });
  });

  test('its topics are those of the archive', async () => {
    const topics = await got(`/bcf/3.0/projects/${project}/topics`);
    const archive = await served.ask(`/api/v1/projects/${project}/review?format=bcf-3.0`);
    for (const { guid } of topics) expect(archive.body.includes(`${guid}/snapshot.png`)).toBe(true);
    const ofRun = await served.ask(`/api/v1/runs/${run}/files/clashes.bcfzip`);
    for (const { guid } of topics) expect(ofRun.body.includes(`${guid}/markup.bcf`)).toBe(true);
  });

  test('who has read an older topic overwrites nothing that others have decided since', async () => {
    const client = clientOf('3.0', `Bearer ${await tokenOf('Slow')}`);
    const read = (await client.getTopics(own()))[1];
    const quick = clientOf('3.0', `Bearer ${await tokenOf('Quick')}`);
    await quick.fullUpdateTopic(read.guid!, own(), { ...read, assigned_to: 'Bob' } as never);
    const after = await client.fullUpdateTopic(read.guid!, own(), {
      ...read,
      topic_status: 'Active',
    } as never);
    expect(after).toMatchObject({ topic_status: 'Active', assigned_to: 'Bob' });
    // of what both have changed, the later value counts, and a comment keeps the other
    const later = await client.fullUpdateTopic(read.guid!, own(), { ...read, assigned_to: 'Cid' } as never);
    expect(later).toMatchObject({ topic_status: 'Active', assigned_to: 'Cid' });
    const [lost] = await client.getComments(own(), read.guid!);
    expect(lost).toMatchObject({
      author: 'Slow',
      comment: 'assignee: "Bob" became "Cid", both set at the same time',
    });
  });

  test('takes tokens as passwords of programs, and no more than their roles', async () => {
    const token = await tokenOf('Solver');
    const basic = `Basic ${Buffer.from(`anybody:${token}`).toString('base64')}`;
    expect(await clientOf('3.0', basic).getBcfProjects()).toHaveLength(1);
    const asked = (headers: Record<string, string>) =>
      fetch(`${base()}/bcf/3.0/projects`, { headers: { Authorization: basic, ...headers } });
    expect((await asked({ Origin: 'https://elsewhere.example' })).status).toBe(401);
    const problem = await served.ask('/bcf/3.0/projects', { token: 'imp_wrong' });
    expect([problem.status, problem.json.message]).toEqual([401, expect.any(String)]);
    expect(problem.headers['access-control-allow-origin']).toBe('*');
    const reader = clientOf('3.0', `Bearer ${await tokenOf('Guest', 'read')}`);
    const [topic] = await reader.getTopics(own());
    await expect(reader.fullUpdateTopic(topic.guid!, own(), topic as never)).rejects.toMatchObject({
      status: 403,
    });
    await expect(reader.createComment(own(), topic.guid!, { comment: 'x' } as never)).rejects.toMatchObject({
      status: 403,
    });
    const other = await served.project('Another');
    const limited = clientOf('3.0', `Bearer ${await tokenOf('Limited', 'run', [other])}`);
    expect((await limited.getBcfProjects()).map(({ name }) => name)).toEqual(['Another']);
    await expect(limited.getTopics(own())).rejects.toMatchObject({ status: 404 });
    expect(await limited.getTopics(other as unknown as number)).toEqual([]);
    await expect(reader.createTopic(own(), { title: 'New' })).rejects.toMatchObject({ status: 403 });
    await expect(limited.createTopic(own(), { title: 'New' })).rejects.toMatchObject({ status: 404 });
    await served.service.parts.projects.remove(other);
  });

  test('an issue that is gone is closed, and nothing can be decided about it', async () => {
    const guids = async () =>
      new Map(
        (await got(`/bcf/3.0/projects/${project}/topics`)).map(
          (one: { guid: string; topic_status: string }) => [one.guid, one.topic_status],
        ),
      );
    const before = await guids();
    await served.upload(project, 'boxes.obj', overlappingBoxes(2));
    await served.finished(await served.start(project));
    const after = await guids();
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    const [closed] = [...after].find(([, status]) => status === 'Closed')!;
    const answer = await served.ask(`/bcf/3.0/projects/${project}/topics/${closed}`, {
      method: 'PUT',
      body: { topic_status: 'Open' },
    });
    expect([answer.status, answer.json.message]).toEqual([
      409,
      'this issue is gone: nothing can be decided about it',
    ]);
  });
});
