/**
 * Bodies and their ways as an animated GLB, which any glTF viewer plays, and `impinge view --replay`: a node about the
 * point of each that moves straight, so that what is shown between two keys is what was certified. In metres with Y up.
 */
import { allFrom, GlbAnimation } from 'impinge/internal/formats/glb-animation.js';
import { GlbBuilder } from 'impinge/internal/formats/glb-builder.js';
import { writeAtomically } from '../jobs/atomic-file.js';
import type { RecordedPath } from '../wire/recording.js';
import type { PathBody } from './path-body.js';
import type { MomentOfPath } from './path-motion.js';
import { transformed } from './path-poses.js';

/** A body, and where it is in frames: the first of them, and all that follow; before and after it rests. */
export interface RecordedWay {
  readonly body: PathBody;
  /** The point that moves straight, in the body's own coordinates, in metres. */
  readonly centre: readonly number[];
  readonly from: number;
  readonly moments: readonly Pick<MomentOfPath, 'centre' | 'rotation'>[];
}

export interface BodyRecording {
  readonly ways: readonly RecordedWay[];
  /** Of all frames, in seconds. */
  readonly times: readonly number[];
  readonly metresPerUnit: number;
  /** What was proved of a single body. */
  readonly path?: RecordedPath;
}

const POSITIONS = 34962;
const INDICES = 34963;
/** Of the replay, which shows whole frames. */
export const FRAME_SECONDS = 1 / 25;
/** One after the other, linear. */
const COLOURS = [
  [0.8, 0.36, 0.02, 1],
  [0.1, 0.33, 0.6, 1],
  [0.25, 0.5, 0.15, 1],
  [0.55, 0.15, 0.35, 1],
  [0.6, 0.5, 0.1, 1],
  [0.15, 0.5, 0.5, 1],
];

export function writeBodyRecording(output: string, recording: BodyRecording): Promise<void> {
  return writeAtomically(output, async (file) => {
    for (const chunk of bodyRecording(recording)) await file.write(chunk);
  });
}

/** The bytes of the file, in pieces. */
export function bodyRecording({ ways, times, metresPerUnit, path }: BodyRecording): readonly Uint8Array[] {
  const glb = new GlbBuilder();
  const animation = new GlbAnimation(glb, Float32Array.from(risingTimes(times)));
  const nodes = ways.map((way, i) => {
    const material = GlbBuilder.add(glb.materials, {
      pbrMetallicRoughness: {
        baseColorFactor: COLOURS[i % COLOURS.length],
        metallicFactor: 0,
        roughnessFactor: 0.8,
      },
      doubleSided: true,
    });
    return addWay(glb, animation, way, material, metresPerUnit);
  });
  return glb.chunks({
    scenes: [{ nodes }],
    animations: animation.finish(),
    extras: { impinge: { version: 1, times: animation.times, asleep: [], ...(path && { path }) } },
  });
}

function addWay(
  glb: GlbBuilder,
  animation: GlbAnimation,
  { body: { name, mesh, frame }, centre, from, moments }: RecordedWay,
  material: number,
  metresPerUnit: number,
): number {
  const positions = new Float32Array(3 * mesh.vertexCount);
  const stored = mesh.positions;
  for (let i = 0; i < positions.length; i += 3) {
    const own = transformed(frame, stored.subarray(i, i + 3));
    positions.set(yUp(own.map((x, k) => x * metresPerUnit - centre[k])), i);
  }
  const primitive = {
    attributes: { POSITION: glb.accessor(positions, 'VEC3', { bounds: true, target: POSITIONS }) },
    indices: glb.accessor(Uint32Array.from(mesh.indices), 'SCALAR', { target: INDICES }),
    material,
  };
  const places = moments.map((moment) => yUp(moment.centre));
  const turns = moments.map(({ rotation: [x, y, z, w] }) => [...yUp([x, y, z]), w]);
  const node = GlbBuilder.add(glb.nodes, {
    name,
    mesh: GlbBuilder.add(glb.meshes, { name, primitives: [primitive] }),
    translation: places[0],
    rotation: turns[0],
  });
  if (moments.length > 1) {
    const keys = allFrom(from, moments.length);
    animation.move(node, keys, Float32Array.from(places.flat()));
    animation.turn(node, keys, Float32Array.from(turns.flat()));
  }
  return node;
}

function yUp([x, y, z]: readonly number[]): number[] {
  return [x, z, 0 - y];
}

/** Each later than the one before, as float32. */
function risingTimes(times: readonly number[]): number[] {
  const rising = [Math.fround(times[0])];
  for (const time of times.slice(1)) {
    const before = rising[rising.length - 1];
    const least = before + Math.max(2 ** -23 * Math.abs(before), 2 ** -40);
    rising.push(Math.max(Math.fround(time), Math.fround(least)));
  }
  return rising;
}
