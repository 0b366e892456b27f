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

/** What says when it has changed: a mesh, or another target of questions. */
interface Changing {
  readonly revision: number;
  readonly name?: string;
}

/**
 * For questions that take time: refuses an answer where one of the things asked about has changed meanwhile, as it may
 * be about what was before that and what was after it. The memory of a mesh that is disposed of stays until then:
 * threads may read it.
 */
export async function whileUnchanged<T>(things: readonly Changing[], ask: () => Promise<T>): Promise<T> {
  const meshes = things.filter((thing) => thing instanceof Mesh);
  const revisions = things.map(({ revision }) => revision);
  for (const mesh of meshes) mesh.hold();
  let answer: T;
  try {
    answer = await ask();
  } finally {
    for (const mesh of meshes) mesh.letGo();
  }
  for (const mesh of meshes) mesh.assertLive();
  things.forEach((thing, i) => {
    if (thing.revision === revisions[i]) return;
    const what = thing instanceof Mesh ? `${label(thing.name)}: its vertices moved` : 'a target changed';
    throw new ImpingeError('busy', `${what} during a query about it`);
  });
  return answer;
}
