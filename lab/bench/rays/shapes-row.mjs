/** Spheres, boxes and capsules at the surface of a mesh: whether they meet it, and which triangles do, how deep. */
import { meetsShape, meetsSpheres, sweepShape, trianglesInShape } from 'impinge';
import { Box3, Line3, Matrix4, Quaternion, Sphere, Vector3 } from 'three';
import { CONTAINED, INTERSECTED, NOT_INTERSECTED, OrientedBox } from 'three-mesh-bvh';
import { randomDirection, seededRandom } from '../../scenes/index.mjs';
import { bumpyBall, median, microseconds, timesOf, timesOfEach } from './inputs.mjs';

export async function shapesRow({ figures, quick, repetitions }) {
  figures.begin(
    'shapes',
    'spheres, boxes and capsules, beside intersectsSphere, intersectsBox and shapecast',
  );
  const { mesh, bvh } = bumpyBall(quick);
  const count = quick ? 500 : 4_000;
  const all = shapesAt(count);
  for (const kind of ['sphere', 'box', 'capsule']) {
    const ours = all.map((shape) => shape[kind]);
    const peer = PEERS[kind](bvh);
    const theirs = all.map((shape) => peer.shapeOf(shape));
    compare('any', peer.any, (shape) => meetsShape(mesh, shape));
    compare('all', peer.all, (shape) => trianglesInShape(mesh, shape).length);

    function compare(what, ask, answer) {
      const [expected, got] = [new Float64Array(count), new Float64Array(count)];
      const run = (shapes, question, out) =>
        timesOfEach(count, repetitions, (i) => {
          out[i] = +question(shapes[i]);
        });
      const peerTimes = run(theirs, ask, expected);
      const times = run(ours, answer, got);
      const differ = got.filter((x, i) => x !== expected[i]).length;
      figures.assert(differ === 0, `${kind}, ${what}: ${differ} of ${count} answers differ`);
      const sum = got.reduce((total, x) => total + x, 0);
      const columns = {
        'three-mesh-bvh': microseconds(peerTimes),
        'single calls': microseconds(times, median(peerTimes) / 4),
      };
      if (kind === 'sphere' && what === 'any') {
        const centres = Float64Array.from(ours.flatMap(({ centre }) => centre));
        const radii = Float64Array.from(ours, ({ radius }) => radius);
        const batch = timesOf(() => meetsSpheres(mesh, { centres, radii }), count, repetitions);
        columns['in one call'] = microseconds(batch, median(peerTimes) / 4);
      }
      const found = what === 'any' ? `${sum} meet` : `${Math.round(sum / count)} triangles each`;
      figures.add(`${mesh.triangleCount} triangles, ${count} shapes: ${kind}, ${what} (${found})`, columns);
    }
  }
  startsInside({ mesh, bvh }, all, { figures, repetitions });
}

/** Capsules that are in the surface at the start of a motion: how deep, as a character asks in every frame. */
function startsInside({ mesh, bvh }, all, { figures, repetitions }) {
  const inside = all.filter(({ capsule }) => meetsShape(mesh, capsule));
  const peer = PEERS.capsule(bvh);
  const shapes = inside.map((shape) => peer.shapeOf(shape));
  const depths = [new Float64Array(inside.length), new Float64Array(inside.length)];
  const peerTimes = timesOfEach(inside.length, repetitions, (i) => {
    depths[0][i] = peer.depth(shapes[i]);
  });
  const times = timesOfEach(inside.length, repetitions, (i) => {
    depths[1][i] = sweepShape(mesh, inside[i].capsule, [0.001, 0, 0])?.depth ?? 0;
  });
  // out of a triangle that its axis passes through it goes along that one's normal, out of others by a way as short
  const differ = inside.filter(({ capsule: { radius } }, i) => {
    const [theirs, ours] = depths.map((depth) => depth[i]);
    return !(ours > 0) || (theirs < 0.999 * radius && ours > theirs + 1e-6 * radius);
  }).length;
  figures.assert(differ === 0, `capsule, inside: ${differ} of ${inside.length} depths differ`);
  figures.add(`${mesh.triangleCount} triangles, ${inside.length} capsules that start inside: how deep`, {
    'three-mesh-bvh': microseconds(peerTimes),
    'single calls': microseconds(times, median(peerTimes)),
  });
}

