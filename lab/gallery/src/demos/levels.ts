/** A rough surface with levels, and a ball that circles above it. The level drawn is the one queried. */
import { buildLevels, frontOf, LevelsTarget, readPieces } from '@impinge/model';
import { distance, Mesh } from 'impinge';
import type { Demo, Frame, Surface } from '../protocol.js';

const PIECES = [0x2f7fb8, 0x4c9f70, 0xc9a227, 0xd97b29, 0xb8527e, 0x8a6fc2];
const BALL = 0x4b4f57;
const BALL_ID = 1_000_000;
const BALL_RADIUS = 0.12;
const SIZE = 2;
/** Turns per frame. */
const SPEED = 1 / 400;

export const levelsDemo: Demo = {
  async start({ steps }) {
    const began = performance.now();
    const model = await buildLevels(Mesh.from(roughTorus(steps)), { pieceTriangles: 1024 });
    const built = performance.now() - began;
    const target = new LevelsTarget(model);
    const probe = Mesh.from(ball(16));
    const ballPositions = probe.positions.slice();
    let shown = -1;
    let pieces: number[] = [];
    let triangles = 0;
    let turn = 0;
    return {
      async step({ error: percent }): Promise<Frame> {
        const error = (percent / 100) * SIZE;
        const surfaces: Surface[] = [];
        let gone: number[] = [];
        const front = performance.now();
        if (error !== shown) {
          shown = error;
          gone = pieces;
          pieces = [...frontOf(model, 0, error)];
          const arrays = await readPieces(model, pieces);
          triangles = arrays.reduce((sum, { indices }) => sum + indices.length / 3, 0);
          const kept = new Set(pieces);
          gone = gone.filter((piece) => !kept.has(piece));
          for (const { piece, origin, positions, indices } of arrays) {
            surfaces.push({
              id: piece,
              positions: positions.map((x, i) => x + origin[i % 3]),
              indices: Uint32Array.from(indices),
              colour: PIECES[piece % PIECES.length],
            });
          }
        }
        const chosen = performance.now();
        const first = turn === 0;
        turn += SPEED;
        const angle = 2 * Math.PI * turn;
        const place = [
          0.75 * Math.cos(angle),
          0.5 + 0.06 * Math.sin(5 * angle),
          0.75 * Math.sin(angle),
        ] as const;
        const answer = await distance(target, probe, { pose: { translation: place }, error });
        const asked = performance.now();
        surfaces.push({
          id: BALL_ID,
          positions: ballPositions.map((x, i) => x + place[i % 3]),
          ...(first && { indices: Uint32Array.from(probe.indices), colour: BALL }),
        });
        const [lower, upper] = answer.bounds ?? [answer.distance, answer.distance];
        return {
          surfaces,
          gone,
          look: { centre: [0, 0.1, 0], radius: 1.05 },
          stages: [
            ['front', chosen - front],
            ['distance', asked - chosen],
          ],
          figures: [
            [
              'Drawn and asked',
              `${triangles.toLocaleString('en')} of ${model.triangleCount.toLocaleString('en')} triangles`,
            ],
            [
              'Distance of the ball',
              lower === upper ? length(lower) : `${length(lower)} to ${length(upper)}`,
            ],
            ['Levels built in', `${(built / 1000).toFixed(1)} s`],
          ],
        };
      },
      async dispose() {
        await target.dispose();
        probe.dispose();
      },
    };
  },
};

function length(metres: number): string {
  return `${(1000 * metres).toFixed(1)} mm`;
}

/** A torus about the y axis with bumps of many sizes, of 4 steps² triangles. */
function roughTorus(steps: number) {
  const [around, along] = [2 * steps, steps];
  const positions = new Float32Array(3 * around * along);
  const indices = new Uint32Array(6 * around * along);
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < along; j++) {
      const [u, v] = [(2 * Math.PI * i) / around, (2 * Math.PI * j) / along];
      let r = 0.26;
      for (let k = 1; k <= 5; k++) {
        r += (0.022 / k) * Math.sin(3 * k * u + k * k) * Math.cos(2 * k * v + 2 * k);
      }
      const at = 3 * (i * along + j);
      positions[at] = (0.74 + r * Math.cos(v)) * Math.cos(u);
      positions[at + 1] = r * Math.sin(v);
      positions[at + 2] = (0.74 + r * Math.cos(v)) * Math.sin(u);
      const [a, b] = [i * along + j, i * along + ((j + 1) % along)];
      const [c, d] = [((i + 1) % around) * along + j, ((i + 1) % around) * along + ((j + 1) % along)];
      indices.set([a, b, c, b, d, c], 6 * (i * along + j));
    }
  }
  return { positions, indices, name: 'torus' };
}

function ball(steps: number) {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= steps; j++) {
    for (let i = 0; i < 2 * steps; i++) {
      const [u, v] = [(Math.PI * i) / steps, (Math.PI * j) / steps];
      positions.push(
        BALL_RADIUS * Math.sin(v) * Math.cos(u),
        BALL_RADIUS * Math.cos(v),
        BALL_RADIUS * Math.sin(v) * Math.sin(u),
      );
      if (j === steps) continue;
      const [a, b] = [2 * steps * j + i, 2 * steps * j + ((i + 1) % (2 * steps))];
      indices.push(a, b, a + 2 * steps, b, b + 2 * steps, a + 2 * steps);
    }
  }
  return { positions, indices };
}
