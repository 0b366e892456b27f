/** Moving vertices: updating the trees, and one query: a ray, or whether a small ball meets the surface. */
import { collide, Mesh, raycast } from 'impinge';
import { BufferAttribute, BufferGeometry, DoubleSide, Matrix4, Ray, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { icosphere } from '../../scenes/index.mjs';
import { bumpyBall, median, timesOf } from './inputs.mjs';

const BALL_AT = [0.9, 0.1, 0.2];

export async function refitRow({ figures, quick, repetitions }) {
  figures.begin(
    'refit',
    'all vertices set anew, the tree refitted, one question; beside refit of three-mesh-bvh',
  );
  const { mesh, bvh } = bumpyBall(quick);
  const near = mesh.positions;
  const far = near.map((x) => 1.25 * x);
  const { array } = bvh.geometry.attributes.position;
  const ray = new Ray(new Vector3(0.01, 0.02, 3), new Vector3(0, 0, -1));
  const ball = icosphere(8, 0.2);
  const ballMesh = Mesh.from(ball);
  const ballGeometry = new BufferGeometry()
    .setAttribute('position', new BufferAttribute(Float32Array.from(ball.positions), 3))
    .setIndex(new BufferAttribute(Uint32Array.from(ball.indices), 1));
  ballGeometry.boundsTree = new MeshBVH(ballGeometry); // its fastest way
  const ballMatrix = new Matrix4().makeTranslation(...BALL_AT);
  const questions = {
    'one ray': {
      theirs: () => bvh.raycastFirst(ray, DoubleSide).distance,
      ours: () =>
        raycast(mesh, { origin: ray.origin.toArray(), direction: ray.direction.toArray() }).distance,
    },
    'one collide': {
      theirs: () => Number(bvh.intersectsGeometry(ballGeometry, ballMatrix)),
      ours: () => collide(mesh, ballMesh, { mode: 'any', pose: { translation: BALL_AT } }).count,
    },
  };
  for (const [name, { theirs, ours }] of Object.entries(questions)) {
    const [known, answers] = [[], []];
    /** Alternates between both positions. */
    const peer = timesOf(
      () => {
        for (const place of [far, near]) {
          array.set(place);
          bvh.refit();
          known.push(theirs());
        }
      },
      2000,
      repetitions,
    );
    const own = timesOf(
      () => {
        for (const place of [far, near]) {
          mesh.setPositions(place);
          answers.push(ours());
        }
      },
      2000,
      repetitions,
    );
    // the faster one may have been queried more often
    const differ = answers.filter((x, i) => !(Math.abs(x - known[i % 2]) < 1e-6)).length;
    figures.assert(
      differ === 0 && answers[0] !== answers[1],
      `${differ} of ${answers.length} answers differ`,
    );
    figures.add(`${mesh.triangleCount} triangles, ${name}`, {
      'three-mesh-bvh': { value: peer, unit: 'ms' },
      impinge: { value: own, unit: 'ms', asked: { most: median(peer) / 2 } },
    });
  }
}
