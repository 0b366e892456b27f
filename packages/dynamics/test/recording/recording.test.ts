/** Recordings as other programs see them: three's loader plays them, and every frame must be what was recorded. */
import { AnimationMixer, LoopOnce, type Mesh, type Object3D, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { GlbRecording, type LatticeShape } from '../../src/recording/glb-recording.js';

const SECONDS_PER_FRAME = 0.5;
const WHITE = [1, 1, 1] as const;
const triangle = Uint32Array.of(0, 1, 2);

async function play(recording: GlbRecording) {
  const buffer = await new Blob(recording.chunks() as Uint8Array<ArrayBuffer>[]).arrayBuffer();
  const gltf = await new GLTFLoader().parseAsync(buffer, '');
  const mixer = new AnimationMixer(gltf.scene);
  for (const clip of gltf.animations) {
    const action = mixer.clipAction(clip);
    action.setLoop(LoopOnce, 1); // at the end it would begin anew
    action.clampWhenFinished = true;
    action.play();
  }
  return {
    at(frame: number): Object3D {
      for (const clip of gltf.animations) mixer.clipAction(clip).reset();
      mixer.setTime(frame * SECONDS_PER_FRAME);
      gltf.scene.updateMatrixWorld(true);
      return gltf.scene;
    },
  };
}

/** Where a viewer draws the vertices of a mesh. */
function vertices(scene: Object3D, name: string): number[] {
  let found: Mesh | undefined;
  scene.traverse((object) => {
    if ((object as Mesh).isMesh && object.name === name) found = object as Mesh;
  });
  const mesh = found as Mesh;
  const out: number[] = [];
  for (let i = 0; i < mesh.geometry.attributes.position!.count; i++) {
    const at = mesh.getVertexPosition(i, new Vector3());
    at.applyMatrix4(mesh.matrixWorld);
    out.push(at.x, at.y, at.z);
  }
  return out;
}

function expectClose(actual: readonly number[], expected: ArrayLike<number>): void {
  expect(actual).toHaveLength(expected.length);
  for (let i = 0; i < expected.length; i++) expect(actual[i]).toBeCloseTo(expected[i], 4);
}

describe('a recording', () => {
  let player: Awaited<ReturnType<typeof play>>;
  const cloth = [0, 1, 2, 3].map((f) => [0, 0, f, 1, 0, f * f, 0, 1, -f]);
  const piece = [2, 3].map((f) => [5, f, 0, 6, f, 0, 5, f + 1, 0]);
  const shape: LatticeShape = {
    name: 'A',
    positions: Float32Array.of(0.25, 0.25, 0.25, 1, 0, 0, 0, 0, 1),
    indices: triangle,
    joints: Uint16Array.of(0, 1, 2, 3, 1, 0, 0, 0, 3, 0, 0, 0),
    weights: Float32Array.of(0.25, 0.25, 0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0),
    rest: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
  const nodes = [0, 1, 2, 3].map((f) => shape.rest.map((x, i) => x * (1 + f) + (i % 3 === 2 ? f : 0)));

  beforeAll(async () => {
    const recording = new GlbRecording();
    const still = [0, 0, -1, 9, 0, -1, 0, 9, -1];
    const floor = recording.addPart({ name: 'floor', colour: WHITE, indices: triangle, still });
    const sheet = recording.addPart({ name: 'cloth', colour: WHITE, indices: triangle });
    const whole = recording.addPart({ name: 'whole', colour: WHITE, indices: triangle });
    const letter = recording.addLattice({ name: 'letter', colour: [1, 0, 0], shape });
    let broken: number | undefined;
    for (let f = 0; f < 4; f++) {
      if (f === 2) broken = recording.addPart({ name: 'piece', colour: WHITE, indices: triangle });
      const frame = new Map<number, ArrayLike<number>>([
        [floor, [0, 0, -1, 9, 0, -1, 0, 9, -1]],
        [sheet, cloth[f]],
        [letter, nodes[f]],
      ]);
      if (f < 2) frame.set(whole, [7, 7, f, 8, 7, f, 7, 8, f]);
      if (broken !== undefined) frame.set(broken, piece[f - 2]);
      recording.addFrame(SECONDS_PER_FRAME * f, frame);
    }
    player = await play(recording);
  });

  test('vertices of a free part are where they were, in every frame and half-way between', () => {
    for (let f = 0; f < 4; f++) expectClose(vertices(player.at(f), 'cloth'), cloth[f]);
    expectClose(
      vertices(player.at(1.5), 'cloth'),
      cloth[1].map((x, i) => (x + cloth[2][i]) / 2),
    );
  });

  test('what stands still stands still', () => {
    expectClose(vertices(player.at(3), 'floor'), [0, 0, -1, 9, 0, -1, 0, 9, -1]);
  });

  test('a body in a lattice follows its nodes', () => {
    for (let f = 0; f < 4; f++) {
      const n = nodes[f];
      const mean = [0, 1, 2].map((k) => (n[k] + n[3 + k] + n[6 + k] + n[9 + k]) / 4);
      const expected = [...mean, n[3], n[4], n[5], n[9], n[10], n[11]];
      expectClose(vertices(player.at(f), 'letter'), expected);
    }
  });

  test('parts are there only while they exist', () => {
    const size = (scene: Object3D, name: string) => {
      const [x, y, , x2, y2] = vertices(scene, name);
      return Math.hypot(x2 - x, y2 - y);
    };
    expect(size(player.at(1), 'whole')).toBeCloseTo(1);
    expect(size(player.at(1), 'piece')).toBeCloseTo(0);
    expect(size(player.at(2.2), 'whole')).toBeCloseTo(0);
    for (const f of [2, 3]) expectClose(vertices(player.at(f), 'piece'), piece[f - 2]);
  });

  test('a rigid part goes from pose to pose, and those of one shape share a mesh', async () => {
    const recording = new GlbRecording();
    const surface = {
      name: 'wedge',
      positions: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
      indices: triangle,
    };
    const [first, second] = ['first', 'second'].map((name) =>
      recording.addRigid({ name, colour: WHITE, shape: surface }),
    );
    const half = Math.SQRT1_2;
    // a quarter of a turn about z; the second rests after one frame
    const poses = [
      [0, 0, 0, 0, 0, 0, 1],
      [3, 0, 0, 0, 0, half, half],
      [3, 0, 2, 0, 0, half, half],
      [3, 0, 2, 0, 0, half, half],
    ];
    for (const [f, pose] of poses.entries()) {
      recording.addFrame(
        SECONDS_PER_FRAME * f,
        new Map([
          [first, pose],
          [second, poses[Math.min(f, 1)]],
        ]),
      );
    }
    const { at } = await play(recording);
    expectClose(vertices(at(0), 'first'), surface.positions);
    expectClose(vertices(at(1), 'first'), [3, 1, 0, 2, 0, 0, 3, 0, 1]);
    for (const f of [2, 2.5, 3]) expectClose(vertices(at(f), 'first'), [3, 1, 2, 2, 0, 2, 3, 0, 3]);
    for (const f of [1, 2, 3]) expectClose(vertices(at(f), 'second'), [3, 1, 0, 2, 0, 0, 3, 0, 1]);
    const meshes = at(0).children as Mesh[];
    expect(meshes[0].geometry).toBe(meshes[1].geometry);
  });

  test('a part that was left out cannot come back', () => {
    const recording = new GlbRecording();
    const part = recording.addPart({ name: 'ghost', colour: WHITE, indices: triangle });
    recording.addFrame(0, new Map([[part, cloth[0]]]));
    recording.addFrame(1, new Map());
    expect(() => recording.addFrame(2, new Map([[part, cloth[0]]]))).toThrow(/ghost/);
  });
});
