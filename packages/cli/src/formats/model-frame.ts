/**
 * The relative placement of a model's files: set by hand, else as stated in the files.
 *
 * The model has the coordinates of its first georeferenced file. Files that are neither georeferenced nor placed by
 * hand are assumed to be in these coordinates already; every step and assumption is reported.
 */
import type { FileSetting } from './file-settings.js';
import { type Georeference, isSameCrs, poseBetween } from './georeference.js';
import type { ModelSource } from './model-source.js';
import { composed } from './placed-shape.js';

/** (x, y, z) ↦ (x, z, −y): undoes the conversion from Y up to Z up. */
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
  /** The same without the rotation to Z up. */
  readonly place: ArrayLike<number> | undefined;
  /** Notes about the placement; complete once all files have been added. */
  readonly notes: readonly string[];
}

export class ModelFrame {
  readonly #files: FramedFile[] = [];
  #frame: (FramedFile & { readonly georeference: Georeference }) | undefined;
  #isMoved = false;

  /** The location of the model on the map, if one of its files states it. */
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
   * Notes files without a location among files with one; of formats that never state one only where other files were
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