/** At the surface, of sizes that contain from none to some hundreds of triangles. */
function shapesAt(count) {
  const random = seededRandom(19);
  return Array.from({ length: count }, () => {
    const centre = randomDirection(random).map((x) => x * (0.97 + 0.06 * random()));
    const radius = 0.002 + 0.02 * random();
    const toward = randomDirection(random);
    const to = centre.map((x, k) => x + 2 * radius * toward[k]);
    const turn = new Quaternion(random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5).normalize();
    const max = [radius, 1.5 * radius, 0.7 * radius];
    const pose = { rotation: turn.toArray(), translation: centre };
    return {
      sphere: { centre, radius },
      capsule: { from: centre, to, radius: 0.5 * radius },
      box: { min: max.map((x) => -x), max, pose },
      turn,
    };
  });
}

/** The queries of three-mesh-bvh, with all inputs prepared. */
const PEERS = {
  sphere: (bvh) => {
    const corner = new Vector3();
    const holds = (sphere, { min, max }) => {
      const { x, y, z } = sphere.center;
      corner.set(
        Math.max(Math.abs(min.x - x), Math.abs(max.x - x)),
        Math.max(Math.abs(min.y - y), Math.abs(max.y - y)),
        Math.max(Math.abs(min.z - z), Math.abs(max.z - z)),
      );
      return corner.lengthSq() < sphere.radius * sphere.radius;
    };
    return {
      shapeOf: ({ sphere: { centre, radius } }) => new Sphere(new Vector3(...centre), radius),
      any: (sphere) => bvh.intersectsSphere(sphere),
      all: (sphere) => {
        let found = 0;
        bvh.shapecast({
          intersectsBounds: (box) =>
            sphere.intersectsBox(box) ? (holds(sphere, box) ? CONTAINED : INTERSECTED) : NOT_INTERSECTED,
          intersectsTriangle: (triangle, _, contained) => {
            if (contained || triangle.intersectsSphere(sphere)) found++;
            return false;
          },
        });
        return found;
      },
    };
  },
  box: (bvh) => ({
    shapeOf: ({ box: { min, max, pose }, turn }) => {
      const matrix = new Matrix4().compose(new Vector3(...pose.translation), turn, new Vector3(1, 1, 1));
      const box = new Box3(new Vector3(...min), new Vector3(...max));
      const oriented = new OrientedBox(box.min, box.max, matrix);
      oriented.needsUpdate = true;
      return { box, matrix, oriented };
    },
    any: ({ box, matrix }) => bvh.intersectsBox(box, matrix),
    all: ({ oriented }) => {
      let found = 0;
      bvh.shapecast({
        intersectsBounds: (box) => oriented.intersectsBox(box),
        intersectsTriangle: (triangle) => {
          if (oriented.intersectsTriangle(triangle)) found++;
          return false;
        },
      });
      return found;
    },
  }),
  capsule: (bvh) => {
    const [p, q] = [new Vector3(), new Vector3()];
    const meets = ({ segment, radius }, triangle) => triangle.closestPointToSegment(segment, p, q) <= radius;
    const cast = (capsule, first) => {
      let found = 0;
      bvh.shapecast({
        intersectsBounds: (box) => box.intersectsBox(capsule.around),
        intersectsTriangle: (triangle) => {
          if (!meets(capsule, triangle)) return false;
          found++;
          return first;
        },
      });
      return found;
    };
    return {
      shapeOf: ({ capsule: { from, to, radius } }) => {
        const segment = new Line3(new Vector3(...from), new Vector3(...to));
        const around = new Box3().setFromPoints([segment.start, segment.end]).expandByScalar(radius);
        return { segment, radius, around };
      },
      any: (capsule) => cast(capsule, true) > 0,
      all: (capsule) => cast(capsule, false),
      depth: (capsule) => {
        let depth = 0;
        bvh.shapecast({
          intersectsBounds: (box) => box.intersectsBox(capsule.around),
          intersectsTriangle: (triangle) => {
            const gap = triangle.closestPointToSegment(capsule.segment, p, q);
            depth = Math.max(depth, capsule.radius - gap);
            return false;
          },
        });
        return depth;
      },
    };
  },
};
