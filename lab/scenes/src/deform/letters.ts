/** Letters in a loose stack above a tray. Paper: HASH, benchmark 3 and figure 6. */
import { Random, seedOf } from '../random.js';
import { cellOf, cubeSide } from './cells.js';
import { alphabet, type LetterShape } from './letter.js';
import { placed, type SceneMesh, type ScenePose } from './scene-mesh.js';
import { START_GAP, tray } from './surfaces.js';
import { randomPose } from './turning.js';

export interface LettersOptions {
  /** Default 1 014: 39 of each. */
  readonly count?: number;
  /** Default 1. */
  readonly seed?: number;
}

export interface PlacedLetter extends SceneMesh {
  /** The shape it is a copy of; its indices are the shape's own array. */
  readonly shape: number;
  /** From the shape to its place: `positions` are the shape's, posed and rounded to float32. */
  readonly pose: ScenePose;
}

export interface LettersScene {
  readonly tray: SceneMesh;
  /** A to Z, each about its own origin with its lattice. */
  readonly shapes: readonly LetterShape[];
  readonly letters: readonly PlacedLetter[];
}

/** Equal numbers of all letters as far as possible, shuffled, each randomly turned in its own ball. */
export function letters({ count = 1014, seed = 1 }: LettersOptions = {}): LettersScene {
  const random = new Random(seedOf(seed, 26));
  const shapes = alphabet();
  const order = Array.from({ length: count }, (_, i) => i % shapes.length);
  for (let i = count - 1; i > 0; i--) {
    const j = random.integer(0, i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  const spacing = 2 * Math.max(...shapes.map((shape) => shape.radius)) + 4 * START_GAP;
  const columns = cubeSide(count);
  const side = columns * spacing;
  const copies = order.map((number, i): PlacedLetter => {
    const shape = shapes[number];
    const slack = spacing - 2 * shape.radius - START_GAP;
    const [x, y, z] = cellOf(i, columns).map((c) => (c + 0.5) * spacing + (random.next() - 0.5) * slack);
    const pose = randomPose(random, x - side / 2, y + START_GAP, z - side / 2);
    return { ...placed(shape, pose, `${shape.name} ${i + 1}`), shape: number, pose };
  });
  return { tray: tray(side + spacing, 3 * spacing, 16), shapes, letters: copies };
}
