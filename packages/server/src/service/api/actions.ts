/** Actions shared by the API and the pages. */
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import { namedModelKind } from '../run-models.js';
import type { ServiceParts } from '../service-parts.js';
import { MODELS_MAX, WAITING_RUNS_MAX, WAITING_RUNS_OF_PROJECT_MAX } from '../settings.js';
import { newId } from '../state/database.js';
import { receiveUpload } from '../upload.js';
import type { Exchange } from './route.js';
import type { Model, Project, Run, RunOptions } from './schemas.js';

export async function projectOf({ projects }: ServiceParts, id: string): Promise<Project> {
  const project = await projects.get(id);
  if (!project) throw new RequestError(404, 'there is no such project');
  return project;
}

/** Of any project, or of this one. */
export async function runOf({ runs }: ServiceParts, id: string, project?: string): Promise<Run> {
  const run = await runs.get(id);
  if (!run || (project !== undefined && run.project !== project))
    throw new RequestError(404, 'there is no such run');
  return run;
}

/** Cancels its runs and deletes all its data. */
export async function removeProject(parts: ServiceParts, id: string): Promise<void> {
  const { projects, runs, runner, folders } = parts;
  for (const run of await runs.open(id)) await runner.cancel(run.id);
  const all = await runs.list(id, 2 ** 31 - 1);
  const models = await projects.remove(id);
  for (const run of all) await folders.removeRun(run.id);
  for (const model of models) await folders.removeModel(model);
}

export async function removeRun(parts: ServiceParts, id: string): Promise<void> {
  await parts.runner.cancel(id);
  await parts.runs.remove(id);
  await parts.folders.removeRun(id);
}

async function assertRoomFor({ projects }: ServiceParts, project: string, name: string): Promise<void> {
  const models = await projects.models(project);
  if (models.length >= MODELS_MAX && !models.some((model) => model.name === name))
    throw new RequestError(409, `a project has at most ${MODELS_MAX} models`);
}

export async function uploadModel(
  parts: ServiceParts,
  project: string,
  name: string,
  exchange: Pick<Exchange, 'request' | 'signal'>,
): Promise<Model> {
  const { settings, folders, projects, metrics, retention } = parts;
  await assertRoomFor(parts, project, name);
  const id = newId();
  const { bytes, sha256 } = await receiveUpload(exchange, folders, id, name, settings);
  metrics.uploaded(bytes);
  try {
    return await projects.addModel({ id, project, name, kind: 'upload', address: null, bytes, sha256 });
  } catch (error) {
    await folders.removeModel(id);
    throw error;
  } finally {
    void retention.sweep();
  }
}

export async function nameModel(
  parts: ServiceParts,
  project: string,
  { name, address }: { readonly name: string; readonly address: string },
): Promise<Model> {
  await assertRoomFor(parts, project, name);
  const kind = await namedModelKind(name, address, parts.settings);
  return parts.projects.addModel({ id: newId(), project, name, kind, address, bytes: null, sha256: null });
}

export async function startRun(
  parts: ServiceParts,
  project: string,
  options: RunOptions,
  names: readonly string[] | undefined,
): Promise<Run> {
  const { projects, runs, runner } = parts;
  const all = await projects.models(project);
  const unknown = names?.find((name) => !all.some((model) => model.name === name));
  if (unknown !== undefined) throw new CommandError(`the project has no model ${JSON.stringify(unknown)}`);
  const chosen = names ? all.filter(({ name }) => names.includes(name)) : all;
  if (chosen.length === 0) throw new CommandError('the project has no models yet');
  if (options.rules !== undefined && options.preset !== undefined)
    throw new CommandError('preset and rules exclude each other');
  const base = options.baseline;
  if (base !== undefined && base !== 'last' && base !== 'none') {
    const run = await runs.get(base);
    if (run?.project !== project || run.state !== 'done')
      throw new CommandError(`the project has no completed run ${base}`);
  }
  const chosenNames = chosen.map(({ name }) => name);
  const most = { inAll: WAITING_RUNS_MAX, ofProject: WAITING_RUNS_OF_PROJECT_MAX };
  const run = await runs.start(project, options, chosenNames, most);
  if (!run) throw new RequestError(429, 'too many runs are waiting', { 'Retry-After': '60' });
  runner.wake();
  return run;
}
