/**
 * What the pages share: a canvas with lights and a camera, drawn when something has changed, and a panel with
 * read-outs.
 */
import {
  Color,
  DirectionalLight,
  HemisphereLight,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  type Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export interface Stage {
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly canvas: HTMLCanvasElement;
  readonly controls: OrbitControls;
  /** Follows the pointer. */
  readonly raycaster: Raycaster;
  /** Has the next frame drawn. */
  draw(): void;
  /** Points the raycaster to where a pointer is. */
  aim(event: PointerEvent): void;
}

export function makeStage(eye: Vector3, target: Vector3): Stage {
  const renderer = new WebGLRenderer({ antialias: true });
  document.body.prepend(renderer.domElement);
  const scene = new Scene();
  scene.background = new Color(0xeef1f4);
  const sun = new DirectionalLight(0xffffff, 2);
  sun.position.set(3, 5, 4);
  scene.add(sun, new HemisphereLight(0xffffff, 0x8896a5, 1.6));
  const camera = new PerspectiveCamera(45, 1, 0.05, 500);
  camera.position.copy(eye);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.target.copy(target);
  controls.update();

  let asked = false;
  const draw = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      renderer.render(scene, camera);
      document.body.dataset['drawn'] = String(Number(document.body.dataset['drawn'] ?? 0) + 1);
    });
  };
  const resize = () => {
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    // narrow pages see as much from side to side as wide ones do from top to bottom
    camera.fov = camera.aspect < 1 ? (360 / Math.PI) * Math.atan(Math.tan(Math.PI / 8) / camera.aspect) : 45;
    camera.updateProjectionMatrix();
    draw();
  };
  addEventListener('resize', resize);
  controls.addEventListener('change', draw);
  resize();

  const raycaster = new Raycaster();
  const place = new Vector2();
  const aim = (event: PointerEvent) => {
    place.set((2 * event.clientX) / innerWidth - 1, 1 - (2 * event.clientY) / innerHeight);
    camera.updateMatrixWorld();
    raycaster.setFromCamera(place, camera);
  };
  return { scene, camera, canvas: renderer.domElement, controls, raycaster, draw, aim };
}

/** Writes a read-out of the panel. */
export function say(id: string, text: string): void {
  document.getElementById(id)!.textContent = text;
}

/** A number in the address, such as ?triangles=20000. */
export function numberIn(name: string, otherwise: number): number {
  const given = Number(new URLSearchParams(location.search).get(name));
  return Number.isFinite(given) && given > 0 ? given : otherwise;
}
