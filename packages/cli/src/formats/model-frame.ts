/**
 * Where the files of a model are to each other: by hand, else by what they say themselves.
 *
 * The coordinates of the model are those of its first file that says where it is on the map. Files that do not say so,
 * and are not placed by hand, are taken to be in these coordinates already; whatever was done or assumed is told.
 */
import type { FileSetting } from './file-settings.js';
import { type Georeference, isSameCrs, poseBetween } from './georeference.js';
import type { ModelSource } from './model-source.js';
import { composed } from './placed-shape.js';

/** (x, y, z) ↦ (x, z, −y): takes back that what is Y up became Z up. */
const Z_UP_TO_Y_UP = [1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0] as const;

interface FramedFile {
  readonly name: string;
  readonly georeference: Georeference | undefined;
  readonly mayHaveOne: boolean;
  readonly isByHand: boolean;
  readonly notes: string[];
  isNoted: boolean;
}

type Framed = Pick<ModelSource, 'georeference' | 'mayBeGeoreferenced' | 'isTurnedUp'>;

/** Where a file is. */
export interface FramedPlace {
  /** In metres; undefined: it stays where it is. */
  readonly pose: ArrayLike<number> | undefined;
  /** The same without what only turns it up. */
  readonly place: ArrayLike<number> | undefined;
  /** What is to be said about it; complete when all files are there. */
  readonly notes: readonly string[];
}

export class ModelFrame {
  readonly #files: FramedFile[] = [];
  #frame: (FramedFile & { readonly georeference: Georeference }) | undefined;
  #isMoved = false;

  /** Where the model is on the map, as far as one of its files says so. */
  get georeference(): Georeference | undefined {
    return this.#frame?.georeference;
  }

  /** Takes in the next file. */
  add(name: string, source: Framed, setting: FileSetting): FramedPlace {
    const { georeference, mayBeGeoreferenced: mayHaveOne } = source;
    const isByHand = setting.place !== undefined;
    const notes = isByHand ? ['placed by hand'] : [...(georeference?.notes ?? [])];
    const file: FramedFile = { name, georeference, mayHaveOne, isByHand, notes, isNoted: false };
    this.#files.push(file);
    if (georeference && !isByHand) this.#frame ??= { ...file, georeference };
    const place = setting.place ?? (georeference && this.#between(georeference, notes));
    const up = source.isTurnedUp && setting.up === 'z' ? Z_UP_TO_Y_UP : undefined;
    this.#noteUnplacedFiles();
    return { pose: up && place ? composed(place, up) : (up ?? place), place, notes };
  }

  #between(own: Georeference, notes: string[]): Float64Array | undefined {
    const frame = this.#frame;
    if (frame === undefined) return undefined;
    const pose = poseBetween(frame.georeference, own);
    if (!isSameCrs(frame.georeference.crs, own.crs)) {
      notes.push(
        `it is in ${crsText(own)}, ${frame.name} in ${crsText(frame.georeference)}: no conversion is made ` +
          'between them; use --place if that is wrong',
      );
    }
    if (Math.abs(own.scale - frame.georeference.scale) > 1e-6) {
      notes.push(`its map scale is ${own.scale}, that of ${frame.name} is ${frame.georeference.scale}`);
    }
    if (pose) {
      this.#isMoved = true;
      notes.push(`placed by its map conversion, ${placeText(pose)} ${frame.name}`);
    }
    return pose;
  }

  /**
   * Files that do not say where they are, among others that do; of kinds that never say so only where others were
   * moved.
   */
  #noteUnplacedFiles(): void {
    if (this.#frame === undefined) return;
    for (const file of this.#files) {
      const { georeference, isByHand, mayHaveOne, notes } = file;
      if (file.isNoted || georeference || isByHand || !(mayHaveOne || this.#isMoved)) continue;
      file.isNoted = true;
      notes.push(
        `it has no map position, and ${this.#frame.name} has one: ` +
          'assumed to share its coordinates; use --place otherwise',
      );
    }
  }
}

function crsText({ crs }: Georeference): string {
  return crs === '' ? 'an unnamed system' : crs;
}

/** `32.15 m away, turned by 60°, from`. */
function placeText(pose: ArrayLike<number>): string {
  const metres = Math.hypot(pose[9], pose[10], pose[11]);
  const away = metres < 1000 ? `${Number(metres.toFixed(3))} m` : `${Number((metres / 1000).toFixed(3))} km`;
  const cos = (pose[0] + pose[4] + pose[8] - 1) / 2;
  const degrees = Number(((Math.acos(Math.max(-1, Math.min(1, cos))) * 180) / Math.PI).toFixed(3));
  return degrees === 0 ? `${away} from` : `${away} away and turned by ${degrees}° from`;
}
