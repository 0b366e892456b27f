/**
 * The BCF API 3.0 and 2.1, and the OpenCDE Foundation API: the issues of the latest completed run of a project as
 * topics. What a client changes of a topic is decided about its clashes. Topics and viewpoints come from checks:
 * clients cannot create any, which the authorizations in the answers say.
 */
import {
  extensionsOf,
  topicComments,
  topicFiles,
  viewpointGuid,
} from '@impinge/cli/internal/reports/bcf/topic.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import * as v from 'valibot';
import { projectOf } from '../api/actions.js';
import { type Exchange, json, type Route, route } from '../api/route.js';
import * as s from '../api/schemas.js';
import type { ServiceParts } from '../service-parts.js';
import { mayActAs } from '../state/tokens.js';
import * as b from './bcf-schemas.js';
import { sightOf } from './export-review.js';
import { queried } from './odata.js';
import { RunArchive } from './run-archive.js';
import { TopicLists } from './topics.js';
import { coloringJson, selectionJson, viewpointJson, visibilityJson } from './viewpoints.js';

const TOPIC_SORTS = ['creation_date', 'modified_date', 'server_assigned_id', 'index'];
const TOPIC_FILTERS = [
  ...['creation_author', 'modified_author', 'assigned_to', 'stage', 'topic_status', 'topic_type'],
  ...['creation_date', 'modified_date', 'due_date', 'labels', 'priority', 'title', 'server_assigned_id'],
];
const SPECIFICATIONS = 'https://github.com/buildingSMART';

const text = v.optional(v.pipe(v.string(), v.maxLength(4000)));
const listing = { $filter: text, $orderby: text, $top: text, $skip: text };

