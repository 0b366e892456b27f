/** The selection by its definition: every step looked at, every set of steps made one by one. */
import { toRigidPose } from 'impinge/internal/math/pose.js';
import type { DrawCamera } from '../../src/draw/camera.js';
import type { LevelModel, SelectLevelsOptions } from '../../src/draw/types.js';

interface Step {
  readonly object: number;
  readonly inputs: number[];
  readonly outputs: number[];
  error: number;
  deviation: number;
  box: number[];
  isTaken: boolean;
}

export interface Asked {
  readonly camera: DrawCamera;
  readonly pixelError: number;
  readonly collisionError: NonNullable<SelectLevelsOptions['collisionError']>;
  readonly budget: number;
  readonly isLoaded: ArrayLike<number>;
}

interface Known {
  readonly steps: readonly Step[];
  /** By "object:piece". */
  readonly makerOf: ReadonlyMap<string, Step>;
  readonly takerOf: ReadonlyMap<string, Step>;
}
const known = new WeakMap<LevelModel, Known>();

function stepsOf(model: LevelModel): Known {
  const found = known.get(model) ?? findSteps(model);
  known.set(model, found);
  return found;
}

function findSteps({ directory: d }: LevelModel): Known {
  const steps: Step[] = [];
  const makerOf = new Map<string, Step>();
  const takerOf = new Map<string, Step>();
  for (let object = 0; object < d.objectShape.length; object++) {
    const shape = d.objectShape[object];
    const pieces = range(d.shapeFirstPiece[shape], d.shapeFirstPiece[shape + 1]);
    const levels = [...new Set(pieces.map((p) => d.pieceLevel[p]))].sort((a, b) => a - b).slice(1);
    for (const level of levels) {
      const made = pieces.filter((p) => d.pieceLevel[p] === level);
      for (const group of new Set(made.map((p) => d.pieceGroup[p]))) {
        const outputs = made.filter((p) => d.pieceGroup[p] === group);
        const inputs = pieces.filter(
          (p) => d.pieceInto[p] === group && d.pieceLevel[p] < level && !takerOf.has(`${object}:${p}`),
        );
        const below = inputs.flatMap((p) => makerOf.get(`${object}:${p}`) ?? []);
        const boxes = [...inputs, ...outputs].map((p) => range(6 * p, 6 * p + 6).map((i) => d.pieceBox[i]));
        const step = {
          ...{ object, inputs, outputs, isTaken: false },
          error: Math.max(...outputs.map((p) => d.pieceOut[p] + d.pieceIn[p]), ...below.map((s) => s.error)),
          deviation: Math.max(
            ...outputs.flatMap((p) => [d.pieceOut[p], d.pieceIn[p]]),
            ...below.map((s) => s.deviation),
          ),
          box: union([...boxes, ...below.map((s) => s.box)]),
        };
        steps.push(step);
        for (const p of inputs) takerOf.set(`${object}:${p}`, step);
        for (const p of outputs) makerOf.set(`${object}:${p}`, step);
      }
    }
  }
  return { steps, makerOf, takerOf };
}

/** "object:piece" of what is to be drawn, sorted. */
export function frontByDefinition(model: LevelModel, asked: Asked): string[] {
  const d = model.directory;
  const { steps, makerOf, takerOf } = stepsOf(model);
  const keys = new Map(steps.map((step) => [step, keyOf(d, step, asked.camera)]));
  const isHeld = (step: Step) => {
    const { collisionError: most } = asked;
    const world = placedCorners(d, step.object, step.box);
    const box = Float64Array.from(union(world.map((p) => [...p, ...p])));
    if (typeof most === 'number') return step.error > most;
    if (typeof most === 'function') return step.error > most(box);
    return (
      step.error > most.error &&
      range(0, 3).every((k) => box[k] <= most.box[k + 3] && box[k + 3] >= most.box[k])
    );
  };
  for (const step of steps) step.isTaken = keys.get(step)! <= asked.pixelError && !isHeld(step);

  const front = () => {
    const found: [number, number][] = [];
    for (let object = 0; object < d.objectShape.length; object++) {
      const shape = d.objectShape[object];
      for (const p of range(d.shapeFirstPiece[shape], d.shapeFirstPiece[shape + 1])) {
        const [maker, taker] = [makerOf.get(`${object}:${p}`), takerOf.get(`${object}:${p}`)];
        if ((maker === undefined || maker.isTaken) && !taker?.isTaken) found.push([object, p]);
      }
    }
    return found;
  };
  const inView = new Map<string, number>();
  const triangles = () =>
    front().reduce((sum, [object, p]) => {
      const key = `${object}:${p}`;
      const box = range(6 * p, 6 * p + 6).map((i) => d.pieceBox[i]);
      const own = inView.get(key) ?? (isOutside(d, object, box, asked.camera) ? 0 : d.pieceTriangles[p]);
      inView.set(key, own);
      return sum + own;
    }, 0);
  // by how large they look; tests of budgets have no two that look alike
  const order = steps.filter((step) => !isHeld(step)).sort((a, b) => keys.get(a)! - keys.get(b)!);
  for (const step of asked.budget < Infinity ? order : []) {
    if (step.isTaken) continue;
    if (triangles() <= asked.budget) break;
    step.isTaken = true;
  }
  for (;;) {
    const missing = front().find(([object, p]) => asked.isLoaded[p] === 0 && takerOf.has(`${object}:${p}`));
    if (!missing) break;
    take(takerOf.get(`${missing[0]}:${missing[1]}`)!, makerOf);
  }
  return front()
    .filter(([, p]) => asked.isLoaded[p] === 1)
    .map((placed) => placed.join(':'))
    .sort();
}

