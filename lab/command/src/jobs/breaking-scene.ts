/** A vase of pieces that hold together until a heavy ball strikes it. */
import { type Body, type BodyLook, breakable, fixedBody, rigidBody, shatter } from '@impinge/dynamics';
import { breaking, standing } from '@impinge/scenes/deform';
import { PALETTE, sceneryLook } from './scene-colours.js';

/** Well below the width of the seams, 4 mm: otherwise parts would touch as soon as they separate. */
const THICKNESS = 0.0015;
const PIECES = 36;

const BALL = [0.3, 0.31, 0.34] as const;
const VASE = [0.82, 0.6, 0.45] as const;
/** Colours of shards, in the order of their appearance. */
const SHARDS = [...PALETTE, VASE];

export function breakingScene({ seed }: { readonly seed: number }) {
  const scene = breaking({ seed });
  const positions = standing(scene.vase.positions, 2 * THICKNESS);
  const fracture = shatter({ ...scene.vase, positions }, { pieces: PIECES, seed });
  const vase = breakable(fracture, { density: scene.vaseDensity });
  const ball = rigidBody(scene.ball, { density: scene.ballDensity, velocity: scene.ballVelocity });
  const floor = fixedBody(scene.floor);
  const looks = new Map<Body, BodyLook>([
    [floor, sceneryLook()],
    [ball, { colour: BALL }],
    [vase, { colour: VASE }],
  ]);
  const known = looks.size;
  return {
    name: 'breaking',
    title: `A vase of ${fracture.pieceCount} pieces`,
    bodies: [floor, vase, ball],
    options: { dt: 1 / 240, thickness: THICKNESS, friction: 0.5 },
    steps: 480,
    frames: 61,
    lookOf: (body: Body) => {
      let look = looks.get(body);
      if (!look) {
        look = { colour: SHARDS[(looks.size - known) % SHARDS.length] };
        looks.set(body, look);
      }
      return look;
    },
  };
}
