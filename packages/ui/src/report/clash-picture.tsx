/**
 * Rotatable pictures of clashes: the two objects around their contact, each shining through the other. One hidden
 * canvas draws all of them, since browsers limit the number of WebGL contexts.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Report } from '../report.js';
import { lengthText } from '../text.js';
import { colourOf, inflated } from './colour.js';

interface Model {
  /** Corners of the triangles of both objects. */
  readonly sides: readonly Float32Array[];
  /** Side of the box that was cut out, in metres. */
  readonly size: number;
}

const VERTEX_SHADER = `#version 300 es
  in vec3 position; uniform mat4 camera; uniform mat3 turn; out vec3 place;
  void main() { place = turn * position; gl_Position = camera * vec4(place, 1.0); }`;
const FRAGMENT_SHADER = `#version 300 es
  precision highp float; in vec3 place; uniform vec4 colour; out vec4 shown;
  void main() {
    vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
    float light = 0.55 + 0.5 * abs(dot(normal, normalize(vec3(0.3, 0.5, 0.8))));
    shown = vec4(colour.rgb * light * colour.a, colour.a);
  }`;
/** Distances of the eye, the near and the far plane; the model extends from -1 to 1. */
const DISTANCE = 4.6;
const NEAR = 1;
const FAR = 9;
const FOCUS = 2.8;
let painter: ReturnType<typeof makePainter> | undefined;

function makePainter() {
  const canvas = document.createElement('canvas');
  const gl = canvas.getContext('webgl2', { antialias: true, stencil: true });
  if (!gl) return undefined;
  const program = gl.createProgram();
  for (const [kind, text] of [
    [gl.VERTEX_SHADER, VERTEX_SHADER],
    [gl.FRAGMENT_SHADER, FRAGMENT_SHADER],
  ] as const) {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  const position = gl.getAttribLocation(program, 'position');
  gl.enableVertexAttribArray(position);
  gl.vertexAttribPointer(position, 3, gl.FLOAT, false, 0, 0);
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.STENCIL_TEST);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  const place = (name: string) => gl.getUniformLocation(program, name);
  return { canvas, gl, camera: place('camera'), turn: place('turn'), colour: place('colour') };
}

async function read(text: string): Promise<Model> {
  const bytes = await inflated(text);
  const numbers = new Uint16Array(bytes);
  const half = new Float32Array(bytes, 0, 1)[0];
  const sides: Float32Array[] = [];
  let at = 2;
  for (let side = 0; side < 2; side++) {
    const [vertices, triangles] = [numbers[at], numbers[at + 1]];
    const corners = at + 2 + 3 * vertices;
    const positions = new Float32Array(9 * triangles);
    for (let i = 0; i < 3 * triangles; i++) {
      for (let k = 0; k < 3; k++) {
        positions[3 * i + k] = (numbers[at + 2 + k * vertices + numbers[corners + i]] / 4095) * 2 - 1;
      }
    }
    sides.push(positions);
    at = corners + 3 * triangles;
  }
  return { sides, size: 2 * half };
}

/** Rows of the rotation about the vertical, then of the tilt; the model's z is up. */
function turned(azimuth: number, elevation: number): number[] {
  const [c, s] = [Math.cos(azimuth), Math.sin(azimuth)];
  const [t, u] = [Math.cos(elevation), Math.sin(elevation)];
  return [c, s, 0, -s * u, c * u, t, s * t, -c * t, u];
}

/** The components of `rgb(…)`, 0 … 1. */
function parts(colour: string): number[] {
  return colour
    .match(/[\d.]+/g)!
    .slice(0, 3)
    .map((part) => Number(part) / 255);
}

