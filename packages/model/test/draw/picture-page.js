// In a page: a closed model drawn by the example's view over a loud background, and what is wrong with the pictures.
import { Mesh } from 'impinge';
import {
  Color,
  DirectionalLight,
  FrontSide,
  Group,
  HemisphereLight,
  Matrix4,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { LevelView } from '../../../../examples/draw/level-view.js';
import { Shelves } from '../../../../examples/draw/shelves.js';
import { buildLevels, readPieces } from '../../src/index.js';

const SIZE = 320;
/** Nothing that is drawn has this colour. */
const LOUD = [255, 0, 255];
/** In the directory: no group. */
const NONE = 0xffffffff;

const renderer = new WebGLRenderer({ antialias: false });
renderer.setPixelRatio(1);
renderer.setSize(SIZE, SIZE);
renderer.setClearColor('#ff00ff');

/** A sphere with bumps of all sizes, like a scan. */
function bumpySphere(columns, rows) {
  const positions = [];
  const indices = [];
  const bump = (x, y, z) =>
    [2, 5, 11, 23].reduce(
      (sum, f) => sum + (Math.sin(f * x + f) * Math.sin(f * y) * Math.cos(f * z)) / f / 6,
      1,
    );
  const push = (x, y, z) => positions.push(...[x, y, z].map((c) => c * bump(x, y, z)));
  push(0, 0, 1);
  for (let j = 1; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const [u, v] = [(2 * Math.PI * i) / columns, (Math.PI * j) / rows];
      push(Math.cos(u) * Math.sin(v), Math.sin(u) * Math.sin(v), Math.cos(v));
    }
  }
  push(0, 0, -1);
  const at = (i, j) => 1 + (j - 1) * columns + (i % columns);
  const last = positions.length / 3 - 1;
  for (let i = 0; i < columns; i++) {
    indices.push(0, at(i, 1), at(i + 1, 1), last, at(i + 1, rows - 1), at(i, rows - 1));
    for (let j = 1; j < rows - 1; j++) {
      indices.push(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i + 1, j));
    }
  }
  return { positions, indices };
}

let model;

/** Makes the model; tells how many pieces and triangles it has. */
export async function make(columns, rows) {
  const mesh = Mesh.from(bumpySphere(columns, rows));
  model = await buildLevels(mesh, { pieceTriangles: 1024 });
  mesh.dispose();
  return { pieces: model.pieceCount, triangles: model.triangleCount };
}

function cameraAt(position, target) {
  const camera = new PerspectiveCamera(40, 1, 0.01, 100);
  camera.up.set(0, 0, 1);
  camera.position.set(...position);
  camera.lookAt(...target);
  camera.updateMatrixWorld();
  return camera;
}

const material = () => new MeshLambertMaterial({ flatShading: true, side: FrontSide });

/** Only front faces are drawn: whoever looks through a crack sees the back, which is not, and so the background. */
function stage() {
  const view = new LevelView(model, { material: material() });
  const scene = new Scene();
  const light = new DirectionalLight('#ffffff', 2);
  light.position.set(1, -2, 3);
  scene.add(view.group, light, new HemisphereLight('#ffffff', '#666666', 1));
  return { view, scene };
}

const later = () => new Promise((resolve) => setTimeout(resolve));

function picture(scene, camera) {
  const pixels = new Uint8Array(4 * SIZE * SIZE);
  renderer.render(scene, camera);
  const gl = renderer.getContext();
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
}

/** Selects and loads until everything is there. */
async function drawn(camera, options) {
  const { view, scene } = stage();
  const asked = { width: SIZE, height: SIZE, ...options };
  while (!view.update(camera, asked).complete) while (view.loading > 0) await later();
  return { pixels: picture(scene, camera), front: view.front, view, scene, asked };
}

const isLoud = (pixels, i) => LOUD.every((value, k) => pixels[4 * i + k] === value);

/** Pixels within `reach` of (x, y): whether all, or any, have what `test` asks. */
function around(i, reach, test, how) {
  const [x, y] = [i % SIZE, Math.floor(i / SIZE)];
  const near = [];
  for (let v = Math.max(0, y - reach); v <= Math.min(SIZE - 1, y + reach); v++) {
    for (let u = Math.max(0, x - reach); u <= Math.min(SIZE - 1, x + reach); u++) near.push(v * SIZE + u);
  }
  return near[how](test);
}

/** Background well within the model's outline, model well outside it, and how much the shading differs in between. */
function differences(whole, pixels, reach) {
  let [cracks, beyond, shared, shade] = [0, 0, 0, 0];
  for (let i = 0; i < SIZE * SIZE; i++) {
    if (isLoud(pixels, i)) {
      if (!isLoud(whole, i) && around(i, reach, (j) => !isLoud(whole, j), 'every')) cracks++;
    } else if (isLoud(whole, i)) {
      if (around(i, reach, (j) => isLoud(whole, j), 'every')) beyond++;
    } else {
      shared++;
      for (let k = 0; k < 3; k++) shade += Math.abs(whole[4 * i + k] - pixels[4 * i + k]) / 3;
    }
  }
  return { cracks, beyond, covered: shared, shade: shade / shared };
}

/**
 * The picture at an error, or within a budget, against that of all triangles; and those that are drawn while some of
 * the pieces are missing.
 */
export async function compare(position, target, options, reach) {
  const camera = cameraAt(position, target);
  const { pixels: whole, front: all } = await drawn(camera, { pixelError: 0 });
  const { pixels, front, view, scene, asked } = await drawn(camera, options);
  const { pieceLevel, pieceInto } = model.directory;
  const missing = [];
  for (const every of [2, 5, 11]) {
    const some = front.pieces.filter((piece, i) => i % every === 0 && pieceInto[piece] !== NONE);
    view.drawing.dropped(some);
    const { pixelError } = view.update(camera, asked);
    const { cracks } = differences(whole, picture(scene, camera), reach + Math.ceil(pixelError));
    missing.push({ cracks, pixelError });
    view.drawing.loaded(some);
  }
  return {
    ...differences(whole, pixels, reach),
    missing,
    levels: new Set(Array.from(front.pieces, (piece) => pieceLevel[piece])).size,
    pixelError: front.pixelError,
    share: front.triangles / all.triangles,
  };
}

/** The same with every piece drawn together a little: what cracks look like. */
export async function compareCracked(position, target, options, reach) {
  const camera = cameraAt(position, target);
  const { pixels: whole } = await drawn(camera, { pixelError: 0 });
  const { scene, front, view } = await drawn(camera, options);
  scene.remove(view.group);
  const group = new Group();
  scene.add(group);
  const shelves = new Shelves(group, material());
  for (const arrays of await readPieces(model, front.pieces)) {
    shelves.add(arrays);
    const box = model.directory.pieceBox.subarray(6 * arrays.piece, 6 * arrays.piece + 6);
    const middle = new Vector3(...[0, 1, 2].map((k) => (box[k] + box[k + 3]) / 2));
    const shrunk = new Matrix4().makeScale(0.97, 0.97, 0.97).setPosition(middle.multiplyScalar(0.03));
    shelves.place(arrays.piece, shrunk, new Color('#ffffff'));
  }
  return differences(whole, picture(scene, camera), reach);
}
