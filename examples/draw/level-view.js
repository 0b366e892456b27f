// A model with levels in a three.js scene: selects, loads, draws, and drops what is no longer needed.
import { Drawing, readPieces } from '@impinge/model';
import { Color, DoubleSide, Group, Matrix4, MeshLambertMaterial } from 'three';
import { Shelves } from './shelves.js';

/** Requests at a time, and how far from its most urgent piece each goes in the file. */
const REQUESTS = 6;
const REACH_BYTES = 2 ** 17;

const colors = (...texts) => texts.map((text) => new Color(text));
/** Of what is exact, then coarser and coarser. */
const LEVELS = colors(
  ...['#f4f4f0', '#ffe28f', '#ffc24f', '#ff9a52', '#f7745f', '#df5a80', '#b254a3', '#7f57b8', '#5164c0'],
);
const [PLAIN, STRUCTURE] = colors('#c6c9c4', '#98a3ad');
/** Of other disciplines, one after the other. */
const DISCIPLINES = colors(
  ...['#c98f6b', '#d8d2c4', '#dcae4e', '#a9c1d3', '#7fb091', '#6a9cc4', '#8c9aa8', '#b59bb8'],
);

export class LevelView {
  /** To be added to a scene. */
  group = new Group();
  /** What the scene counts from, in the model's coordinates: float32 is enough from there. */
  origin;
  model;
  drawing;
  front;
  loading = 0;
  byLevel = false;
  #memory;
  #shelves;
  #origins = new Map();
  #placed = new Map();
  /** What is to be loaded, the most urgent last, and what is on its way. */
  #queue = [];
  #requested = new Set();
  #onLoad;
  #onError;
  #disciplines;

  constructor(
    model,
    { origin = [0, 0, 0], memory = 512e6, material, onLoad = () => {}, onError = console.error } = {},
  ) {
    this.model = model;
    this.origin = origin;
    this.drawing = new Drawing(model);
    this.#memory = memory;
    this.#onLoad = onLoad;
    this.#onError = onError;
    this.#disciplines = model.texts('discipline');
    const lit = new MeshLambertMaterial({ flatShading: true, side: DoubleSide });
    this.#shelves = new Shelves(this.group, material ?? lit);
  }

  get bytes() {
    return this.#shelves.bytes;
  }

  /** Selects what the camera needs, shows what is there of it, and asks for the rest. */
  update(camera, { width, height, ...options }) {
    const pose = {
      rotation: camera.getWorldQuaternion(camera.quaternion.clone()).toArray(),
      translation: camera
        .getWorldPosition(camera.position.clone())
        .toArray()
        .map((x, k) => x + this.origin[k]),
    };
    const projection = camera.projectionMatrix.elements;
    this.front = this.drawing.selectLevels({ camera: { pose, projection, width, height }, ...options });
    this.#queue = [...this.front.fetch].filter((piece) => !this.#requested.has(piece)).reverse();
    this.#show();
    this.#load();
    return this.front;
  }

  setByLevel(byLevel) {
    this.byLevel = byLevel;
    for (const { object, piece, instance } of this.#placed.values())
      instance.setColor(this.#color(object, piece));
  }

  #show() {
    const { appeared, vanished, objects, pieces, visible } = this.front;
    const key = (object, piece) => object * this.model.pieceCount + piece;
    vanished.pieces.forEach((piece, i) => {
      const at = key(vanished.objects[i], piece);
      this.#placed.get(at).instance.remove();
      this.#placed.delete(at);
    });
    appeared.pieces.forEach((piece, i) => {
      const object = appeared.objects[i];
      const instance = this.#shelves.place(piece, this.#matrix(object, piece), this.#color(object, piece));
      this.#placed.set(key(object, piece), { object, piece, instance, isVisible: true });
    });
    pieces.forEach((piece, i) => {
      const placed = this.#placed.get(key(objects[i], piece));
      if (placed.isVisible === (visible[i] === 1)) return;
      placed.isVisible = visible[i] === 1;
      placed.instance.setVisible(placed.isVisible);
    });
  }

  /** Keeps a few requests under way, whatever the frame rate. */
  #load() {
    while (this.loading < REQUESTS && this.#queue.length > 0) this.#request(this.#next());
    if (this.bytes > this.#memory) this.#drop();
  }

  /** The most urgent piece, and others that lie near it: a model of many objects is of many little pieces. */
  #next() {
    const { pieceByteOffset } = this.model.directory;
    const at = pieceByteOffset[this.#queue.at(-1)];
    const isNear = (piece) => Math.abs(pieceByteOffset[piece] - at) <= REACH_BYTES;
    const next = this.#queue.filter(isNear);
    this.#queue = this.#queue.filter((piece) => !isNear(piece));
    return next;
  }

  async #request(pieces) {
    this.loading++;
    for (const piece of pieces) this.#requested.add(piece);
    try {
      for (const arrays of await readPieces(this.model, pieces)) {
        this.#shelves.add(arrays);
        this.#origins.set(arrays.piece, arrays.origin);
      }
      this.drawing.loaded(pieces);
      for (const piece of pieces) this.#requested.delete(piece);
    } catch (error) {
      this.#onError(error); // these are not asked for again
    }
    this.loading--;
    this.#load();
    this.#onLoad();
  }

  /** Goes well below the cap, so that this is not needed again at once. */
  #drop() {
    const dropped = [];
    for (const piece of this.drawing.unneeded()) {
      if (this.bytes < 0.8 * this.#memory) break;
      this.#shelves.remove(piece);
      dropped.push(piece);
    }
    this.drawing.dropped(dropped);
  }

  #matrix(object, piece) {
    const p = this.drawing.pose(object);
    const o = this.#origins.get(piece);
    const [x, y, z] = [0, 1, 2].map(
      (k) => p[3 * k] * o[0] + p[3 * k + 1] * o[1] + p[3 * k + 2] * o[2] + (p[9 + k] - this.origin[k]),
    );
    return new Matrix4().set(p[0], p[1], p[2], x, p[3], p[4], p[5], y, p[6], p[7], p[8], z, 0, 0, 0, 1);
  }

  #color(object, piece) {
    if (this.byLevel) return levelColor(this.model.directory.pieceLevel[piece]);
    const { discipline } = this.model.object(object);
    if (this.#disciplines.length < 2) return PLAIN;
    if (discipline === 'structure') return STRUCTURE;
    return DISCIPLINES[this.#disciplines.indexOf(discipline) % DISCIPLINES.length];
  }
}

export function levelColor(level) {
  return LEVELS[Math.min(level, LEVELS.length - 1)];
}
