/**
 * How caches about meshes notice that vertices have moved.
 *
 * Protocol: `Mesh.revision` counts the calls of `setPositions`. A cache of anything derived from vertices stores the
 * revision with it, and compares the two on every use. There are no notifications, so a mesh need not know its caches.
 * A cache about many meshes checks them only where `meshChanges` has risen since its last check. Poses need no counter:
 * a new pose is a new array.
 */
import { ImpingeError } from '../base/errors.js';
import { Mesh } from './mesh.js';
import { label } from './mesh-arrays.js';

/** A value computed from one mesh, and kept with it until its vertices move. */
export class Derived<T> {
  readonly #make: (mesh: Mesh) => T;
  readonly #known = new WeakMap<Mesh, { readonly revision: number; readonly value: T }>();

  constructor(make: (mesh: Mesh) => T) {
    this.#make = make;
  }

  of(mesh: Mesh): T {
    const { revision } = mesh;
    let entry = this.#known.get(mesh);
    if (entry?.revision !== revision) this.#known.set(mesh, (entry = { revision, value: this.#make(mesh) }));
    return entry.value;
  }
}

/**
 * For asynchronous queries: rejects an answer if a mesh among the targets deformed meanwhile, since it may mix vertices
 * from before and after. The memory of a disposed mesh stays until then, as threads may read it.
 */
export async function whileUnchanged<T>(things: readonly unknown[], ask: () => Promise<T>): Promise<T> {
  const meshes = things.filter((thing) => thing instanceof Mesh);
  const revisions = meshes.map(({ revision }) => revision);
  for (const mesh of meshes) mesh.hold();
  let answer: T;
  try {
    answer = await ask();
  } finally {
    for (const mesh of meshes) mesh.letGo();
  }
  meshes.forEach((mesh, i) => {
    mesh.assertLive();
    const { revision, name } = mesh;
    if (revision === revisions[i]) return;
    throw new ImpingeError('busy', `${label(name)}: its vertices moved during a query about it`);
  });
  return answer;
}
