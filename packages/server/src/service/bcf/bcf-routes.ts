/**
 * The BCF API 3.0 and 2.1, and the OpenCDE Foundation API: the issues of the latest completed run of a project as
 * topics, and those that people made. What a client changes of an issue is decided about its clashes. What clients may
 * do is in the authorizations of the answers.
 */
import type { BcfView } from '@impinge/cli/internal/reports/bcf/bcf-view.js';
import { remarkFields } from '@impinge/cli/internal/reports/bcf/remark.js';
import { extensionsOf, type TopicComment, topicFiles } from '@impinge/cli/internal/reports/bcf/topic.js';
import type { PictureType } from '@impinge/cli/internal/reports/bcf/write-bcf.js';
import { VIEWS_MAX } from '@impinge/cli/internal/reports/review/bcf-import.js';
import { UNDECIDED } from '@impinge/cli/internal/reports/review/decision.js';
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
import { type FoundTopic, TopicLists } from './topics.js';
import { newView, VIEWPOINT_BYTES_MAX, viewpointJson } from './viewpoints.js';

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
  const mayChange = ({ token }: Pick<Exchange, 'token'>) => mayActAs(token!.role, 'run');
  const actions = (exchange: Pick<Exchange, 'token'>) =>
    mayChange(exchange) ? ['update', 'createComment', 'createViewpoint'] : [];
  const projectActions = (exchange: Pick<Exchange, 'token'>) => (mayChange(exchange) ? ['createTopic'] : []);
  const projectJson = ({ id, name }: s.Project, exchange: Pick<Exchange, 'token'>) => ({
    project_id: id,
    name,
    authorization: { project_actions: projectActions(exchange) },
  });

  /** The views of a topic: that of an issue first. */
  const viewsOf = async (id: string, { guid, issue }: FoundTopic): Promise<SeenView[]> => {
    const added = (await parts.remarks.views(id, guid)).map(({ view: own, pictureType }) => ({
      view: own,
      pictureType,
      picture: () => parts.remarks.picture(id, guid, own.guid),
    }));
    if (!issue) return added;
    const { topics, topic: found } = issue;
    const picture = async () => {
      const archive = await RunArchive.open(topics.folder);
      try {
        return await (await sightOf(found.issue, archive, topics.input.model.box)).picture?.();
      } finally {
        await archive?.close();
      }
    };
    const archive = await RunArchive.open(topics.folder);
    try {
      const sight = await sightOf(found.issue, archive, topics.input.model.box);
      return [{ view: sight.view, pictureType: sight.picture && 'png', picture }, ...added];
    } finally {
      await archive?.close();
    }
  };
  const viewed = async (params: { project: string; topic: string; viewpoint: string }) => {
    const views = await viewsOf(params.project, await lists.find(params.project, params.topic));
    const index = views.findIndex(({ view: { guid } }) => guid === params.viewpoint.toLowerCase());
    if (index < 0) throw new RequestError(404, 'there is no such viewpoint');
    return { ...views[index], index };
  };
  const commentsOf = async (id: string, { comments }: FoundTopic): Promise<TopicComment[]> => {
    const about = await parts.remarks.viewOfComment(id);
    return comments.map((one) => ({ ...one, view: about.get(one.guid) }));
  };
  const part = (name: 'selection' | 'coloring' | 'visibility', summary: string, schema: v.GenericSchema) =>
    route('GET', `${ofView}/${name}`, {
      summary,
      role: 'read',
      isLenient: true,
      params: view,
      answers: { 200: { description: 'As specified.', schema } },
      handle: async ({ params }) => json({ [name]: (await viewed(params)).view.components[name] }),
    });
  /** A list that this server always has empty: clients ask for it all the same. */
  const empty = (path: string, params: typeof project | typeof topic, what: string) =>
    route('GET', path, {
      summary: `There are no ${what}.`,
      role: 'read',
      isLenient: true,
      params,
      answers: { 200: { description: 'Empty.', schema: v.array(v.never()) } },
      handle: async ({ params: asked }) => {
        await projectOf(parts, asked.project);
        if ('topic' in asked) await lists.find(asked.project, asked.topic);
        return json([]);
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
      handle: async (exchange) => {
        const found = await parts.projects.list(exchange.token!.projects);
        return json(found.map((one) => projectJson(one, exchange)));
      },
    }),
    route('GET', of, {
      summary: 'One project.',
      role: 'read',
      isLenient: true,
      params: project,
      answers: { 200: { description: 'The project.', schema: b.project } },
      handle: async (exchange) =>
        json(projectJson(await projectOf(parts, exchange.params.project), exchange)),
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
        const remarks = (await parts.remarks.list(id)).map((one) => ({
          fields: remarkFields(one, UNDECIDED),
          comments: [],
        }));
        const { types, statuses, priorities, labels, users, stages } = extensionsOf(
          [...(topics?.byGuid.values() ?? [])],
          remarks,
        );
        return json({
          topic_type: types,
          topic_status: statuses,
          topic_label: labels,
          snippet_type: [],
          priority: priorities,
          users,
          user_id_type: users,
          stage: stages,
          project_actions: projectActions(exchange),
          topic_actions: actions(exchange),
          comment_actions: [],
        });
      },
    }),
    route('GET', `${of}/topics`, {
      summary: 'The issues of the latest completed run, and the topics that people made.',
      role: 'read',
      isLenient: true,
      params: project,
      query: withAuthorization,
      answers: { 200: { description: 'By date of creation.', schema: v.array(b.topic) } },
      handle: async (exchange) => {
        const { params, query } = exchange;
        await projectOf(parts, params.project);
        const sorted = { ...query, $orderby: query.$orderby ?? 'creation_date' };
        const all = await lists.all(params.project);
        const some = queried(all, sorted, TOPIC_FILTERS, TOPIC_SORTS);
        const isAsked = query.includeAuthorization === 'true';
        return json(isAsked ? some.map((one) => ({ ...one, ...written(exchange) })) : some);
      },
    }),
    route('POST', `${of}/topics`, {
      summary: 'A topic about no clash.',
      role: 'run',
      isLenient: true,
      params: project,
      body: b.newTopic,
      answers: {
        201: { description: 'The topic, with its GUID.', schema: b.topic },
        409: { description: 'There is a topic with this GUID.', schema: s.problem },
      },
      handle: async ({ params, body, token }) => {
        await projectOf(parts, params.project);
        return json(await lists.create(params.project, body, token!.name), 201);
      },
    }),
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
        'Change a topic. Of an issue, status, assignee and due date are decided about its clashes, and other fields are ignored.',
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
        const found = await lists.find(params.project, params.topic);
        const all = (await commentsOf(params.project, found)).map((one) => commentJson(one, params.topic));
        return json(
          queried(all, { ...query, $orderby: query.$orderby ?? 'date' }, ['author', 'date'], ['date']),
        );
      },
    }),
    route('POST', `${ofTopic}/comments`, {
      summary: 'Comment on a topic: of an issue, on all its clashes.',
      role: 'run',
      isLenient: true,
      params: topic,
      body: b.newComment,
      answers: { 201: { description: 'The comment, with its GUID.', schema: b.comment } },
      handle: async ({ params, body, token }) => {
        const about = body.viewpoint_guid ? body.viewpoint_guid.toLowerCase() : undefined;
        if (about !== undefined) await viewed({ ...params, viewpoint: about });
        const said = await lists.say(params.project, params.topic, body.comment, token!.name, about);
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
        const said = await commentsOf(params.project, await lists.find(params.project, params.topic));
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
        const { issue } = await lists.find(params.project, params.topic);
        const files = issue ? topicFiles(issue.topic.issue, issue.topics.input.model) : [];
        return json(
          files.map(({ name, project: ifc, date }) => ({
            ...(ifc !== undefined && { ifc_project: ifc }),
            filename: name,
            date,
          })),
        );
      },
    }),
    route('GET', `${ofTopic}/viewpoints`, {
      summary: 'The views of a topic.',
      role: 'read',
      isLenient: true,
      params: topic,
      answers: { 200: { description: 'That of an issue first.', schema: v.array(b.viewpoint) } },
      handle: async ({ params }) => {
        const views = await viewsOf(params.project, await lists.find(params.project, params.topic));
        return json(views.map(({ view: own, pictureType }, i) => viewpointJson(own, i, pictureType)));
      },
    }),
    route('POST', `${ofTopic}/viewpoints`, {
      summary: 'Add a view to a topic. Bitmaps are left out.',
      role: 'run',
      isLenient: true,
      params: topic,
      body: b.newViewpoint,
      bodyBytes: VIEWPOINT_BYTES_MAX,
      answers: {
        201: { description: 'The viewpoint, with its GUID.', schema: b.viewpoint },
        409: { description: 'There is a viewpoint with this GUID.', schema: s.problem },
      },
      handle: async ({ params, body }) => {
        const found = await lists.find(params.project, params.topic);
        const views = await viewsOf(params.project, found);
        const added = newView(body);
        if (views.some(({ view: { guid } }) => guid === added.view.guid))
          throw new RequestError(409, 'there is a viewpoint with this GUID');
        if (views.length >= VIEWS_MAX) throw new RequestError(409, `a topic has at most ${VIEWS_MAX} views`);
        await parts.remarks.addView(params.project, found.guid, added);
        return json(viewpointJson(added.view, views.length, added.picture?.type), 201);
      },
    }),
    route('GET', ofView, {
      summary: 'One view of a topic.',
      role: 'read',
      isLenient: true,
      params: view,
      answers: { 200: { description: 'The viewpoint.', schema: b.viewpoint } },
      handle: async ({ params }) => {
        const { view: own, index, pictureType } = await viewed(params);
        return json(viewpointJson(own, index, pictureType));
      },
    }),
    route('GET', `${ofView}/snapshot`, {
      summary: 'The picture of a view.',
      role: 'read',
      isLenient: true,
      params: view,
      answers: { 200: { description: 'A PNG or JPEG.', type: 'image/png' } },
      handle: async ({ params }) => {
        const { picture, pictureType } = await viewed(params);
        const bytes = pictureType && (await picture());
        if (!bytes) throw new RequestError(404, 'this viewpoint has no picture');
        const type = pictureType === 'png' ? 'image/png' : 'image/jpeg';
        return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'Content-Type': type } });
      },
    }),
    empty(`${of}/documents`, project, 'documents'),
    empty(`${of}/files_information`, project, 'files for new topics to name'),
    empty(`${ofTopic}/document_references`, topic, 'documents'),
    empty(`${ofTopic}/related_topics`, topic, 'related topics'),
    part('selection', 'The objects that a view is about.', b.selection),
    part('coloring', 'The colours of its objects.', b.coloring),
    part('visibility', 'What else is visible.', b.visibility),
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

interface SeenView {
  readonly view: BcfView;
  /** Undefined without a picture. */
  readonly pictureType: PictureType | undefined;
  readonly picture: () => Promise<Uint8Array | undefined>;
}

function commentJson({ guid, date, author, text: said, view }: TopicComment, topic: string) {
  const about = view !== undefined && { viewpoint_guid: view };
  return { guid, date, author, comment: said, topic_guid: topic.toLowerCase(), ...about };
}