/** Draws a model and copies it to the visible canvas. */
function paint(target: HTMLCanvasElement, model: Model, azimuth: number, elevation: number): void {
  painter ??= makePainter();
  const pen = target.getContext('2d');
  const ratio = Math.min(2, devicePixelRatio || 1);
  const width = Math.round(target.clientWidth * ratio);
  const height = Math.round(target.clientHeight * ratio);
  if (!painter || !pen || width === 0 || height === 0) return;
  [target.width, target.height] = [width, height];
  const { canvas, gl } = painter;
  if (canvas.width < width || canvas.height < height) [canvas.width, canvas.height] = [width, height];
  gl.viewport(0, canvas.height - height, width, height);
  gl.clearColor(0, 0, 0, 0);
  gl.depthMask(true);
  gl.colorMask(true, true, true, true);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  const rows = turned(azimuth, elevation);
  const [sx, sy] = [width, height].map((size) => (FOCUS * Math.min(width, height)) / size);
  const [a, b] = [-(FAR + NEAR) / (FAR - NEAR), (-2 * FAR * NEAR) / (FAR - NEAR)];
  gl.uniformMatrix4fv(painter.camera, false, [
    ...[sx, 0, 0, 0, 0, sy, 0, 0],
    ...[0, 0, a, -1, 0, 0, -DISTANCE * a + b, DISTANCE],
  ]);
  gl.uniformMatrix3fv(painter.turn, true, rows);
  const colour = (name: string) => colourOf(target.parentElement!, `var(--${name})`);
  const draw = (side: number, alpha: number) => {
    const positions = model.sides[side];
    gl.bufferData(gl.ARRAY_BUFFER, positions, gl.STREAM_DRAW);
    gl.uniform4fv(painter!.colour, [...parts(colour('ab'[side])), alpha]);
    gl.drawArrays(gl.TRIANGLES, 0, positions.length / 3);
  };
  gl.depthFunc(gl.LEQUAL);
  // mark the pixels of b
  gl.stencilFunc(gl.ALWAYS, 1, 1);
  gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
  draw(1, 1);
  gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
  // parts of a behind b shine through
  gl.depthMask(false);
  gl.depthFunc(gl.GREATER);
  draw(0, 0.25);
  gl.depthMask(true);
  gl.depthFunc(gl.LEQUAL);
  // of the rest of a, only the front surface: first depth, then colour
  gl.colorMask(false, false, false, false);
  draw(0, 1);
  gl.colorMask(true, true, true, true);
  gl.stencilFunc(gl.EQUAL, 0, 1);
  draw(0, 0.75);
  gl.stencilFunc(gl.EQUAL, 1, 1);
  draw(0, 0.25);
  pen.clearRect(0, 0, width, height);
  pen.drawImage(canvas, 0, 0, width, height, 0, 0, width, height);
  // the contact is in the centre
  pen.lineWidth = 2 * ratio;
  pen.strokeStyle = colour('text');
  pen.beginPath();
  pen.arc(width / 2, height / 2, 7 * ratio, 0, 2 * Math.PI);
  pen.stroke();
}

/** Rotation per key press, in radians. */
const KEY_TURNS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-0.15, 0],
  ArrowRight: [0.15, 0],
  ArrowUp: [0, 0.15],
  ArrowDown: [0, -0.15],
};

/** Draws a model on a canvas, rotated by the reader. It first makes one turn by itself. */
function turning(canvas: HTMLCanvasElement, model: Model) {
  let azimuth = 0.6;
  let elevation = 0.45;
  let left = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 2 * Math.PI;
  let drawn = 0;
  const frame = (now: number) => {
    if (!canvas.isConnected) return;
    if (left > 0) {
      const step = Math.min(left, drawn === 0 ? 0 : Math.min(0.1, (now - drawn) / 1000) * 0.7);
      azimuth += step;
      left -= step;
      drawn = now;
      requestAnimationFrame(frame);
    }
    paint(canvas, model, azimuth, elevation);
  };
  const again = () => requestAnimationFrame(frame);
  const resized = new ResizeObserver(again);
  resized.observe(canvas);
  return {
    turn(dx: number, dy: number): void {
      left = 0;
      azimuth += dx;
      elevation = Math.max(-1.5, Math.min(1.5, elevation + dy));
      again();
    },
    turnOnce(): void {
      left = 2 * Math.PI;
      drawn = 0;
      again();
    },
    end: () => resized.disconnect(),
  };
}

interface Props {
  readonly report: Report;
  readonly clash: number;
  /** The encoded model. */
  readonly text: string;
}

export function ClashPicture({ report, clash, text }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<ReturnType<typeof turning>>(null);
  const size = useSignal<number | undefined>(0);
  useEffect(() => {
    let gone = false;
    read(text).then(
      (model) => {
        if (gone) return;
        picture.current = turning(canvas.current!, model);
        size.value = model.size;
      },
      () => {
        size.value = undefined;
      },
    );
    return () => {
      gone = true;
      picture.current?.end();
    };
  }, [text]);
  if (size.value === undefined) return <p class="quiet">Could not load the picture of this clash.</p>;
  const names = report.namesOf(clash);
  return (
    <figure class="model">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="img"
        aria-label={`${names.join(' and ')} around their contact; arrow keys turn them`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          picture.current?.turn(0, 0);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId))
            picture.current?.turn(event.movementX / 90, event.movementY / 90);
        }}
        onKeyDown={(event) => {
          const by = KEY_TURNS[event.key];
          if (!by) return;
          event.preventDefault();
          picture.current?.turn(...by);
        }}
      />
      <figcaption>
        {names.map((name, side) => (
          <span key={side} class="side">
            <span class={`dot ${'ab'[side]}`} /> {name}
          </span>
        ))}
        {size.value > 0 && <span class="quiet">{lengthText(size.value)} wide</span>}
        <button type="button" class="link" onClick={() => picture.current?.turnOnce()}>
          Rotate
        </button>
      </figcaption>
    </figure>
  );
}