export function bcfRoutes(parts: ServiceParts): Route[] {
  const lists = new TopicLists(parts);
  const project = { version: b.version, project: s.id };
  const topic = { ...project, topic: b.guid };
  const view = { ...topic, viewpoint: b.guid };
  const of = '/bcf/{version}/projects/{project}';
  const ofTopic = `${of}/topics/{topic}`;
  const ofView = `${ofTopic}/viewpoints/{viewpoint}`;
  const actions = ({ token }: Pick<Exchange, 'token'>) =>
    mayActAs(token!.role, 'run') ? ['update', 'createComment'] : [];

  /** The issue whose viewpoint this is. */
  const viewed = async (params: { project: string; topic: string; viewpoint: string }) => {
    const found = await lists.find(params.project, params.topic);
    if (viewpointGuid(found.topic.issue) !== params.viewpoint.toLowerCase())
      throw new RequestError(404, 'there is no such viewpoint');
    return found;
  };
  const sight = async (
    params: { project: string; topic: string; viewpoint?: string },
    withPicture: boolean,
  ) => {
    const { topics, topic: found } = await lists.find(params.project, params.topic);
    const archive = await RunArchive.open(topics.folder);
    try {
      const { picture, ...rest } = await sightOf(found.issue, archive, topics.input.model.box);
      const png = withPicture ? await picture?.() : undefined;
      return { issue: found.issue, view: rest, hasPicture: picture !== undefined, png };
    } finally {
      await archive?.close();
    }
  };
  const part = (
    name: string,
    summary: string,
    schema: v.GenericSchema,
    make: typeof selectionJson | typeof coloringJson | typeof visibilityJson,
  ) =>
    route('GET', `${ofView}/${name}`, {
      summary,
      role: 'read',
      isLenient: true,
      params: view,
      answers: { 200: { description: 'As specified.', schema } },
      handle: async ({ params }) => json(make((await viewed(params)).topic.issue)),
    });
  const refused = (path: string, params: typeof project | typeof topic, what: string) =>
    route('POST', path, {
      summary: `Refused: ${what} come from checks.`,
      role: 'read',
      params,
      answers: { 403: { description: 'Always.', schema: s.problem } },
      handle: () => {
        throw new RequestError(403, `${what} of this server come from its checks and cannot be created`);
      },
    });
  const written = (exchange: Pick<Exchange, 'token'>) => ({
    authorization: { topic_actions: actions(exchange), topic_status: [...extensionsOf([]).statuses] },
  });
  const withAuthorization = { ...listing, includeAuthorization: v.optional(v.picklist(['true', 'false'])) };

  return [
    ...foundationRoutes(parts),
    route('GET', '/bcf/{version}/projects', {
      summary: 'All projects that the token may access.',
      role: 'read',
      isForAnyToken: true,
      isLenient: true,
      params: { version: b.version },
      answers: { 200: { description: 'By name.', schema: v.array(b.project) } },
      handle: async ({ token }) => json((await parts.projects.list(token!.projects)).map(projectJson)),
    }),
    route('GET', of, {
      summary: 'One project.',
      role: 'read',
      isLenient: true,
      params: project,
      answers: { 200: { description: 'The project.', schema: b.project } },
      handle: async ({ params }) => json(projectJson(await projectOf(parts, params.project))),
    }),
    route('GET', `${of}/extensions`, {
      summary: 'The values that topics have.',
      role: 'read',
      isLenient: true,
      params: project,
      answers: { 200: { description: 'The values.', schema: b.extensions } },
      handle: async (exchange) => {
        const { project: id } = exchange.params;
        await projectOf(parts, id);
        const topics = await lists.of(id);
        const { types, statuses, priorities, labels, users } = extensionsOf([
          ...(topics?.byGuid.values() ?? []),
        ]);
        return json({
          topic_type: types,
          topic_status: statuses,
          topic_label: labels,
          snippet_type: [],
          priority: priorities,
          users,
          user_id_type: users,
          stage: [],
          project_actions: [],
          topic_actions: actions(exchange),
          comment_actions: [],
        });
      },
    }),
    route('GET', `${of}/topics`, {
      summary: 'The issues of the latest completed run.',
      role: 'read',
      isLenient: true,
      params: project,
      query: withAuthorization,
      answers: { 200: { description: 'By date of creation.', schema: v.array(b.topic) } },
      handle: async (exchange) => {
        const { params, query } = exchange;
        await projectOf(parts, params.project);
        const sorted = { ...query, $orderby: query.$orderby ?? 'creation_date' };
        const all = (await lists.of(params.project))?.list ?? [];
        const some = queried(all, sorted, TOPIC_FILTERS, TOPIC_SORTS);
        const isAsked = query.includeAuthorization === 'true';
        return json(isAsked ? some.map((one) => ({ ...one, ...written(exchange) })) : some);
      },
    }),
    refused(`${of}/topics`, project, 'topics'),
    route('GET', ofTopic, {
      summary: 'One topic.',
      role: 'read',
      isLenient: true,
      params: topic,
      query: { includeAuthorization: withAuthorization.includeAuthorization },
      answers: { 200: { description: 'The topic.', schema: b.topic } },
      handle: async (exchange) => {
        const { params, query } = exchange;
        const found = (await lists.find(params.project, params.topic)).written;
        return json(query.includeAuthorization === 'true' ? { ...found, ...written(exchange) } : found);
      },
    }),
    route('PUT', ofTopic, {
      summary:
        'Decide about the clashes of a topic: its status, assignee and due date. Other fields are ignored.',
      role: 'run',
      isLenient: true,
      params: topic,
      body: b.changedTopic,
      answers: { 200: { description: 'The topic after the change.', schema: b.topic } },
      handle: async ({ params, body, token }) =>
        json(await lists.change(params.project, params.topic, body, token!.name)),
    }),
    route('GET', `${ofTopic}/comments`, {
      summary: 'The comments on a topic.',
      role: 'read',
      isLenient: true,
      params: topic,
      query: withAuthorization,
      answers: { 200: { description: 'By date.', schema: v.array(b.comment) } },
      handle: async ({ params, query }) => {
        const { topics, topic: found } = await lists.find(params.project, params.topic);
        const all = topicComments(found.issue, topics.input.model).map((one) =>
          commentJson(one, params.topic),
        );
        return json(
          queried(all, { ...query, $orderby: query.$orderby ?? 'date' }, ['author', 'date'], ['date']),
        );
      },
    }),
    route('POST', `${ofTopic}/comments`, {
      summary: 'Comment on all clashes of a topic.',
      role: 'run',
      isLenient: true,
      params: topic,
      body: b.newComment,
      answers: { 201: { description: 'The comment, with its GUID.', schema: b.comment } },
      handle: async ({ params, body, token }) => {
        const said = await lists.say(params.project, params.topic, body.comment, token!.name);
        return json(commentJson(said, params.topic), 201);
      },
    }),
    route('GET', `${ofTopic}/comments/{comment}`, {
      summary: 'One comment.',
      role: 'read',
      isLenient: true,
      params: { ...topic, comment: b.guid },
      answers: { 200: { description: 'The comment.', schema: b.comment } },
      handle: async ({ params }) => {
        const { topics, topic: found } = await lists.find(params.project, params.topic);
        const said = topicComments(found.issue, topics.input.model);
        const one = said.find(({ guid }) => guid === params.comment.toLowerCase());
        if (!one) throw new RequestError(404, 'there is no such comment');
        return json(commentJson(one, params.topic));
      },
    }),
    route('GET', `${ofTopic}/files`, {
      summary: 'The models that a topic is about.',
      role: 'read',
      isLenient: true,
      params: topic,
      answers: { 200: { description: 'By name.', schema: v.array(b.file) } },
      handle: async ({ params }) => {
        const { topics, topic: found } = await lists.find(params.project, params.topic);
        return json(
          topicFiles(found.issue, topics.input.model).map(({ name, project: ifc, date }) => ({
            ...(ifc !== undefined && { ifc_project: ifc }),
            filename: name,
            date,
          })),
        );
      },
    }),
    route('GET', `${ofTopic}/viewpoints`, {
      summary: 'The view of a topic.',
      role: 'read',
      isLenient: true,
      params: topic,
      answers: { 200: { description: 'One viewpoint.', schema: v.array(b.viewpoint) } },
      handle: async ({ params }) => {
        const { issue, view: seen, hasPicture } = await sight(params, false);
        return json([viewpointJson(issue, seen, hasPicture)]);
      },
    }),
    refused(`${ofTopic}/viewpoints`, topic, 'viewpoints'),
    route('GET', ofView, {
      summary: 'The view of a topic.',
      role: 'read',
      isLenient: true,
      params: view,
      answers: { 200: { description: 'The viewpoint.', schema: b.viewpoint } },
      handle: async ({ params }) => {
        await viewed(params);
        const { issue, view: seen, hasPicture } = await sight(params, false);
        return json(viewpointJson(issue, seen, hasPicture));
      },
    }),
    route('GET', `${ofView}/snapshot`, {
      summary: 'The picture of a topic.',
      role: 'read',
      isLenient: true,
      params: view,
      answers: { 200: { description: 'The picture.', type: 'image/png' } },
      handle: async ({ params }) => {
        await viewed(params);
        const { png } = await sight(params, true);
        if (!png) throw new RequestError(404, 'this viewpoint has no picture');
        return new Response(png as Uint8Array<ArrayBuffer>, { headers: { 'Content-Type': 'image/png' } });
      },
    }),
    part('selection', 'The objects of a topic.', b.selection, selectionJson),
    part('coloring', 'The colours of its objects.', b.coloring, coloringJson),
    part('visibility', 'What else is visible.', b.visibility, visibilityJson),
  ];
}

