/** What a simulation must have in common with the one a snapshot is of: options and bodies. */
import { checksumOf } from 'impinge/internal/base/checksum.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Body } from './body.js';
import { RigidBody } from './rigid-body.js';
import { Scenery } from './scenery.js';
import type { StateReader, StateWriter } from './state-bytes.js';

/** The options by their names, and the number of joints. */
export interface Identity {
  readonly options: Readonly<Record<string, unknown>>;
  readonly bodies: readonly Body[];
}

/** Writes it; throws for bodies without a state that can be saved. */
export function writeIdentity(out: StateWriter, { options, bodies }: Identity): void {
  for (const { name, save, restore } of bodies) {
    if (!save || !restore)
      throw new ImpingeError('unsupported', `${name} has no save() and restore()`, { object: name });
  }
  out.text(JSON.stringify(options));
  out.number(bodies.length);
  for (const body of bodies) {
    out.text(body.name);
    out.text(describe(body));
  }
}

/** Throws unless a simulation has it in common with the one that was written. */
export function checkIdentity(from: StateReader, { options, bodies }: Identity): void {
  const refuse = (what: string, object = {}) =>
    new ImpingeError('bad-input', `the snapshot is of another simulation: ${what}`, object);
  const saved = JSON.parse(from.text()) as Record<string, unknown>;
  for (const [name, value] of Object.entries(options)) {
    const [was, is] = [saved[name], value].map((one) => JSON.stringify(one));
    if (was !== is) throw refuse(`its ${name}: ${was}, and here: ${is}`);
  }
  const count = from.number();
  if (count !== bodies.length) throw refuse(`it has ${count} bodies, and here are ${bodies.length}`);
  for (const [i, body] of bodies.entries()) {
    const name = from.text();
    const description = from.text();
    if (name === body.name && description === describe(body)) continue;
    throw refuse(
      `its body ${i + 1} is ${name}, and here it is ${body.name}${name === body.name ? ', which differs' : ''}`,
      {
        object: body.name,
      },
    );
  }
}

/** What kind of body it is, and a checksum of its surface at rest, or the fingerprint of its model. */
function describe(body: Body): string {
  const { kind, vertexCount, indices } = body;
  const rest =
    body instanceof RigidBody ? body.shape.positions : body instanceof Scenery ? body.rest : undefined;
  const mass = body instanceof RigidBody ? body.mass : 0;
  const sums = [indices, ...(rest ? [rest] : [])].map(({ buffer, byteOffset, byteLength }) =>
    checksumOf(new Uint8Array(buffer, byteOffset, byteLength), -1),
  );
  const stored =
    body instanceof RigidBody ? body.shape.stored : body instanceof Scenery ? body.stored : undefined;
  return [kind, vertexCount, mass, ...sums, stored ?? ''].join(' ');
}
