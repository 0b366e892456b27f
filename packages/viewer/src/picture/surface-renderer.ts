/** Draws the model, solids in front of all ghosts, then marks; and copies that to the screen with its edges. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  GLSL3,
  type IUniform,
  Matrix4,
  Mesh,
  NoBlending,
  NoColorSpace,
  type Object3D,
  PerspectiveCamera,
  RawShaderMaterial,
  Scene,
  Vector2,
  Vector3,
  Vector4,
  type WebGLRenderer,
  type WebGLRenderTarget,
} from 'three';
import type { Effort } from './frame-pace.js';
import { FrameTargets } from './frame-targets.js';
import type { Lens } from './lens.js';
import type { ObjectState } from './object-state.js';
import { rgb, type Theme } from './palette.js';
import {
  COPY_FRAGMENT,
  COPY_VERTEX,
  MOST_SECTIONS,
  Pass,
  PICK_FRAGMENT,
  SURFACE_FRAGMENT,
  SURFACE_VERTEX,
} from './shaders.js';
import type { SlabScene } from './slab-scene.js';
import type { Point, SectionPlane } from './types.js';

type Uniforms = Record<string, IUniform>;

/** A frame that is partly drawn. */
interface Begun {
  readonly lens: Lens;
  readonly effort: Effort;
  readonly target: WebGLRenderTarget;
  /** The remaining passes. */
  readonly passes: number[];
  /** The next range of the first remaining pass. */
  from: number;
}

export class SurfaceRenderer {
  readonly renderer: WebGLRenderer;
  readonly slabs: SlabScene;
  readonly #objects: ObjectState;
  readonly #origin: Point;
  readonly #step: number;
  readonly #uniforms: Uniforms;
  readonly #surface: RawShaderMaterial;
  readonly #pick: RawShaderMaterial;
  readonly #copy: RawShaderMaterial;
  readonly #copyScene = new Scene();
  /** Required by three; the programs have their own uniforms. */
  readonly #camera = new PerspectiveCamera();
  readonly #targets = new FrameTargets();
  #begun: Begun | undefined;
  #sections: readonly SectionPlane[] = [];
  #theme: Theme;

