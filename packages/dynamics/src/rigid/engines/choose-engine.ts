/**
 * Which engine finds the contacts of two bodies.
 *
 * A shape that brings its own engine, because it is not in memory, takes precedence. The rest are triangles. Where
 * contacts may have an error and both have contact levels, these are used where they take less: where both have many
 * triangles. Everything else is compared exactly.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { ChooseEngine, ContactSettings } from '../contact-engine.js';
import { ContactShape } from '../contact-shape.js';
import { OwnedMemory } from '../exact/owned-memory.js';
import { PairContacts } from '../exact/pair-contacts.js';
import { BallContacts } from '../shapes/ball-contacts.js';
import { ContactLevelsEngine } from './contact-levels-engine.js';
import { DualShape } from './dual-shape.js';

/** Triangles on either side below which contact levels do not pay: see the engines in docs/dynamics.md. */
const FEW_TRIANGLES = 100_000;

export function chooseEngine(settings: ContactSettings): ChooseEngine {
  const memory = new OwnedMemory();
  return (a, b) => {
    const own = a.engineWith?.(b, settings) ?? b.engineWith?.(a, settings);
    if (own) return own;
    for (const { name } of [a, b].filter((shape) => !(shape instanceof ContactShape)))
      throw new ImpingeError(
        'bad-input',
        `${name}: no contact engine handles it together with ${name === a.name ? b.name : a.name}`,
        { object: name },
      );
    if (a instanceof DualShape && b instanceof DualShape && settings.error !== 0) {
      const isAsked = settings.engine === 'contact-levels';
      if (isAsked || (settings.engine === 'auto' && levelsPay(a, b)))
        return new ContactLevelsEngine(a, b, settings);
    }
    if (a.arm === 0 && b.arm === 0) return new BallContacts();
    return new PairContacts(memory, a as ContactShape, b as ContactShape);
  };
}

function levelsPay(a: ContactShape, b: ContactShape): boolean {
  return Math.min(a.corners.length, b.corners.length) >= 3 * FEW_TRIANGLES;
}
