/** The demos with their sliders; kept apart from the code that only the worker loads. */
import type { Slider } from '../protocol.js';

export interface DemoInfo {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly sliders: readonly Slider[];
}

const FRICTION: Slider = { key: 'friction', label: 'Friction', min: 0, max: 1, step: 0.05, value: 0.4 };
const SEED: Slider = { key: 'seed', label: 'Seed', min: 1, max: 20, step: 1, value: 1 };

/** For two models of so many triangles at their finest. */
function contactLevels(triangles: number, detail: number): readonly Slider[] {
  return [
    {
      ...{ key: 'error', label: 'Error permitted', min: 0.05, max: 8, step: 0.05, value: 2, live: true },
      text: (v) => `${v.toFixed(2)} mm`,
    },
    {
      ...{ key: 'detail', label: 'Triangles', min: 1, max: 4, step: 1, value: detail },
      text: (v) => `${Math.round(triangles / (6 - v) ** 2 / 1000)} thousand`,
    },
  ];
}

export const DEMOS: readonly DemoInfo[] = [
  {
    id: 'tori',
    title: 'Soft tori',
    says: 'Soft rings fall into a tray, bend and pile up. No step ends with an intersection.',
    sliders: [{ key: 'count', label: 'Rings', min: 2, max: 14, step: 1, value: 6 }, FRICTION, SEED],
  },
  {
    id: 'cloth',
    title: 'Cloth',
    says: 'A cloth falls over a ball that begins to turn, folds and lies on itself, as thick as paper.',
    sliders: [
      { key: 'vertices', label: 'Vertices a side', min: 20, max: 90, step: 5, value: 40 },
      { ...FRICTION, value: 0.5 },
    ],
  },
  {
    id: 'breaking',
    title: 'Breaking',
    says: 'A vase holds together until a ball strikes it. Its shards are separate bodies, which collide and come to rest.',
    sliders: [
      { key: 'pieces', label: 'Pieces', min: 8, max: 60, step: 4, value: 36 },
      {
        key: 'speed',
        label: 'Speed of the ball',
        min: 2,
        max: 20,
        step: 1,
        value: 9,
        text: (v) => `${v} m/s`,
      },
      SEED,
    ],
  },
  {
    id: 'nut-bolt',
    title: 'A nut on a bolt',
    says: 'A torque turns a nut down a bolt. Nothing guides it but the contact of the two threads, triangle by triangle.',
    sliders: [
      { key: 'columns', label: 'Corners around', min: 24, max: 96, step: 6, value: 36 },
      { key: 'speed', label: 'Speed', min: 1, max: 12, step: 1, value: 4, text: (v) => `${v} rad/s` },
      { ...FRICTION, max: 0.5, value: 0.1 },
    ],
  },
  {
    id: 'spoon-cup',
    title: 'A spoon in a cup',
    says: 'A spoon falls into a cup, in slow motion. Where the two are near each other, convex patches stand for their triangles; the colour tells of which level of detail. The more error is permitted, the coarser these are. Nothing meets, whatever the error.',
    sliders: contactLevels(150_016, 2),
  },
  {
    id: 'torus-peg',
    title: 'A torus on a peg',
    says: 'A wrinkled torus winds its way down a peg like a corkscrew, in slow motion. The colour tells of which level of detail the patches are that stand for the triangles near the other: as fine as the permitted error asks for.',
    sliders: contactLevels(64_160, 3),
  },
  {
    id: 'culling',
    title: '10 000 moving objects',
    says: 'Cylinders fly about, two million triangles. Boxes that meet are paired on the graphics card, or on the CPU where there is none, and the triangles in them decided exactly; those that meet another are marked. The paper’s way, which draws everything and drops what lies in front of or behind all that it might meet, can be switched on. It finds the same and takes longer.',
    sliders: [
      { key: 'count', label: 'Objects', min: 1000, max: 10000, step: 1000, value: 10000 },
      {
        ...{ key: 'density', label: 'Density', min: 0.01, max: 0.1, step: 0.005, value: 0.055 },
        text: (v) => `${(100 * v).toFixed(1)} %`,
      },
      {
        ...{ key: 'visibility', label: 'Visibility', min: 0, max: 1, step: 1, value: 0 },
        text: (v) => (v === 0 ? 'off' : 'on, where there is WebGPU'),
      },
    ],
  },
  {
    id: 'levels',
    title: 'Levels of detail',
    says: 'The same representation is drawn and queried. Where an error is permitted, coarser pieces stand for the surface, and the distance of the ball comes as two bounds that hold for the original.',
    sliders: [
      {
        ...{ key: 'error', label: 'Error permitted', min: 0, max: 2, step: 0.05, value: 0.4, live: true },
        text: (v) => (v === 0 ? 'none' : `${v.toFixed(2)} % of the size`),
      },
      {
        ...{ key: 'steps', label: 'Triangles', min: 60, max: 220, step: 20, value: 140 },
        text: (v) => `${Math.round((4 * v * v) / 1000)} thousand`,
      },
    ],
  },
  {
    id: 'puzzle',
    title: 'A puzzle, solved',
    says: 'Two bent tubes, linked, come apart only through their gaps. A way is looked for as you watch, proved for every instant of it, and then shown there and back. It takes seconds, and is another for each seed.',
    sliders: [
      {
        ...{ key: 'gap', label: 'Gaps wider than the tubes', min: 1, max: 40, step: 1, value: 20 },
        text: (v) => `by ${v} %`,
      },
      SEED,
    ],
  },
];
