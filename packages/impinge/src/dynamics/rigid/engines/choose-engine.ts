/**
 * Which engine finds the contacts of two bodies.
 *
 * A shape that brings an engine along, for what is not in memory, has the first word. Everything else are triangles, which
 * the exact engine compares.
 */
import { ImpingeError } from '../../../base/errors.js';
import type { ChooseEngine, ContactSettings } from '../contact-engine.js';
import { ContactShape } from '../contact-shape.js';
import { ExactContacts } from '../exact-contacts.js';

export function chooseEngine(settings: ContactSettings): ChooseEngine {
  const exact = new ExactContacts();
  return (a, b) => {
    const own = a.engineWith?.(b, settings) ?? b.engineWith?.(a, settings);
    if (own) return own;
    for (const { name } of [a, b].filter((shape) => !(shape instanceof ContactShape)))
      throw new ImpingeError(
        'bad-input',
        `${name}: nothing finds its contacts with ${name === a.name ? b.name : a.name}`,
        { object: name },
      );
    return exact;
  };
}
