/** Builds contact levels of a mesh. */
import { readChoice, readKnown } from 'impinge/internal/base/options.js';
import { assertMesh, type Mesh } from 'impinge/internal/mesh/mesh.js';
import { boxLevels } from './box-levels.js';
import type { ContactLevels } from './contact-levels.js';
import { hullLevels } from './hull-levels.js';
import { KINDS } from './layout.js';
import { writeLevels } from './write-levels.js';

export interface ContactLevelsOptions {
  /**
   * `hulls` (the default) needs a closed surface whose triangles face outwards, each edge between two of them; `boxes`
   * accepts any triangles.
   */
  readonly volumes?: (typeof KINDS)[number];
}

/** Equal meshes give equal levels. A mesh that is no closed surface is refused with `not-closed`, unless boxes do. */
export function buildContactLevels(mesh: Mesh, options: ContactLevelsOptions = {}): ContactLevels {
  assertMesh(mesh);
  const { volumes = 'hulls' } = readKnown('buildContactLevels', options, { volumes: true });
  readChoice('volumes', volumes, KINDS);
  return writeLevels(volumes === 'hulls' ? hullLevels(mesh) : boxLevels(mesh), mesh);
}