function take(step: Step, makerOf: ReadonlyMap<string, Step>): void {
  for (const p of step.inputs) {
    const maker = makerOf.get(`${step.object}:${p}`);
    if (maker && !maker.isTaken) take(maker, makerOf);
  }
  step.isTaken = true;
}

type Directory = LevelModel['directory'];

/** How many pixels a step's error may look like; of what is not in view, an eighth of the ratio counts. */
function keyOf(d: Directory, step: Step, camera: DrawCamera): number {
  const { pose, projection, height } = camera;
  const p = projection as ArrayLike<number>;
  const pixels = (p[5] * height) / 2;
  const weight = isOutside(d, step.object, step.box, camera) ? 1 / 8 : 1;
  if (p[11] === 0) return weight * step.deviation * pixels;
  if (step.deviation === 0) return 0;
  const eye = [...toRigidPose(pose).subarray(9)];
  // from the eye to the nearest point of the box, in the frame of the object
  const [r, t] = [d.objectPose, 12 * step.object];
  const local = [0, 1, 2].map((k) =>
    [0, 1, 2].reduce((sum, i) => sum + r[t + 3 * i + k] * (eye[i] - r[t + 9 + i]), 0),
  );
  const away = local.map((x, k) => x - Math.min(Math.max(x, step.box[k]), step.box[k + 3]));
  const ratio = (weight * step.deviation) / Math.max(1e-100, Math.hypot(...away));
  return ratio < Math.SQRT2 ? pixels * Math.tan(2 * Math.asin(ratio / 2)) : 1e9 * ratio;
}

function placedCorners(d: Directory, object: number, box: readonly number[]): number[][] {
  const p = d.objectPose;
  const at = 12 * object;
  return range(0, 8).map((corner) => {
    const x = [0, 1, 2].map((k) => box[k + 3 * ((corner >> k) & 1)]);
    return [0, 1, 2].map(
      (i) => p[at + 3 * i] * x[0] + p[at + 3 * i + 1] * x[1] + p[at + 3 * i + 2] * x[2] + p[at + 9 + i],
    );
  });
}

/** All corners beyond one side of the picture, or all behind the camera. */
function isOutside(d: Directory, object: number, box: readonly number[], camera: DrawCamera): boolean {
  const c = toRigidPose(camera.pose);
  const m = camera.projection as ArrayLike<number>;
  const clip = placedCorners(d, object, box).map((corner) => {
    const away = corner.map((x, k) => x - c[9 + k]);
    const [x, y, z] = [0, 1, 2].map((k) => c[k] * away[0] + c[3 + k] * away[1] + c[6 + k] * away[2]);
    return [0, 1, 3].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
  });
  return [
    ([x, , w]: number[]) => x < -w,
    ([x, , w]: number[]) => x > w,
    ([, y, w]: number[]) => y < -w,
    ([, y, w]: number[]) => y > w,
    ([, , w]: number[]) => w < 0,
  ].some((isBeyond) => clip.every(isBeyond));
}

function union(boxes: readonly (readonly number[])[]): number[] {
  return range(0, 6).map((k) => {
    const values = boxes.map((box) => box[k]);
    return k < 3 ? Math.min(...values) : Math.max(...values);
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
