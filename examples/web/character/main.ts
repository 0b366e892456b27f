/** A person as a capsule that walks through a plant: along walls, up steps and slopes. Metres, z up. */
import { plant, walk } from '@impinge/scenes/plant';
import { CharacterController, Scene } from 'impinge';
import { acceleratedRaycast, meshOf } from 'impinge/three';
import { CapsuleGeometry, Mesh, MeshStandardMaterial, Raycaster, Vector3 } from 'three';
import { makeStage, numberIn, say } from '../stage.js';
import { keysHeld } from './keys.js';
import { geometryOf } from './plant-geometry.js';

const RADIUS = 0.3;
const HEIGHT = 1.7;
const SPEED = 3;
const GRAVITY = 9.81;
const JUMP = 4;
const STEP = 1 / 60;

const site = plant({ triangles: numberIn('triangles', 60_000) });
const building = new Mesh(
  geometryOf(site),
  new MeshStandardMaterial({ vertexColors: true, flatShading: true }),
);
building.raycast = acceleratedRaycast;
const mesh = meshOf(building);
const [x, y, z] = walk(site, { steps: 1 }).steps[0].slice(9);

const stage = makeStage(new Vector3(x, y - 4, z + 3), new Vector3(x, y, z));
stage.camera.up.set(0, 0, 1);
stage.controls.enabled = false;
const person = new Mesh(
  new CapsuleGeometry(RADIUS, HEIGHT - 2 * RADIUS, 8, 24).rotateX(Math.PI / 2).translate(0, 0, HEIGHT / 2),
  new MeshStandardMaterial({ color: 0xe8590c }),
);
const scene = new Scene();
scene.add(mesh);
const character = new CharacterController(scene, {
  position: [x, y, z],
  height: HEIGHT,
  radius: RADIUS,
  up: [0, 0, 1],
});
stage.scene.add(building, person);
say('triangles', mesh.triangleCount.toLocaleString('en'));

let yaw = Math.atan2(x - 6, 6 - y); // towards the middle of the first unit
let pitch = 0.35;
let falling = 0;

function step(held: ReadonlySet<string>): void {
  const forwards = Number(held.has('KeyW')) - Number(held.has('KeyS'));
  const right = Number(held.has('KeyD')) - Number(held.has('KeyA'));
  const way = new Vector3(right, forwards, 0).normalize().applyAxisAngle(new Vector3(0, 0, 1), yaw);
  falling = character.grounded ? (held.has('Space') ? -JUMP : 0) : falling;
  falling += GRAVITY * STEP;
  const by = way.multiplyScalar(SPEED * STEP).setZ(-falling * STEP);
  character.move(by.toArray());
  person.position.set(...character.position);
}

const sight = new Raycaster();
sight.firstHitOnly = true;

/** Behind the person, or nearer where a wall is in between. */
function placeCamera(): void {
  const head = person.position.clone().add(new Vector3(0, 0, HEIGHT));
  const back = new Vector3(0, -Math.cos(pitch), Math.sin(pitch)).applyAxisAngle(new Vector3(0, 0, 1), yaw);
  sight.set(head, back);
  sight.far = 3.5;
  const [wall] = sight.intersectObject(building);
  stage.camera.position.copy(head).addScaledVector(back, Math.max(0.5, (wall?.distance ?? 3.5) - 0.2));
  stage.camera.lookAt(head);
}

const held = keysHeld();
stage.canvas.addEventListener('pointermove', (event) => {
  if (event.buttons === 0) return;
  yaw -= 0.005 * event.movementX;
  pitch = Math.min(1.3, Math.max(-0.4, pitch + 0.005 * event.movementY));
});

let done = performance.now();
function frame(now: number): void {
  // what a slow page cannot follow is left out
  const steps = Math.min(4, Math.floor((now - done) / (1000 * STEP)));
  if (steps > 0) {
    done = steps === 4 ? now : done + 1000 * STEP * steps;
    const start = performance.now();
    for (let i = 0; i < steps; i++) step(held);
    say('time', `${((performance.now() - start) / steps).toFixed(2)} ms`);
    say(
      'place',
      person.position
        .toArray()
        .map((at) => at.toFixed(2))
        .join(' '),
    );
    say('ground', character.grounded ? 'something' : 'nothing');
    placeCamera();
    stage.draw();
  }
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