  constructor(
    renderer: WebGLRenderer,
    slabs: SlabScene,
    objects: ObjectState,
    { origin, step, theme }: { origin: Point; step: number; theme: Theme },
  ) {
    this.renderer = renderer;
    this.slabs = slabs;
    this.#objects = objects;
    this.#origin = origin;
    this.#step = step;
    this.#theme = theme;
    this.#uniforms = {
      ...objects.uniforms,
      eyeHigh: { value: new Vector3() },
      eyeLow: { value: new Vector3() },
      clip: { value: new Matrix4() },
      pass: { value: Pass.solid },
      forward: { value: new Vector3() },
      isPerspective: { value: true },
      cut: { value: new Vector3() },
      background: { value: new Vector3() },
      ghost: { value: 0 },
      sections: { value: Array.from({ length: MOST_SECTIONS }, () => new Vector4()) },
    };
    const material = (vertexShader: string, fragmentShader: string, uniforms: Uniforms) =>
      new RawShaderMaterial({
        glslVersion: GLSL3,
        vertexShader,
        fragmentShader,
        uniforms,
        side: DoubleSide,
        blending: NoBlending,
        defines: { SECTIONS: 0 },
      });
    this.#surface = material(SURFACE_VERTEX, SURFACE_FRAGMENT, this.#uniforms);
    this.#pick = material(SURFACE_VERTEX, PICK_FRAGMENT, this.#uniforms);
    this.#copy = material(COPY_VERTEX, COPY_FRAGMENT, {
      image: { value: null },
      depths: { value: null },
      scale: { value: new Vector2() },
      edge: { value: new Vector3() },
      strength: { value: 0 },
    });
    this.#copy.depthTest = false;
    this.#copy.depthWrite = false;
    const all = new BufferGeometry();
    all.setAttribute('position', new BufferAttribute(Float32Array.of(-1, -1, 0, 3, -1, 0, -1, 3, 0), 3));
    const screen = new Mesh(all, this.#copy);
    screen.frustumCulled = false;
    this.#copyScene.add(screen);
    renderer.autoClear = false;
    this.setTheme(theme);
  }

  /** Bytes of the render targets. */
  get bytes(): number {
    return this.#targets.bytes;
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    for (const [name, colour] of [
      ['cut', theme.cut],
      ['background', theme.background],
    ] as const) {
      this.#uniforms[name].value.set(...rgb(colour));
    }
    this.#uniforms['ghost'].value = theme.ghost;
    this.#copy.uniforms['edge'].value.set(...rgb(theme.edge));
  }

  setSections(planes: readonly SectionPlane[]): void {
    if (planes.length !== this.#sections.length) {
      for (const material of [this.#surface, this.#pick]) {
        material.defines['SECTIONS'] = planes.length;
        material.needsUpdate = true;
      }
    }
    this.#sections = planes;
  }

  /** Draws a frame to the screen or to another target. The lens has the rendered pixels. */
  draw(lens: Lens, effort: Effort, marks: Object3D | undefined, to: WebGLRenderTarget | null = null): void {
    this.begin(lens, effort);
    while (!this.drawPart(Infinity));
    this.end(marks, to);
  }

  /** Begins a frame that is drawn in parts. The data must not change until its end. */
  begin(lens: Lens, effort: Effort): void {
    const { renderer } = this;
    const target = this.#targets.of(effort, lens.width, lens.height);
    renderer.setRenderTarget(target);
    renderer.setClearColor(new Color().setRGB(...rgb(this.#theme.background), NoColorSpace), 1);
    renderer.clear();
    const { hasGhosts } = this.#objects;
    const hasSolids = this.#objects.hasSolids || this.#objects.bodyCount > 0;
    const isReversed = renderer.capabilities.reversedDepthBuffer;
    const apart = [...(hasGhosts ? [Pass.ghost] : []), ...(hasSolids ? [Pass.solid] : [])];
    const passes = isReversed && apart.length === 2 ? [Pass.both] : apart;
    this.#begun = { lens, effort, target, passes, from: 0 };
  }

  /** Draws about this many more triangles; returns whether the frame is complete. */
  drawPart(triangles: number): boolean {
    const begun = this.#begun!;
    const [pass] = begun.passes;
    if (pass === undefined) return true;
    const next = this.slabs.choose(begun.effort.isFew, begun.from, 3 * triangles);
    this.#look(begun.lens, begun.lens.clip);
    this.renderer.setRenderTarget(begun.target);
    this.slabs.scene.overrideMaterial = this.#surface;
    this.#pass(pass);
    begun.from = next ?? 0;
    if (next === undefined) {
      begun.passes.shift();
      if (pass === Pass.ghost) this.renderer.clearDepth();
    }
    return begun.passes.length === 0;
  }

  /** Copies the drawn frame, with marks over it. */
  end(marks: Object3D | undefined, to: WebGLRenderTarget | null = null): void {
    const { renderer } = this;
    const { target, effort } = this.#begun!;
    this.#begun = undefined;
    renderer.setRenderTarget(target);
    if (marks) renderer.render(marks, this.#camera);
    renderer.setRenderTarget(to);
    const { uniforms } = this.#copy;
    const { width, height } = to ?? renderer.domElement;
    uniforms['image'].value = target.texture;
    uniforms['depths'].value = target.depthTexture;
    uniforms['strength'].value = this.#theme.edgeStrength * effort.scale;
    uniforms['scale'].value.set(target.width / width, target.height / height);
    renderer.render(this.#copyScene, this.#camera);
    this.slabs.calls++;
  }

  /** Draws numbers, positions and normals, through another clip matrix for the same eye. */
  drawNumbers(lens: Lens, clip: readonly number[], to: WebGLRenderTarget): void {
    const { renderer } = this;
    this.#look(lens, clip);
    this.slabs.choose();
    renderer.setRenderTarget(to);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    this.slabs.scene.overrideMaterial = this.#pick;
    if (this.#objects.hasGhosts) {
      this.#pass(Pass.ghost);
      renderer.clearDepth();
    }
    if (this.#objects.hasSolids || this.#objects.bodyCount > 0) this.#pass(Pass.solid);
    renderer.setRenderTarget(null);
  }

  dispose(): void {
    this.#targets.dispose();
    for (const material of [this.#surface, this.#pick, this.#copy]) material.dispose();
    (this.#copyScene.children[0] as Mesh).geometry.dispose();
  }

  #pass(pass: number): void {
    this.#uniforms['pass'].value = pass;
    this.renderer.render(this.slabs.scene, this.#camera);
  }

  #look({ state }: Lens, clip: readonly number[]): void {
    const { eyeHigh, eyeLow, clip: matrix, forward, isPerspective, sections } = this.#uniforms;
    const way = state.eye.map((x, k) => x - this.#origin[k]);
    const high = way.map((x) => Math.fround(this.#step * Math.round(x / this.#step)));
    eyeHigh.value.set(...high);
    eyeLow.value.set(...way.map((x, k) => x - high[k]));
    matrix.value.fromArray(clip);
    const [cp, sp] = [Math.cos(state.pitch), Math.sin(state.pitch)];
    forward.value.set(cp * Math.cos(state.yaw), cp * Math.sin(state.yaw), sp);
    isPerspective.value = state.fieldOfView > 0;
    this.#sections.forEach(({ normal: n, offset }, i) => {
      const { eye } = state;
      sections.value[i].set(...n, offset - (n[0] * eye[0] + n[1] * eye[1] + n[2] * eye[2]));
    });
  }
}
