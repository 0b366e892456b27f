/** Many rays around the pointer, under three's own Raycaster, by the tree of either library. */
import { acceleratedRaycast, meshOf } from 'impinge/three';
import {
  BufferAttribute,
  BufferGeometry,
  Mesh,
  MeshStandardMaterial,
  Points,
  PointsMaterial,
  Raycaster,
  Vector3,
} from 'three';
import { MeshBVH, SAH, acceleratedRaycast as theirRaycast } from 'three-mesh-bvh';
import { makeStage, numberIn, say } from '../stage.js';
import { bumpyBall } from './bumpy-ball.js';

const RAYS = 1000;
const SPREAD = 0.12;

const stage = makeStage(new Vector3(0, 0, 3.2), new Vector3());
const geometry = bumpyBall(numberIn('triangles', 1_000_000));
const ball = new Mesh(geometry, new MeshStandardMaterial({ color: 0x74a0c7, roughness: 0.7 }));
stage.scene.add(ball);
say('triangles', (geometry.index!.count / 3).toLocaleString('en'));

const dots = new Points(
  new BufferGeometry(),
  new PointsMaterial({ color: 0xd6336c, size: 3, sizeAttenuation: false }),
);
dots.geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * RAYS), 3));
dots.frustumCulled = false;
stage.scene.add(dots);

/** Builds the tree that was chosen, and has the ball asked by it. */
function choose(engine: string): void {
  const start = performance.now();
  if (engine === 'impinge') {
    ball.raycast = acceleratedRaycast;
    meshOf(ball); // made by the first question, too
    ball.raycast(new Raycaster(new Vector3(0, 0, 9), new Vector3(0, 0, -1)), []);
  } else {
    ball.raycast = theirRaycast;
    geometry.boundsTree ??= new MeshBVH(geometry, { strategy: SAH, indirect: true });
  }
  say('built', `${(performance.now() - start).toFixed(0)} ms`);
}

const raycaster = new Raycaster();
raycaster.firstHitOnly = true;

/** A disc of rays around the one that the stage aims along. */
function cast(): void {
  const { origin, direction } = stage.raycaster.ray;
  const right = new Vector3(1, 0, 0).applyQuaternion(stage.camera.quaternion);
  const up = new Vector3(0, 1, 0).applyQuaternion(stage.camera.quaternion);
  const towards = new Vector3();
  const places = dots.geometry.attributes['position'];
  let hits = 0;
  const start = performance.now();
  for (let i = 0; i < RAYS; i++) {
    const [away, angle] = [SPREAD * Math.sqrt(i / RAYS), 2.399963 * i]; // a sunflower
    towards
      .copy(direction)
      .addScaledVector(right, away * Math.cos(angle))
      .addScaledVector(up, away * Math.sin(angle));
    raycaster.set(origin, towards.normalize());
    const [hit] = raycaster.intersectObject(ball);
    if (hit) places.setXYZ(hits++, hit.point.x, hit.point.y, hit.point.z);
  }
  const time = performance.now() - start;
  places.needsUpdate = true;
  dots.geometry.setDrawRange(0, hits);
  say('rays', RAYS.toLocaleString('en'));
  say('hits', hits.toLocaleString('en'));
  say('time', `${time.toFixed(1)} ms`);
  stage.draw();
}

document.querySelector('fieldset')!.addEventListener('change', (event) => {
  choose((event.target as HTMLInputElement).value);
  cast();
});
stage.canvas.addEventListener('pointermove', (event) => {
  stage.aim(event);
  cast();
});
choose('impinge');
stage.raycaster.set(stage.camera.position, new Vector3(0.1, 0.1, -1).normalize());
cast();
