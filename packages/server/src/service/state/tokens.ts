/**
 * Who may do what. A token is 256 random bits, of which only a digest is kept: nobody can try them all, so a slow
 * digest, as passwords need it, would protect nothing and slow down every request.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { type Database, newId } from './database.js';

export const ROLES = ['read', 'run', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Ids of those that it is good for; null: all. */
  readonly projects: readonly string[] | null;
  readonly created: string;
  readonly revoked: string | null;
}

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly projects: readonly string[] | null;
  readonly digest: Buffer;
  readonly created: Date;
  readonly revoked: Date | null;
}

const PREFIX = 'imp_';
const SHAPE = /^imp_[\w-]{43}$/;

export function mayActAs(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(wanted);
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function tokenOf({ id, name, role, projects, created, revoked }: TokenRow): Token {
  return {
    id,
    name,
    role,
    projects,
    created: created.toISOString(),
    revoked: revoked?.toISOString() ?? null,
  };
}

export class Tokens {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** For all projects, or for these. The secret is tokenOf once, here. */
  async create(
    name: string,
    role: Role,
    projects?: readonly string[] | undefined,
  ): Promise<Token & { readonly token: string }> {
    if (projects) await this.#assertThere(projects);
    const token = PREFIX + randomBytes(32).toString('base64url');
    const [row] = await this.#database.rows<TokenRow>(
      'INSERT INTO tokens (id, name, role, projects, digest) VALUES ($1, $2, $3, $4, $5) RETURNING *',
      [newId(), name, role, projects ?? null, digestOf(token)],
    );
    return { ...tokenOf(row), token };
  }

  async #assertThere(projects: readonly string[]): Promise<void> {
    const rows = await this.#database.rows<{ id: string }>('SELECT id FROM projects WHERE id = ANY($1)', [
      projects,
    ]);
    const unknown = projects.find((project) => !rows.some(({ id }) => id === project));
    if (unknown !== undefined) throw new CommandError(`there is no project ${unknown}`);
  }

  /** The token that these letters are, unless it was revoked. */
  async find(token: string): Promise<Token | undefined> {
    if (!SHAPE.test(token)) return undefined;
    const digest = digestOf(token);
    const [row] = await this.#database.rows<TokenRow>(
      'SELECT * FROM tokens WHERE digest = $1 AND revoked IS NULL',
      [digest],
    );
    // looked up by digest: how long that takes says nothing of a token, and what was found is compared as a whole
    return row && timingSafeEqual(row.digest, digest) ? tokenOf(row) : undefined;
  }

  async list(): Promise<Token[]> {
    const rows = await this.#database.rows<TokenRow>('SELECT * FROM tokens ORDER BY created, id');
    return rows.map(tokenOf);
  }

  /** False where there is none of this id that works. */
  async revoke(id: string): Promise<boolean> {
    const rows = await this.#database.rows(
      'UPDATE tokens SET revoked = now() WHERE id = $1 AND revoked IS NULL RETURNING id',
      [id],
    );
    return rows.length > 0;
  }

  /** Without any token: creates the first one, with the role admin. */
  async createFirst(): Promise<string | undefined> {
    const [{ some }] = await this.#database.rows<{ some: boolean }>(
      "SELECT EXISTS (SELECT 1 FROM tokens WHERE role = 'admin' AND projects IS NULL AND revoked IS NULL) AS some",
    );
    return some ? undefined : (await this.create('first', 'admin')).token;
  }
}