function foundationRoutes({ settings }: ServiceParts): Route[] {
  const versions = { description: 'As specified.', schema: b.versions };
  const paths = [
    ['foundation', '1.0', 'foundation/1.0', 'foundation-API/tree/release_1_0'],
    ['bcf', '2.1', 'bcf/2.1', 'BCF-API/tree/release_2_1'],
    ['bcf', '3.0', 'bcf/3.0', 'BCF-API/tree/release_3_0'],
  ];
  const listed = ({ request }: Exchange, ids: readonly string[]) => {
    const base = settings.publicUrl?.href ?? `http://${request.headers.host}/`;
    return json({
      versions: paths
        .filter(([id]) => ids.includes(id))
        .map(([api_id, version_id, path, document]) => ({
          ...{ api_id, version_id },
          detailed_version: `${SPECIFICATIONS}/${document}`,
          api_base_url: new URL(path, base).href,
        })),
    });
  };
  const places = [
    ['/foundation/1.0', {}],
    ['/bcf/{version}', { version: b.version }],
  ] as const;
  return [
    route('GET', '/foundation/versions', {
      summary: 'The OpenCDE APIs of this server.',
      isLenient: true,
      answers: { 200: versions },
      handle: (exchange) => listed(exchange, ['foundation', 'bcf']),
    }),
    route('GET', '/bcf/versions', {
      summary: 'The versions of the BCF API of this server.',
      isLenient: true,
      answers: { 200: versions },
      handle: (exchange) => listed(exchange, ['bcf']),
    }),
    ...places.flatMap(([path, params]) => [
      route('GET', `${path}/auth`, {
        summary: 'How clients log in: with a token as Bearer, or as the password of any user.',
        isLenient: true,
        params,
        answers: { 200: { description: 'As specified.', schema: b.auth } },
        handle: () => json({ http_basic_supported: true, supported_oauth2_flows: [] }),
      }),
      route('GET', `${path}/current-user`, {
        summary: 'The user of a token: its name.',
        role: 'read',
        isForAnyToken: true,
        isLenient: true,
        params,
        answers: { 200: { description: 'As specified.', schema: b.user } },
        handle: ({ token }) => json({ id: token!.name, name: token!.name }),
      }),
    ]),
  ];
}

function projectJson({ id, name }: s.Project) {
  return { project_id: id, name, authorization: { project_actions: [] } };
}

function commentJson(
  { guid, date, author, text: said }: ReturnType<typeof topicComments>[number],
  topic: string,
) {
  return { guid, date, author, comment: said, topic_guid: topic.toLowerCase() };
}
