/**
 * Lines, arrows and dots over the model, with widths in pixels, and their labels.
 *
 * Each segment is a strip of two triangles that faces the screen. All are drawn twice: normally where visible, thin and
 * dashed where hidden.
 */
import {
  DoubleSide,
  Float32BufferAttribute,
  GLSL3,
  GreaterDepth,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LessEqualDepth,
  Matrix4,
  Mesh,
  RawShaderMaterial,
  Scene,
  Vector2,
  Vector3,
} from 'three';
import { type Lens, placeOf } from './lens.js';
import { rgb } from './palette.js';
import type { Mark, Point } from './types.js';

/** Shapes of a strip. */
const Shape = { line: 0, head: 1, dot: 2 } as const;

/**
 * Offset of marks towards the eye, in CSS pixels: surfaces that meet in a line come forward beside it and would hide
 * most of its width.
 */
const NEARER = 4;

const VERTEX = /* glsl */ `
precision highp float;
in vec3 position;
in vec3 from;
in vec3 to;
in vec4 look;
uniform vec3 way;
uniform mat4 clip;
uniform vec2 size;
uniform float density;
uniform float nearer;
uniform bool isThin;
out vec3 colour;
out vec2 inside;
out float along;
flat out float shape;

void main() {
  vec4 a = clip * vec4(from + way, 1.0);
  vec4 b = clip * vec4(to + way, 1.0);
  float least = 1e-6 * max(abs(a.w), abs(b.w)) + 1e-12;
  colour = look.rgb;
  shape = look.a;
  if (a.w < least && b.w < least) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  // what is behind the eye is cut off
  if (a.w < least) a = mix(a, b, (least - a.w) / (b.w - a.w));
  if (b.w < least) b = mix(b, a, (least - b.w) / (a.w - b.w));
  vec2 p = a.xy / a.w * size / 2.0;
  vec2 q = b.xy / b.w * size / 2.0;
  vec2 line = q - p;
  float far = length(line);
  vec2 ahead = far > 1e-3 ? line / far : vec2(1.0, 0.0);
  vec2 aside = vec2(-ahead.y, ahead.x);
  float end = position.x;
  vec2 shift;
  vec4 at = end > 0.5 ? b : a;
  if (shape == ${Shape.dot}.0) shift = (ahead * (2.0 * end - 1.0) + aside * position.y) * (isThin ? 3.5 : 5.5);
  else if (shape == ${Shape.head}.0) {
    at = b;
    shift = -ahead * (1.0 - end) * 15.0 + aside * position.y * (1.0 - end) * (isThin ? 4.0 : 6.0);
  } else shift = aside * position.y * (isThin ? 0.7 : 1.8);
  shift *= density;
  inside = vec2(2.0 * end - 1.0, position.y);
  along = end * far / density;
  gl_Position = vec4(at.xy + shift * 2.0 / size * at.w, at.z + nearer, at.w);
}
`;

const FRAGMENT = /* glsl */ `
precision highp float;
in vec3 colour;
in vec2 inside;
in float along;
flat in float shape;
uniform bool isThin;
out vec4 pixel;

void main() {
  if (shape == ${Shape.dot}.0 && dot(inside, inside) > 1.0) discard;
  if (isThin && shape == ${Shape.line}.0 && fract(along / 8.0) > 0.6) discard;
  pixel = vec4(colour, 1.0);
}
`;

export class Marks {
  readonly scene = new Scene();
  readonly #labels: HTMLElement;
  #marks: readonly Mark[] = [];
  #origin: Point = [0, 0, 0];
  readonly #geometry = new InstancedBufferGeometry();
  readonly #materials: readonly RawShaderMaterial[];

  constructor(labels: HTMLElement) {
    this.#labels = labels;
    const strip = [0, -1, 0, 1, -1, 0, 0, 1, 0, 1, 1, 0];
    this.#geometry.setAttribute('position', new Float32BufferAttribute(strip, 3));
    this.#geometry.setIndex([0, 1, 2, 2, 1, 3]);
    this.#materials = [false, true].map(
      (isThin) =>
        new RawShaderMaterial({
          glslVersion: GLSL3,
          vertexShader: VERTEX,
          fragmentShader: FRAGMENT,
          side: DoubleSide,
          depthWrite: false,
          depthFunc: isThin ? GreaterDepth : LessEqualDepth,
          uniforms: {
            way: { value: new Vector3() },
            clip: { value: new Matrix4() },
            size: { value: new Vector2() },
            density: { value: 1 },
            nearer: { value: 0 },
            isThin: { value: isThin },
          },
        }),
    );
    for (const material of this.#materials) {
      const mesh = new Mesh(this.#geometry, material);
      mesh.frustumCulled = false;
      this.scene.add(mesh);
    }
  }

