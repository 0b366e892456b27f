/** A surface that is drawn on. Its mesh follows the vertices by itself, because they are announced to three.js. */
import { closestPoint } from 'impinge';
import { acceleratedRaycast, meshOf } from 'impinge/three';
import {
  type BufferAttribute,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  MOUSE,
  SphereGeometry,
  TOUCH,
  Vector3,
} from 'three';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { makeStage, numberIn, say } from '../stage.js';

const RADIUS = 0.18;
const STRENGTH = 0.02;

const stage = makeStage(new Vector3(0, 0.4, 3.2), new Vector3());
stage.controls.mouseButtons = { RIGHT: MOUSE.ROTATE }; // turns; the left button draws
stage.controls.touches = { TWO: TOUCH.DOLLY_ROTATE };
const rows = Math.round(Math.sqrt(numberIn('triangles', 80_000) / 4));
const ball = new SphereGeometry(1, 2 * rows, rows).deleteAttribute('uv');
const clay = new Mesh(mergeVertices(ball), new MeshStandardMaterial({ color: 0xc98b6b, roughness: 0.8 }));
clay.geometry.computeVertexNormals();
clay.raycast = acceleratedRaycast;
stage.raycaster.firstHitOnly = true;
const brush = new Mesh(
  new SphereGeometry(RADIUS, 32, 16),
  new MeshBasicMaterial({ color: 0x1971c2, transparent: true, opacity: 0.25, depthWrite: false }),
);
stage.scene.add(clay, brush);
say('triangles', meshOf(clay).triangleCount.toLocaleString('en'));

/** Puts the brush where the pointer meets the surface, or else to the point closest to the pointer's ray. */
function place(event: PointerEvent): void {
  stage.aim(event);
  const start = performance.now();
  const [hit] = stage.raycaster.intersectObject(clay);
  if (hit) brush.position.copy(hit.point);
  else {
    const beside = stage.raycaster.ray.closestPointToPoint(clay.position, new Vector3());
    brush.position.set(...closestPoint(meshOf(clay), beside.toArray())!.point);
  }
  say('time', `${(performance.now() - start).toFixed(2)} ms`);
  say('brush', hit ? 'on the surface' : 'closest point');
  stage.draw();
}

/** Moves the vertices within the brush along their mean normal, those in its middle most. */
function press(inwards: boolean): void {
  const position = clay.geometry.attributes['position'] as BufferAttribute;
  const normal = clay.geometry.attributes['normal'];
  const place = new Vector3();
  const along = new Vector3();
  const near: [vertex: number, weight: number][] = [];
  for (let v = 0; v < position.count; v++) {
    const away = place.fromBufferAttribute(position, v).distanceTo(brush.position) / RADIUS;
    if (away >= 1) continue;
    near.push([v, (1 - away * away) ** 2]);
    along.add(place.fromBufferAttribute(normal, v));
  }
  along.normalize().multiplyScalar(inwards ? -STRENGTH : STRENGTH);
  for (const [v, weight] of near) {
    place.fromBufferAttribute(position, v).addScaledVector(along, weight);
    position.setXYZ(v, place.x, place.y, place.z);
  }
  position.needsUpdate = true; // the renderer and meshOf both look at this
  clay.geometry.computeVertexNormals();
  say('moved', near.length.toLocaleString('en'));
}

let pressing = false;
stage.canvas.addEventListener('pointerdown', (event) => {
  pressing = event.button === 0;
  place(event);
  if (pressing) press(event.shiftKey);
});
stage.canvas.addEventListener('pointermove', (event) => {
  place(event);
  if (pressing) press(event.shiftKey);
});
addEventListener('pointerup', () => {
  pressing = false;
});
stage.draw();
