/** Projects and their models. */
import type { Model, Project, ProjectChange } from '../api/schemas.js';
import { type Database, MODELS_LOCK, newId, time } from './database.js';

const PROJECT = `id, name, rules, keep_runs AS "keepRuns", keep_days AS "keepDays", ${time('created')}`;
const MODEL = `id, project, name, kind, address, bytes, sha256, ${time('created')}`;

export class Projects {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All projects, or those with these ids. */
  list(ids: readonly string[] | null = null): Promise<Project[]> {
    return this.#database.rows(
      `SELECT ${PROJECT} FROM projects WHERE $1::text[] IS NULL OR id = ANY($1) ORDER BY lower(name), id`,
      [ids],
    );
  }

  async get(id: string): Promise<Project | undefined> {
    return (await this.#database.rows<Project>(`SELECT ${PROJECT} FROM projects WHERE id = $1`, [id]))[0];
  }

  async create({ name, rules, keepRuns, keepDays }: ProjectChange): Promise<Project> {
    const [project] = await this.#database.rows<Project>(
      `INSERT INTO projects (id, name, rules, keep_runs, keep_days) VALUES ($1, $2, $3, $4, $5) RETURNING ${PROJECT}`,
      [newId(), name, rules ?? null, keepRuns ?? null, keepDays ?? null],
    );
    return project;
  }

  async change(project: Project, change: ProjectChange): Promise<Project> {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const { name, rules, keepRuns, keepDays } = { ...project, ...given };
    const [changed] = await this.#database.rows<Project>(
      `UPDATE projects SET name = $2, rules = $3, keep_runs = $4, keep_days = $5 WHERE id = $1 RETURNING ${PROJECT}`,
      [project.id, name, rules, keepRuns, keepDays],
    );
    return changed ?? project;
  }

  /** Returns the ids of all its models. */
  remove(id: string): Promise<string[]> {
    return this.#database.transaction(async ({ rows }) => {
      const models = await rows<{ id: string }>('DELETE FROM models WHERE project = $1 RETURNING id', [id]);
      await rows('DELETE FROM projects WHERE id = $1', [id]);
      return models.map((model) => model.id);
    });
  }

  models(project: string): Promise<Model[]> {
    return this.#database.rows(
      `SELECT ${MODEL} FROM models WHERE project = $1 AND superseded IS NULL ORDER BY name`,
      [project],
    );
  }

  /** By name; includes models that have been replaced. */
  modelsById(ids: readonly string[]): Promise<Model[]> {
    return this.#database.rows(`SELECT ${MODEL} FROM models WHERE id = ANY($1) ORDER BY name`, [ids]);
  }

  /** Replaces the model of the same name; runs that were started with that one keep it until they end. */
  addModel(model: Omit<Model, 'created'>): Promise<Model> {
    const { id, project, name, kind, address, bytes, sha256 } = model;
    return this.#database.transaction(async ({ rows }) => {
      await rows('SELECT 1 FROM projects WHERE id = $1 FOR UPDATE', [project]);
      await rows(
        'UPDATE models SET superseded = now() WHERE project = $1 AND name = $2 AND superseded IS NULL',
        [project, name],
      );
      const [added] = await rows<Model>(
        `INSERT INTO models (id, project, name, kind, address, bytes, sha256) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${MODEL}`,
        [id, project, name, kind, address, bytes, sha256],
      );
      return added;
    });
  }

  /** False if there is no model of this name. */
  async removeModel(project: string, name: string): Promise<boolean> {
    const rows = await this.#database.rows(
      'UPDATE models SET superseded = now() WHERE project = $1 AND name = $2 AND superseded IS NULL RETURNING id',
      [project, name],
    );
    return rows.length > 0;
  }

  /** Deletes replaced models that no pending run uses; returns their ids. */
  forgetSuperseded(): Promise<string[]> {
    return this.#database.transaction(async ({ rows }) => {
      await rows('SELECT pg_advisory_xact_lock($1)', [MODELS_LOCK]);
      const gone = await rows<{ id: string }>(
        `DELETE FROM models WHERE superseded IS NOT NULL AND NOT EXISTS
           (SELECT 1 FROM runs WHERE state IN ('queued', 'running') AND models.id = ANY(runs.models))
         RETURNING id`,
      );
      return gone.map(({ id }) => id);
    });
  }

  async modelIds(): Promise<Set<string>> {
    return new Set((await this.#database.rows<{ id: string }>('SELECT id FROM models')).map(({ id }) => id));
  }
}
