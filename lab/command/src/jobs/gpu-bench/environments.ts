/** The scenes of `lab bench gpu`: the environments of the CULLIDE paper with its times, larger ones, and its sweeps. */
import type { CullerOptions } from '@impinge/gpu';
import {
  breakingDragon,
  bunnyDragon,
  type CylindersOptions,
  cylinders,
  type MovingScene,
  movingCylinders,
  type ScanOptions,
  tori,
} from '@impinge/scenes/gpu';

export interface Environment {
  readonly name: string;
  readonly title: string;
  readonly frames: number;
  /** Number of frames to skip, until objects meet. */
  readonly skipped?: number;
  /** Milliseconds per query in the paper, at 800 × 800 on a GeForce FX 5800 Ultra. */
  readonly paperMs?: number;
  /** Whether it contains the bunny and the dragon. */
  readonly scans?: boolean;
  make(seed: number, scans: ScanOptions): MovingScene;
}

export const ENVIRONMENTS: readonly Environment[] = [
  {
    name: 'cylinders',
    title: '100 deforming cylinders',
    frames: 200,
    paperMs: 4,
    make: (seed) => cylinders({ seed }),
  },
  { name: 'tori', title: '6 deforming tori', frames: 100, paperMs: 8, make: (seed) => tori({ seed }) },
  { name: 'tori-10', title: '10 deforming tori', frames: 100, make: (seed) => tori({ count: 10, seed }) },
  {
    name: 'bunny-dragon',
    title: 'bunny through dragon',
    frames: 60,
    skipped: 22,
    paperMs: 40,
    scans: true,
    make: (_, scans) => bunnyDragon(scans),
  },
  {
    name: 'breaking',
    title: 'bunny breaks dragon',
    frames: 60,
    skipped: 16,
    paperMs: 35,
    scans: true,
    make: (seed, scans) => breakingDragon({ ...scans, seed }),
  },
  {
    name: 'moving',
    title: '10,000 moving cylinders',
    frames: 40,
    make: (seed) => movingCylinders({ seed }),
  },
  {
    name: 'moving-sparse',
    title: '10,000 moving cylinders, 1.5 % density',
    frames: 40,
    make: (seed) => movingCylinders({ density: 0.015, seed }),
  },
];

/** The same scene at several sizes: one of the paper's figures, or the one it lacks. */
export interface Sweep {
  readonly name: 'objects' | 'triangles' | 'resolution' | 'moving';
  readonly title: string;
  readonly xLabel: string;
  readonly frames: number;
  readonly values: readonly number[];
  /** The culler's options for a value. */
  culling(value: number): CullerOptions;
  make(value: number, seed: number): MovingScene;
}

/** The paper's figures: "1–2 %". */
const SWEEP_DENSITY = 0.015;

const sweepScene = (options: CylindersOptions) => cylinders({ density: SWEEP_DENSITY, ...options });

export const SWEEPS: readonly Sweep[] = [
  {
    name: 'objects',
    title: 'Deforming cylinders of 200 triangles (figure 2 of the paper)',
    xLabel: 'objects',
    frames: 20,
    values: [25, 50, 100, 200, 400, 800, 1600, 3200, 10_000],
    culling: () => ({}),
    make: (count, seed) => sweepScene({ count, seed }),
  },
  {
    name: 'triangles',
    title: '100 deforming cylinders (figure 3 of the paper)',
    xLabel: 'triangles per object',
    frames: 20,
    values: [200, 500, 1000, 2000, 5000, 10_000],
    culling: () => ({}),
    make: (triangles, seed) => sweepScene({ triangles, seed }),
  },
  {
    name: 'resolution',
    title: '100 deforming cylinders of 200 triangles (figure 4 of the paper)',
    xLabel: 'pixels along a side',
    frames: 30,
    values: [100, 200, 400, 800, 1600, 3200],
    culling: (resolution) => ({ resolution }),
    make: (_, seed) => sweepScene({ seed }),
  },
  {
    name: 'moving',
    title: 'Cylinders of 200 triangles that move as they are',
    xLabel: 'objects',
    frames: 20,
    values: [25, 50, 100, 200, 400, 800, 1600, 3200, 10_000],
    culling: () => ({}),
    make: (count, seed) => movingCylinders({ count, density: SWEEP_DENSITY, seed }),
  },
];
