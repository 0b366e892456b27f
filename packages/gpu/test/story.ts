/**
 * A scene that changes every frame: things move, deform, break in two, come and go. The same for the same seed, on any
 * device; runs in Node and in a page.
 */
import { seededRandom } from '../../../lab/scenes/index.mjs';
import { type CulledObject, type CullerOptions, VisibilityCuller } from '../src/index.js';
import type { Placed } from './configurations.js';
import { firstDifference } from './examiner.js';
import { meetingRows, objectsIn, type Row, rowsOf } from './oracle.js';
import { ball, box, integer, moved, pick, type Random, type Shape, sheet, soupOf, tube } from './shapes.js';

interface Actor {
  readonly object: CulledObject;
  shape: Shape;
  pose: { readonly rotation: readonly number[]; readonly translation: readonly number[] };
}

const MOST = 10;

export class Story {
  readonly #culler: VisibilityCuller;
  readonly #random: Random;
  readonly #actors: Actor[] = [];
  /** How often each thing happened. */
  readonly events = { moved: 0, deformed: 0, broken: 0, added: 0, removed: 0 };

  constructor(culler: VisibilityCuller, seed: number) {
    this.#culler = culler;
    this.#random = seededRandom(seed);
    for (let i = 0; i < MOST / 2; i++) this.#enter();
  }

  /** Changes things for the next frame. */
  advance(): void {
    const random = this.#random;
    for (const actor of [...this.#actors]) {
      const chance = random();
      if (chance < 0.3) {
        actor.pose = this.#somewhere();
        actor.object.move(actor.pose);
        this.events.moved++;
      } else if (chance < 0.6) {
        const shaken = actor.shape.positions.map((x) => x + 0.02 * (random() - 0.5));
        actor.shape = { ...actor.shape, positions: shaken };
        actor.object.deform(shaken);
        this.events.deformed++;
      } else if (chance < 0.65 && this.#actors.length < MOST && actor.shape.positions.length > 18) {
        this.#break(actor);
      } else if (chance < 0.7 && this.#actors.length > 2) {
        actor.object.remove();
        this.#actors.splice(this.#actors.indexOf(actor), 1);
        this.events.removed++;
      }
    }
    if (this.#actors.length < MOST && random() < 0.4) this.#enter();
  }

  /** Asks; says what is wrong with the answers, if anything. */
  async compare(): Promise<string | undefined> {
    const set = await this.#culler.potentiallyCollidingSet();
    const rows = rowsOf(await this.#culler.collide());
    const actors = [...this.#actors].sort((x, y) => x.object.id - y.object.id);
    const placed = actors.map(({ object, pose }): Placed => ({ mesh: object.mesh, pose, self: false }));
    const ids = actors.map(({ object }) => object.id);
    const expected = meetingRows(placed).map(([a, i, b, j]): Row => [ids[a], i, ids[b], j]);
    const missed = objectsIn(expected).filter((id) => !set.objects.includes(id));
    return missed.length > 0 ? `the set lacks ${missed}` : firstDifference(rows, expected);
  }

  /** Asks, and takes the answer as it is: for frames between those that are compared. */
  async ask(): Promise<void> {
    await this.#culler.collide();
  }

  end(): void {
    for (const { object } of this.#actors.splice(0)) object.remove();
  }

  #enter(): void {
    const random = this.#random;
    const shape = pick(random, [
      () => moved(ball(1), [0, 0, 0], 0.5),
      () => box(0.3 + 0.3 * random(), 0.2, 0.5),
      () => moved(tube(integer(random, 3, 12)), [0, 0, 0], 0.4),
      () => sheet(3, (x, y) => 0.2 * x * y),
    ])();
    const pose = this.#somewhere();
    this.#actors.push({ object: this.#culler.add(shape, { pose }), shape, pose });
    this.events.added++;
  }

  /** One half stays, the other becomes an object of its own. */
  #break(actor: Actor): void {
    const { positions } = soupOf(actor.shape);
    const cut = 9 * Math.floor(positions.length / 18);
    const [one, other] = [{ positions: positions.slice(0, cut) }, { positions: positions.slice(cut) }];
    actor.shape = one;
    actor.object.replace(one);
    this.#actors.push({
      object: this.#culler.add(other, { pose: actor.pose }),
      shape: other,
      pose: actor.pose,
    });
    this.events.broken++;
  }

  #somewhere(): Actor['pose'] {
    const random = this.#random;
    const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() + 0.1];
    const length = Math.hypot(...q);
    return { rotation: q.map((x) => x / length), translation: [0, 1, 2].map(() => 3 * (random() - 0.5)) };
  }
}

/** A short one on the CPU: kernels and the oracle keep some scratch for good. */
export async function warmUp(options: CullerOptions): Promise<void> {
  const culler = new VisibilityCuller('cpu', options);
  const story = new Story(culler, 1);
  for (let frame = 0; frame < 5; frame++) {
    story.advance();
    await story.compare();
  }
  story.end();
  culler.dispose();
}
