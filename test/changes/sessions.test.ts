/** Sessions in which anything happens between questions, against new sessions and against brute force. */
import { Session } from '@impinge/model/internal/session/session.js';
import type { SessionBody, SessionHit } from '@impinge/model/internal/session/session-body.js';
import type { StoredModel } from '@impinge/model/internal/store/model.js';
import { openStore } from '@impinge/model/internal/store/open.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../lab/scenes/index.mjs';
import { named, storeOf } from '../../packages/model/test/store/fixtures.js';
import { least, runs } from '../budget.js';
import { below, cornersOf, deform, gapOf, pairsOf, type Random, someMatrix, someMesh } from './lattice.js';

const OBJECTS = 8;
const ROOM = 3;

interface Member {
  readonly body: SessionBody;
  readonly mesh: Mesh;
  matrix: number[];
}

async function someModel(random: Random): Promise<{ model: StoredModel; corners: Float64Array[] }> {
  const shapes = Array.from({ length: OBJECTS }, (_, i) => {
    const mesh = someMesh(random);
    const matrix = someMatrix(random, [1], ROOM);
    const pose = Float64Array.from([0, 4, 8, 1, 5, 9, 2, 6, 10, 12, 13, 14], (at) => matrix[at]);
    const geometry = { positions: mesh.positions, indices: mesh.indices };
    return { geometry, objects: [named(`${i}`, pose)], corners: cornersOf(mesh, matrix) };
  });
  return { model: await openStore(await storeOf(shapes)), corners: shapes.map(({ corners }) => corners) };
}

/** A session, what moves in it and what of its model is hidden. */
class Life {
  readonly session: Session;
  readonly hidden = new Set<number>();
  members: Member[] = [];
  readonly #random: Random;

  constructor(model: StoredModel, random: Random) {
    this.session = new Session(model);
    this.#random = random;
    for (let i = 0; i < 3; i++) this.#add();
  }

  change(): void {
    const random = this.#random;
    const { members } = this;
    const draw = random();
    const one = members[below(random, members.length)];
    if (draw < 0.15 || members.length < 2) this.#add();
    else if (draw < 0.25) {
      one.body.remove();
      one.mesh.dispose();
      this.members = members.filter((other) => other !== one);
    } else if (draw < 0.55) deform(one.mesh, random);
    else if (draw < 0.8) {
      one.matrix = someMatrix(random, [1], ROOM);
      one.body.move(one.matrix);
    } else {
      const object = below(random, OBJECTS);
      if (this.hidden.delete(object)) this.session.show(object);
      else {
        this.hidden.add(object);
        this.session.hide(object);
      }
    }
  }

  #add(): void {
    const mesh = someMesh(this.#random);
    const matrix = someMatrix(this.#random, [1], ROOM);
    this.members.push({ body: this.session.add(mesh, { pose: matrix }), mesh, matrix });
  }
}

/** What a body meets: object or body, and how many pairs of triangles. */
const rowsOf = (hits: readonly SessionHit[], bodies: readonly SessionBody[]) =>
  hits.map(({ object, body, count }) => [object ?? OBJECTS + bodies.indexOf(body!), count]);

async function expectAnswers(life: Life, model: StoredModel, still: readonly Float64Array[], random: Random) {
  const { members, hidden } = life;
  const own = below(random, members.length);
  const others = [...still, ...members.map(({ mesh, matrix }) => cornersOf(mesh, matrix))];
  const mine = others[OBJECTS + own];
  const isThere = (i: number) => !hidden.has(i) && i !== OBJECTS + own;
  const distance = random() < 0.5 ? 0 : 0.3;
  const truth = others
    .map((corners, i) => [i, isThere(i) ? pairsOf(mine, corners, distance).length / 2 : 0])
    .filter(([, count]) => count > 0);
  const ask = async (bodies: readonly SessionBody[]) => {
    const { hits } = await bodies[own].hits({ distance });
    const around = await bodies[own].around({ distance });
    const near = around.pieces.map(({ object }) => object);
    around.dispose();
    return { rows: rowsOf(hits, bodies), near, gap: (await bodies[own].distance()).distance };
  };
  const found = await ask(members.map(({ body }) => body));
  expect(found.rows).toEqual(truth);
  expect(found.gap).toBeCloseTo(
    Math.min(...others.map((corners, i) => (isThere(i) ? gapOf(mine, corners) : Infinity))),
    12,
  );
  const fresh = new Session(model);
  for (const object of hidden) fresh.hide(object);
  const again = await ask(members.map(({ mesh, matrix }) => fresh.add(mesh, { pose: matrix })));
  await fresh.dispose();
  expect(found).toEqual(again);
  return truth.length;
}

describe('a session', () => {
  test('answers as a new one and as brute force do, whatever has come, gone, moved, deformed or hidden (seed 3121)', async () => {
    const random = seededRandom(3121);
    let met = 0;
    for (let round = 0; round < runs(12); round++) {
      const { model, corners } = await someModel(random);
      const life = new Life(model, random);
      for (let step = 0; step < 15; step++) {
        met += await expectAnswers(life, model, corners, random);
        life.change();
      }
      await life.session.dispose();
      for (const { mesh } of life.members) mesh.dispose();
    }
    expect(met).toBeGreaterThan(least(150));
  });
});
