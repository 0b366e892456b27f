/** What the tests run in a page that may not compile WebAssembly: see gpu/browser-page.ts. */
import * as THREE from 'three';
import { contacts, Mesh, pointInMesh, raycast, weld } from '../src/index.js';
import { acceleratedRaycast } from '../src/three/index.js';

const warnings: string[] = [];
console.warn = (...said: unknown[]) => warnings.push(said.join(' '));

/** A ray, a point and a pick of a ball, what contacts say, and what was warned of. */
export function ask() {
  const geometry = new THREE.SphereGeometry(1, 64, 32).toNonIndexed();
  const mesh = Mesh.from({ positions: geometry.attributes.position.array });
  const ray = { origin: [3, 0.1, 0.2], direction: [-1, 0, 0] } as const;
  const hit = raycast(mesh, ray);
  const object = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial());
  object.raycast = acceleratedRaycast;
  const caster = new THREE.Raycaster(new THREE.Vector3(3, 0.1, 0.2), new THREE.Vector3(-1, 0, 0));
  const picked = caster.intersectObject(object);
  let refused = '';
  try {
    contacts(mesh, mesh, { pose: { translation: [0.5, 0, 0] } });
  } catch (error) {
    refused = (error as Error).message;
  }
  return {
    distance: hit?.distance,
    triangle: hit?.triangle,
    inside: pointInMesh(weld(mesh).mesh, [0, 0.1, 0]),
    picked: picked.map(({ distance, faceIndex }) => [distance, faceIndex]),
    refused,
    warnings,
  };
}
