/** Draws the frames of a demo: surfaces that appear, move and disappear, and instances of one shape. */
import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  DynamicDrawUsage,
  FrontSide,
  HemisphereLight,
  InstancedMesh,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Frame, Instances, Look, Surface } from './protocol.js';

const CALM = new Color(0x9fb4c7);
const HIT = new Color(0xd9480f);

export class Stage {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(45, 1, 0.01, 100);
  readonly #controls: OrbitControls;
  readonly #meshes = new Map<number, Mesh<BufferGeometry, MeshStandardMaterial>>();
  readonly #watch: ResizeObserver;
  #crowd: InstancedMesh<BufferGeometry, MeshStandardMaterial> | undefined;
  #isFramed = false;

  constructor(container: HTMLElement) {
    this.#renderer = new WebGLRenderer({ antialias: true, alpha: true });
    container.append(this.#renderer.domElement);
    const canvas = this.#renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.listenToKeyEvents(canvas);
    this.#controls.addEventListener('change', () => this.#draw());
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(1, 3, 2);
    this.#scene.add(new AmbientLight(0xffffff, 0.5), new HemisphereLight(0xffffff, 0x8d99a6, 1), sun);
    this.#watch = new ResizeObserver(() => this.#resize(container));
    this.#watch.observe(container);
    this.#resize(container);
  }

  /** Sets the text for screen readers. */
  describe(text: string): void {
    this.#renderer.domElement.setAttribute('aria-label', text);
  }

  show(frame: Frame): void {
    for (const id of frame.gone) this.#remove(id);
    for (const surface of frame.surfaces) this.#place(surface);
    if (frame.instances) this.#placeCrowd(frame.instances);
    if (!this.#isFramed && frame.look) this.#frame(frame.look);
    this.#draw();
  }

  /** Removes everything; the next frame sets the camera again. */
  clear(): void {
    for (const id of [...this.#meshes.keys()]) this.#remove(id);
    if (this.#crowd) {
      this.#scene.remove(this.#crowd);
      this.#crowd.geometry.dispose();
      this.#crowd.material.dispose();
      this.#crowd.dispose();
      this.#crowd = undefined;
    }
    this.#isFramed = false;
    this.#draw();
  }

  dispose(): void {
    this.clear();
    this.#watch.disconnect();
    this.#controls.dispose();
    this.#renderer.dispose();
    this.#renderer.domElement.remove();
  }

  #place({ id, positions, indices, colour, colours, isOpen, isGlass }: Surface): void {
    let mesh = this.#meshes.get(id);
    if (indices && positions) {
      if (mesh) this.#remove(id);
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage));
      geometry.setIndex(new BufferAttribute(indices, 1));
      const material = new MeshStandardMaterial({
        ...{ color: colour ?? 0xffffff, roughness: 0.75, side: isOpen || isGlass ? DoubleSide : FrontSide },
        ...{ vertexColors: colours !== undefined, transparent: isGlass === true, depthWrite: !isGlass },
      });
      mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      this.#meshes.set(id, mesh);
      this.#scene.add(mesh);
    } else if (mesh && positions) {
      renew(mesh.geometry, 'position', positions);
    }
    if (positions) mesh?.geometry.computeVertexNormals();
    if (!colours || !mesh) return;
    if (mesh.geometry.hasAttribute('color')) renew(mesh.geometry, 'color', colours);
    else
      mesh.geometry.setAttribute('color', new BufferAttribute(colours, 4, true).setUsage(DynamicDrawUsage));
  }

  #placeCrowd({ shape, matrices, isHit }: Instances): void {
    if (shape) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(shape.positions, 3));
      geometry.setIndex(new BufferAttribute(shape.indices, 1));
      geometry.computeVertexNormals();
      const material = new MeshStandardMaterial({ roughness: 0.75, side: DoubleSide });
      this.#crowd = new InstancedMesh(geometry, material, isHit.length);
      this.#crowd.frustumCulled = false;
      this.#scene.add(this.#crowd);
    }
    if (!this.#crowd) return;
    this.#crowd.instanceMatrix.array.set(matrices);
    this.#crowd.instanceMatrix.needsUpdate = true;
    for (let i = 0; i < isHit.length; i++) this.#crowd.setColorAt(i, isHit[i] ? HIT : CALM);
    this.#crowd.instanceColor!.needsUpdate = true;
  }

  #remove(id: number): void {
    const mesh = this.#meshes.get(id);
    if (!mesh) return;
    this.#scene.remove(mesh);
    mesh.geometry.dispose();
    mesh.material.dispose();
    this.#meshes.delete(id);
  }

  /** Looks from the front and above. */
  #frame({ centre, radius }: Look): void {
    const target = new Vector3(...centre);
    const distance = (1.1 * radius) / Math.sin((Math.PI * this.#camera.fov) / 360);
    this.#camera.position.copy(target).add(new Vector3(0.45, 0.5, 0.75).setLength(distance));
    this.#camera.near = distance / 100;
    this.#camera.far = 20 * distance;
    this.#camera.updateProjectionMatrix();
    this.#controls.target.copy(target);
    this.#controls.update();
    this.#isFramed = true;
  }

  #resize(container: HTMLElement): void {
    const { clientWidth: width, clientHeight: height } = container;
    if (width === 0 || height === 0) return;
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    this.#draw();
  }

  #draw(): void {
    this.#renderer.render(this.#scene, this.#camera);
  }
}

/** Replaces the numbers of an attribute by as many. */
function renew(geometry: BufferGeometry, name: string, numbers: ArrayLike<number>): void {
  const attribute = geometry.getAttribute(name) as BufferAttribute;
  attribute.array.set(numbers);
  attribute.needsUpdate = true;
}
