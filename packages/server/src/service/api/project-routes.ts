/** Routes for projects and their models. */

import { withoutSecrets } from '@impinge/cli/internal/remote/location.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import * as v from 'valibot';
import type { ServiceParts } from '../service-parts.js';
import { nameModel, projectOf, removeProject, uploadModel } from './actions.js';
import { json, nothing, type Route, route } from './route.js';
import * as s from './schemas.js';

const HISTORY_MAX = 1000;

/** Credentials in a model's address are not shown. */
function shown(model: s.Model): s.Model {
  return { ...model, address: model.address === null ? null : withoutSecrets(model.address) };
}

export function projectRoutes(parts: ServiceParts): Route[] {
  const { projects, runs } = parts;
  const params = { project: s.id };
  const named = { ...params, name: s.modelName };
  return [
    route('GET', '/api/v1/projects', {
      summary: 'All projects that the token may access.',
      role: 'read',
      isForAnyToken: true,
      answers: { 200: { description: 'By name.', schema: v.object({ projects: v.array(s.project) }) } },
      handle: async ({ token }) => json({ projects: await projects.list(token?.projects) }),
    }),
    route('POST', '/api/v1/projects', {
      summary: 'Create a project.',
      role: 'run',
      body: s.newProject,
      answers: { 201: { description: 'The new project.', schema: s.project } },
      handle: async ({ body }) => json(await projects.create(body), 201),
    }),
    route('GET', '/api/v1/projects/{project}', {
      summary: 'One project.',
      role: 'read',
      params,
      answers: { 200: { description: 'The project.', schema: s.project } },
      handle: async ({ params: { project } }) => json(await projectOf(parts, project)),
    }),
    route('PATCH', '/api/v1/projects/{project}', {
      summary: 'Change its name, rules and retention.',
      role: 'run',
      params,
      body: s.changedProject,
      answers: { 200: { description: 'The project after the change.', schema: s.project } },
      handle: async ({ params: { project }, body }) =>
        json(await projects.change(await projectOf(parts, project), body)),
    }),
    route('DELETE', '/api/v1/projects/{project}', {
      summary: 'Remove a project, its models, runs and reports.',
      role: 'admin',
      params,
      answers: { 204: { description: 'Deleted.' } },
      handle: async ({ params: { project } }) => {
        await projectOf(parts, project);
        await removeProject(parts, project);
        return nothing();
      },
    }),
    route('GET', '/api/v1/projects/{project}/history', {
      summary: 'The numbers of active, new and resolved clashes by run.',
      role: 'read',
      params,
      answers: {
        200: { description: 'The earliest first.', schema: v.object({ history: v.array(s.historyPoint) }) },
      },
      handle: async ({ params: { project } }) => {
        await projectOf(parts, project);
        const history = (await runs.history(project, HISTORY_MAX)).map((run) => ({
          run: run.id,
          number: run.number,
          finished: run.finished,
          active: run.clashes,
          new: run.newClashes,
          resolved: run.resolved,
        }));
        return json({ history });
      },
    }),
    route('GET', '/api/v1/projects/{project}/models', {
      summary: 'The models of a project.',
      role: 'read',
      params,
      answers: { 200: { description: 'By name.', schema: v.object({ models: v.array(s.model) }) } },
      handle: async ({ params: { project } }) => {
        await projectOf(parts, project);
        return json({ models: (await projects.models(project)).map(shown) });
      },
    }),
    route('POST', '/api/v1/projects/{project}/models', {
      summary: 'Add a model by address; every run reads it again.',
      role: 'run',
      params,
      body: s.namedModel,
      answers: { 201: { description: 'The model of the project.', schema: s.model } },
      handle: async ({ params: { project }, body }) => {
        await projectOf(parts, project);
        return json(shown(await nameModel(parts, project, body)), 201);
      },
    }),
    route('PUT', '/api/v1/projects/{project}/models/{name}', {
      summary: 'Upload a model; it replaces a model of the same name.',
      role: 'run',
      params: named,
      body: 'file',
      answers: { 201: { description: 'The model of the project.', schema: s.model } },
      handle: async (exchange) => {
        const { project, name } = exchange.params;
        await projectOf(parts, project);
        return json(await uploadModel(parts, project, name, exchange), 201);
      },
    }),
    route('DELETE', '/api/v1/projects/{project}/models/{name}', {
      summary: 'Remove a model; reports that used it stay.',
      role: 'run',
      params: named,
      answers: { 204: { description: 'Deleted.' } },
      handle: async ({ params: { project, name } }) => {
        if (!(await projects.removeModel(project, name)))
          throw new RequestError(404, 'there is no such model');
        await parts.retention.sweep();
        return nothing();
      },
    }),
  ];
}
