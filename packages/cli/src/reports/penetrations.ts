/**
 * Pipes, ducts and cables through walls, floors and the frame: whether there is an opening for them.
 *
 * A service that meets its host at the surface of one of the host's openings goes through an opening that is too small,
 * or beside it; nearer than a clearance, through one that is too tight. Otherwise, if it comes out again, there is
 * none. An opening that cuts nothing, in the file of the services, is a proposal. An opening that is too large is a
 * clash of a kind of its own.
 */
import {
  type Clash,
  HOST_CLASSES,
  OPENING_SLACK,
  SERVICE_CLASSES,
  type StoreMeta,
  type StoreOpening,
} from '@impinge/model';
import { Mesh, meetsShape, pointInMesh, type Vec3 } from 'impinge';

export const PENETRATIONS = [
  'without an opening',
  'opening too small',
  'opening too tight',
  'opening too large',
  'opening proposed',
] as const;
export type Penetration = (typeof PENETRATIONS)[number];

interface Located {
  readonly meta: Pick<StoreMeta, 'files' | 'metresPerUnit'>;
}

interface Opening {
  readonly mesh: Mesh;
  /** Of the host; empty: it cuts nothing. */
  readonly host: string;
}

/** Lengths are in metres. */
export class Penetrations {
  /** By file and id of the host. */
  readonly #cut = new Map<string, Opening[]>();
  readonly #proposed: Opening[] = [];

  constructor({ meta: { files, metresPerUnit } }: Located) {
    for (const { name, openings = [] } of files) {
      for (const opening of openings) {
        const made = { mesh: meshOf(opening, metresPerUnit), host: opening.host };
        const key = `${name}\0${opening.host}`;
        if (opening.host === '') this.#proposed.push(made);
        else this.#cut.set(key, [...(this.#cut.get(key) ?? []), made]);
      }
    }
  }

  /** Empty: it is none. */
  of(clash: Pick<Clash, 'a' | 'b' | 'kind' | 'form' | 'box'>): Penetration | '' {
    const { a, b, kind, form } = clash;
    if (kind === 'oversized') return 'opening too large';
    const host = [a, b].find(({ type }) => HOST_CLASSES.test(type));
    if (host === undefined || ![a, b].some(({ type }) => SERVICE_CLASSES.test(type))) return '';
    if (kind !== 'hard' && kind !== 'inside' && kind !== 'clearance') return '';
    const cut = this.#cut.get(`${host.file}\0${host.id}`) ?? [];
    if (cut.some((opening) => isAt(opening, clash.box)))
      return kind === 'clearance' ? 'opening too tight' : 'opening too small';
    if (kind === 'clearance' || form !== 'piercing') return '';
    return this.#proposed.some((opening) => isAt(opening, clash.box))
      ? 'opening proposed'
      : 'without an opening';
  }
}

function meshOf({ name, positions, indices }: StoreOpening, metresPerUnit: number): Mesh {
  const scaled = Float64Array.from(positions, (x) => metresPerUnit * x);
  return Mesh.from({ positions: scaled, indices: Uint32Array.from(indices), name });
}

/** Whether the contact is at the surface of the opening, or in it. */
function isAt({ mesh }: Opening, { min, max }: Clash['box']): boolean {
  const around = { min: min.map((x) => x - OPENING_SLACK), max: max.map((x) => x + OPENING_SLACK) };
  const middle: Vec3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  return meetsShape(mesh, around) || pointInMesh(mesh, middle) === 'inside';
}