  get isEmpty(): boolean {
    return this.#marks.length === 0;
  }

  set(marks: readonly Mark[]): void {
    this.#marks = marks;
    const [from, to, look]: [number[], number[], number[]] = [[], [], []];
    this.#origin = marks[0] ? pointOf(marks[0].points, 0) : [0, 0, 0];
    for (const { kind, points, colour } of marks) {
      const put = (a: number, b: number, shape: number) => {
        for (let k = 0; k < 3; k++) {
          from.push(points[3 * a + k] - this.#origin[k]);
          to.push(points[3 * b + k] - this.#origin[k]);
        }
        look.push(...rgb(colour), shape);
      };
      const count = Math.floor(points.length / 3);
      if (kind === 'dot') for (let i = 0; i < count; i++) put(i, i, Shape.dot);
      else {
        for (let i = 0; i + 1 < count; i += 2) {
          put(i, i + 1, Shape.line);
          if (kind === 'arrow') put(i, i + 1, Shape.head);
        }
      }
    }
    // releases three's buffers of the old marks
    this.#geometry.dispose();
    const attribute = (numbers: number[], size: number) =>
      new InstancedBufferAttribute(Float32Array.from(numbers), size);
    this.#geometry.setAttribute('from', attribute(from, 3));
    this.#geometry.setAttribute('to', attribute(to, 3));
    this.#geometry.setAttribute('look', attribute(look, 4));
    this.#geometry.instanceCount = look.length / 4;
    this.#labels.replaceChildren(
      ...marks.flatMap(({ label }) => {
        if (!label) return [];
        const element = document.createElement('span');
        element.className = 'mark-label';
        element.textContent = label;
        return [element];
      }),
    );
  }

  /** Call before each frame. `density`: pixels of the lens per CSS pixel. */
  look(lens: Lens, density: number): void {
    const nearer = depthOfPixels(lens, NEARER * density);
    for (const { uniforms } of this.#materials) {
      uniforms['way'].value.set(...this.#origin.map((x, k) => x - lens.state.eye[k]));
      uniforms['clip'].value.fromArray(lens.clip);
      uniforms['size'].value.set(lens.width, lens.height);
      uniforms['density'].value = density;
      uniforms['nearer'].value = nearer;
    }
  }

  /** Moves labels to their marks. */
  placeLabels(lens: Lens, density: number): void {
    this.#marks
      .filter(({ label }) => label)
      .forEach(({ kind, points }, i) => {
        const [a, b] = [pointOf(points, 0), pointOf(points, kind === 'dot' ? 0 : 1)];
        const [from, to] = [placeOf(lens, a), placeOf(lens, b)];
        const element = this.#labels.children[i] as HTMLElement;
        const { x, y } = besideLine(from, to, density, element.textContent.length);
        element.style.display = from.behind || to.behind ? 'none' : '';
        element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -50%)`;
      });
  }

  dispose(): void {
    this.#geometry.dispose();
    for (const material of this.#materials) material.dispose();
    this.#labels.replaceChildren();
  }
}

/** The offset in clip-space depth that moves a point nearer by the width of this many pixels at its depth. */
function depthOfPixels({ state, projection, height }: Lens, pixels: number): number {
  if (state.fieldOfView === 0) return (projection[10] * pixels * state.height) / height;
  const share = (2 * pixels * Math.tan(state.fieldOfView / 2)) / height;
  return (projection[14] * share) / (1 - share);
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** In CSS pixels: the width of a letter, half the height of a label and its padding, and the gap to a line. */
const LETTER = 6.5;
const HALF_LABEL = 10;
const ROOM = 8;

/** The centre of a label beside the middle of a line, above it, so that it does not cover the line. */
function besideLine(from: Place, to: Place, density: number, letters: number): Place {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const [up, aside] = length > 1 ? [Math.abs(dx) / length, (Math.sign(dx || 1) * dy) / length] : [0.8, 0.6];
  const off = ROOM + HALF_LABEL + (Math.abs(aside) * LETTER * letters) / 2;
  return {
    x: (from.x + to.x) / (2 * density) + aside * off,
    y: (from.y + to.y) / (2 * density) - up * off,
  };
}

function pointOf(points: Float64Array, i: number): Point {
  return [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
}
