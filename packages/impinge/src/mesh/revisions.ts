/**
 * How whatever is kept about meshes learns that their vertices have moved.
 *
 * The protocol: `Mesh.revision` counts the calls of `setPositions`. Who keeps anything that follows from vertices keeps
 * the revision with it, and compares the two whenever it is asked. Nobody is told of a change, so no mesh has to know
 * who keeps what. Who keeps something about many meshes looks at them only where `meshChanges` has risen since it last
 * did. Poses need no counting: another pose is another array.
 */
import { ImpingeError } from '../base/errors.js';
import { Mesh } from './mesh.js';
import { label } from './mesh-arrays.js';

/** What is worked out of one mesh, and kept with it until its vertices move. */
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
 * For questions that take time: refuses an answer where a mesh among the things asked about has deformed meanwhile, as
 * it may be about some vertices before that and others after it. The memory of one that is disposed of stays until
 * then: threads may read it.
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
