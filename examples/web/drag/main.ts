/** Things that are dragged: a scene that follows them says what they meet and what they are near to. */
import { collideOne, contacts, nearest, Scene, type SceneObject } from 'impinge';
import { ContactLines, DistanceLine, type Followed, follow } from 'impinge/three';
import {
  BoxGeometry,
  type BufferGeometry,
  ConeGeometry,
  Group,
  IcosahedronGeometry,
  Mesh,
  MeshStandardMaterial,
  Plane,
  TorusGeometry,
  TorusKnotGeometry,
  Vector3,
} from 'three';
import { makeStage, say } from '../stage.js';

/** Of what meets the thing that is dragged, and of that thing then. */
const MEETS = 0xe03131;

const stage = makeStage(new Vector3(0, 3.5, 8), new Vector3(0, 0, 0));
const things = new Group();
stage.scene.add(things);
const colours = new Map<string, number>();
const add = (name: string, geometry: BufferGeometry, color: number, x: number, z: number) => {
  const thing = new Mesh(geometry, new MeshStandardMaterial({ color, roughness: 0.6 }));
  thing.name = name;
  colours.set(name, color);
  thing.position.set(x, 0, z);
  things.add(thing);
};
add('knot', new TorusKnotGeometry(0.6, 0.2, 200, 32), 0x4c6ef5, 0, 0);
add('ring', new TorusGeometry(0.7, 0.22, 32, 64), 0x12b886, 2.2, -0.6);
add('ball', new IcosahedronGeometry(0.7, 5), 0xfab005, -2.2, -0.6);
add('box', new BoxGeometry(1, 1, 1), 0x845ef7, 1.2, 1.8);
add('cone', new ConeGeometry(0.6, 1.3, 48), 0xff922b, -1.2, 1.8);

const scene = new Scene();
const link = follow(scene, things);
const curves = new ContactLines({ color: 0x212529 });
const way = new DistanceLine({ color: 0x2b8a3e });
for (const lines of [curves, way]) {
  lines.material.depthTest = false; // seen through what is in front
  lines.renderOrder = 1;
}
stage.scene.add(curves, way);

/** Asks about the thing that was moved, and shows the answer. */
function ask(thing: Mesh): void {
  const start = performance.now();
  link.update();
  const own = link.objectOf(thing)!;
  const met = collideOne(scene, own).pairs.map(({ b }) => b);
  const [next] = nearest(scene, own, { filter: (_, other) => !met.includes(other) });
  const regions = met.flatMap((other) => contactsOf(own, other));
  say('time', `${(performance.now() - start).toFixed(1)} ms`);

  for (const each of things.children as Mesh<BufferGeometry, MeshStandardMaterial>[]) {
    const meets = met.some(({ userData }) => (userData as Followed).object === each);
    const isMet = meets || (each === thing && met.length > 0);
    each.material.color.setHex(isMet ? MEETS : colours.get(each.name)!);
  }
  curves.show({ regions });
  if (next) way.show(next);
  say('meets', met.map(({ name }) => name).join(', ') || 'nothing');
  say('nearest', next ? `${next.b.name}, ${next.distance.toFixed(3)}` : '–');
  stage.draw();
}

function contactsOf(a: SceneObject, b: SceneObject) {
  const [poseA, poseB] = [a, b].map(({ userData }) => (userData as Followed).object);
  return contacts(a.mesh, b.mesh, { poseA, poseB, depth: false }).regions;
}

let dragged: Mesh | undefined;
const table = new Plane();
const grip = new Vector3();

/** Takes the thing under the pointer, before the camera's controls see the press. */
function take(event: PointerEvent): void {
  stage.aim(event);
  const [hit] = stage.raycaster.intersectObjects(things.children);
  if (!hit) return;
  dragged = hit.object as Mesh;
  table.setFromNormalAndCoplanarPoint(new Vector3(0, 1, 0), hit.point);
  grip.copy(hit.point).sub(dragged.position);
  stage.controls.enabled = false;
}

stage.canvas.addEventListener('pointerdown', take, { capture: true });
addEventListener('pointermove', (event) => {
  if (!dragged) return;
  stage.aim(event);
  const place = stage.raycaster.ray.intersectPlane(table, new Vector3());
  if (place) dragged.position.copy(place.sub(grip));
  ask(dragged);
});
addEventListener('pointerup', () => {
  dragged = undefined;
  stage.controls.enabled = true;
});
ask(things.children[0] as Mesh);
