/**
 * A path as an animated GLB, which any glTF viewer plays, and `impinge view --replay`: one node about the point that
 * moves straight, so that what is shown between two keys is what was certified. In metres with Y up.
 */
import type { StoredModel } from '@impinge/model';
import { allFrom, GlbAnimation } from 'impinge/internal/formats/glb-animation.js';
import { GlbBuilder } from 'impinge/internal/formats/glb-builder.js';
import { writeAtomically } from '../jobs/atomic-file.js';
import type { RecordedPath } from '../wire/recording.js';
import type { PathBody } from './path-body.js';
import { momentsOf } from './path-motion.js';
import { transformed } from './path-poses.js';
import type { Certified, WrittenPath } from './search-path.js';

const POSITIONS = 34962;
const INDICES = 34963;
/** Of the replay, which shows whole frames. */
const FRAME_SECONDS = 1 / 25;
const MOST_FRAMES = 5000;
const COLOUR = [0.8, 0.36, 0.02, 1];

export function writePathRecording(
  output: string,
  body: PathBody,
  path: WrittenPath,
  { clearance }: Pick<Certified, 'clearance'>,
  model: StoredModel,
): Promise<void> {
  const { object } = body;
  const proved = {
    clearance,
    ...(object !== undefined && { object, name: model.text(object, 'name') }),
  };
  return writeAtomically(output, async (file) => {
    for (const chunk of pathChunks(body, path, proved, model.meta.metresPerUnit)) await file.write(chunk);
  });
}

function pathChunks(
  { name, mesh, frame }: PathBody,
  path: WrittenPath,
  proved: RecordedPath,
  metresPerUnit: number,
): readonly Uint8Array[] {
  const glb = new GlbBuilder();
  const moments = momentsOf(path, FRAME_SECONDS, MOST_FRAMES);
  const times = Float32Array.from(risingTimes(moments.map(({ time }) => time)));
  const animation = new GlbAnimation(glb, times);
  const positions = new Float32Array(3 * mesh.vertexCount);
  const stored = mesh.positions;
  for (let i = 0; i < positions.length; i += 3) {
    const own = transformed(frame, stored.subarray(i, i + 3));
    positions.set(yUp(own.map((x, k) => x * metresPerUnit - path.centre[k])), i);
  }
  const primitive = {
    attributes: { POSITION: glb.accessor(positions, 'VEC3', { bounds: true, target: POSITIONS }) },
    indices: glb.accessor(Uint32Array.from(mesh.indices), 'SCALAR', { target: INDICES }),
    material: GlbBuilder.add(glb.materials, {
      pbrMetallicRoughness: { baseColorFactor: COLOUR, metallicFactor: 0, roughnessFactor: 0.8 },
      doubleSided: true,
    }),
  };
  const places = moments.map(({ centre }) => yUp(centre));
  const turns = moments.map(({ rotation: [x, y, z, w] }) => [...yUp([x, y, z]), w]);
  const node = GlbBuilder.add(glb.nodes, {
    name,
    mesh: GlbBuilder.add(glb.meshes, { name, primitives: [primitive] }),
    translation: places[0],
    rotation: turns[0],
  });
  if (moments.length > 1) {
    const keys = allFrom(0, moments.length);
    animation.move(node, keys, Float32Array.from(places.flat()));
    animation.turn(node, keys, Float32Array.from(turns.flat()));
  }
  return glb.chunks({
    scenes: [{ nodes: [node] }],
    animations: animation.finish(),
    extras: { impinge: { version: 1, times: animation.times, asleep: [], path: proved } },
  });
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
