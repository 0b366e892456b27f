/**
 * Access tokens. A token is 256 random bits, of which only a digest is stored: they cannot be guessed, so a slow
 * password hash would add no protection and slow down every request.
 */
import { createHash, randomBytes } from 'node:crypto';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { ROLES, type Role, type Token } from '../api/schemas.js';
import { type Database, newId, time } from './database.js';

const PREFIX = 'imp_';
const SHAPE = /^imp_[\w-]{43}$/;

export function mayActAs(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(wanted);
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const TOKEN = `id, name, role, projects, ${time('created')}, ${time('revoked')}`;

export class Tokens {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** For all projects, or for these. Only this call returns the secret. */
  async create(
    name: string,
    role: Role,
    projects?: readonly string[] | undefined,
  ): Promise<Token & { readonly token: string }> {
    if (projects) await this.#assertThere(projects);
    const token = PREFIX + randomBytes(32).toString('base64url');
    const [made] = await this.#database.rows<Token>(
      `INSERT INTO tokens (id, name, role, projects, digest) VALUES ($1, $2, $3, $4, $5) RETURNING ${TOKEN}`,
      [newId(), name, role, projects ?? null, digestOf(token)],
    );
    return { ...made, token };
  }

  async #assertThere(projects: readonly string[]): Promise<void> {
    const rows = await this.#database.rows<{ id: string }>('SELECT id FROM projects WHERE id = ANY($1)', [
      projects,
    ]);
    const unknown = projects.find((project) => !rows.some(({ id }) => id === project));
    if (unknown !== undefined) throw new CommandError(`there is no project ${unknown}`);
  }

  /** The token with this secret, unless revoked. */
  async find(token: string): Promise<Token | undefined> {
    if (!SHAPE.test(token)) return undefined;
    // a lookup by digest leaks no timing information about tokens
    const [found] = await this.#database.rows<Token>(
      `SELECT ${TOKEN} FROM tokens WHERE digest = $1 AND revoked IS NULL`,
      [digestOf(token)],
    );
    return found;
  }

  list(): Promise<Token[]> {
    return this.#database.rows(`SELECT ${TOKEN} FROM tokens ORDER BY tokens.created, id`);
  }

  /** False if no active token has this id. */
  async revoke(id: string): Promise<boolean> {
    const rows = await this.#database.rows(
      'UPDATE tokens SET revoked = now() WHERE id = $1 AND revoked IS NULL RETURNING id',
      [id],
    );
    return rows.length > 0;
  }

  /** Creates the first admin token if there is none. */
  async createFirst(): Promise<string | undefined> {
    const [{ some }] = await this.#database.rows<{ some: boolean }>(
      "SELECT EXISTS (SELECT 1 FROM tokens WHERE role = 'admin' AND projects IS NULL AND revoked IS NULL) AS some",
    );
    return some ? undefined : (await this.create('first', 'admin')).token;
  }
}
