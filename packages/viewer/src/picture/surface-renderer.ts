/** Draws the model: ghosts first, then what is solid over them, then marks; and copies that to the screen with its edges. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DepthTexture,
  DoubleSide,
  FloatType,
  GLSL3,
  type IUniform,
  Matrix4,
  Mesh,
  NearestFilter,
  NoBlending,
  NoColorSpace,
  type Object3D,
  PerspectiveCamera,
  RawShaderMaterial,
  RGBAFormat,
  Scene,
  UnsignedByteType,
  Vector3,
  Vector4,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
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

/** Samples per pixel. */
const SAMPLES = 4;
const EDGE_STRENGTH = 0.55;

type Uniforms = Record<string, IUniform>;

export class SurfaceRenderer {
  readonly renderer: WebGLRenderer;
  readonly slabs: SlabScene;
  /** Drawn after what is solid, with its depth. Positions are relative to `marksOrigin`. */
  readonly #objects: ObjectState;
  readonly #origin: Point;
  readonly #step: number;
  readonly #uniforms: Uniforms;
  readonly #surface: RawShaderMaterial;
  readonly #pick: RawShaderMaterial;
  readonly #copy: RawShaderMaterial;
  readonly #copyScene = new Scene();
  /** Three wants one; the programs have uniforms of their own. */
  readonly #camera = new PerspectiveCamera();
  #target: WebGLRenderTarget | undefined;
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
      edge: { value: new Vector3() },
      strength: { value: EDGE_STRENGTH },
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

  /** Bytes of the targets that the picture is drawn to. */
  get bytes(): number {
    if (!this.#target) return 0;
    const { width, height } = this.#target;
    return width * height * (SAMPLES + 1) * 8;
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

  /** A frame, to the screen or to another target. */
  draw(lens: Lens, marks: Object3D | undefined, to: WebGLRenderTarget | null = null): void {
    const { renderer } = this;
    const target = this.#targetFor(lens.width, lens.height);
    this.#look(lens, lens.clip);
    renderer.setRenderTarget(target);
    renderer.setClearColor(new Color().setRGB(...rgb(this.#theme.background), NoColorSpace), 1);
    renderer.clear();
    this.slabs.scene.overrideMaterial = this.#surface;
    if (this.#objects.hasGhosts) {
      this.#pass(Pass.ghost);
      renderer.clearDepth();
    }
    if (this.#objects.hasSolids) this.#pass(Pass.solid);
    if (marks) renderer.render(marks, this.#camera);
    renderer.setRenderTarget(to);
    const { uniforms } = this.#copy;
    uniforms['image'].value = target.texture;
    uniforms['depths'].value = target.depthTexture;
    renderer.render(this.#copyScene, this.#camera);
    this.slabs.calls++;
  }

  /** Numbers, places and normals of what is in view, through another lens for the same eye. */
  drawNumbers(lens: Lens, clip: readonly number[], to: WebGLRenderTarget): void {
    const { renderer } = this;
    this.#look(lens, clip);
    renderer.setRenderTarget(to);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    this.slabs.scene.overrideMaterial = this.#pick;
    if (this.#objects.hasGhosts) {
      this.#pass(Pass.ghost);
      renderer.clearDepth();
    }
    if (this.#objects.hasSolids) this.#pass(Pass.solid);
    renderer.setRenderTarget(null);
  }

  dispose(): void {
    this.#target?.dispose();
    this.#target?.depthTexture?.dispose();
    this.#target = undefined;
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

  #targetFor(width: number, height: number): WebGLRenderTarget {
    if (this.#target?.width === width && this.#target.height === height) return this.#target;
    this.#target?.dispose();
    this.#target?.depthTexture?.dispose();
    const depthTexture = new DepthTexture(width, height, FloatType);
    this.#target = new WebGLRenderTarget(width, height, {
      samples: SAMPLES,
      depthTexture,
      type: UnsignedByteType,
      format: RGBAFormat,
      colorSpace: NoColorSpace,
      minFilter: NearestFilter,
      magFilter: NearestFilter,
    });
    return this.#target;
  }
}
