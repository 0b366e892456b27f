/**
 * IFC: one object per product that has triangles, tessellated by web-ifc (circles become polygons: curves.ts). Openings
 * are left out: they are not solid. Nor are grids, annotations and the members of analysis models. Spaces are rooms,
 * and no objects.
 *
 * A product that is one part in a rigid place is held back, so that all products with equal triangles share a shape;
 * one of several parts, or in a place that scales or mirrors, becomes a shape of its own in world coordinates.
 * Coordinates stay in the file's unit. Discipline: a word in the file's name ("plumbing", "STR"), else in the project's
 * name, else the file's name.
 */
import { createHash } from 'node:crypto';
import type { SourceObject, SourceShape } from '@impinge/model';
import { isRigid, type Matrix, multiply } from '../../matrix.js';
import { FormatError } from '../format-error.js';
import { LeftOutList, leftOutLines } from '../left-out.js';
import type { ModelSource, SourceOptions } from '../model-source.js';
import { ShapeSpill } from '../shape-spill.js';
import { type SourceFile, sourceOfFile } from '../source-file.js';
import { ObjectIds, poseFromYUp } from '../source-object.js';
import { ZipArchive } from '../zip-archive.js';
import { CurvedStatements, IfcCurves, LEAST_SEGMENTS } from './curves.js';
import { patchDangling } from './dangling.js';
import { disciplineOf } from './discipline.js';
import { IfcEngine, type IfcPart } from './engine.js';
import { GridPlacements } from './grid-placement.js';
import { IdSet } from './id-set.js';
import { IfcInfo, type IfcObjectInfo, type IfcProduct, objectId } from './info.js';
import { readRooms, readStoreys } from './landmarks.js';
import { readGeoreference } from './map-conversion.js';
import { assertUnfoldable } from './mapped-items.js';
import { readOpenings } from './openings.js';
import { ownAxes } from './own-axes.js';
import { partRounding } from './part-rounding.js';
import { bakedParts, weldedPart } from './part-shape.js';
import { checkStep } from './step-check.js';
import { readHeader } from './step-header.js';

const NOT_SOLID =
  /^Ifc(Opening.*|SpatialZone|External.*|Virtual.*|Voiding.*|Annotation|Grid|Structural.*|.*Port)$/;
const BATCH = 64;
/** Default curve error: a millimetre. */
const CURVE_ERROR = 1e-3;
/** How long web-ifc may think about one product. */
const STALL_MS = 120_000;

/** Products with the same triangles. */
interface Shared {
  /** In the spill. */
  readonly shape: number;
  readonly rounding: number;
  readonly products: IfcProduct[];
  readonly poses: Float64Array[];
}

/** `stallMs` is for tests. */
export async function ifcSource(
  path: string,
  options: SourceOptions,
  stallMs = STALL_MS,
): Promise<ModelSource> {
  const leftOut = new LeftOutList();
  const { onProgress, ...quiet } = options;
  return sourceOfFile(path, quiet, async (file) => {
    if (isZip(file)) await unpackIfc(file);
    const { schema, written } = readHeader(file);
    const curved = new CurvedStatements();
    const step = await checkStep(file.window(), curved);
    const broken = step.missing === undefined ? new IdSet() : await patchDangling(file, step, leftOut);
    const engine = await IfcEngine.open(
      path,
      file.fd,
      file.byteLength,
      {
        memoryBytes: options.memoryBytes / 2,
        stallMs,
        segments: LEAST_SEGMENTS,
        limits: file.growth.ofOne,
        ...(options.signal && { signal: options.signal }),
      },
      step.patches,
    );
    file.closeWith(() => engine.close());
    const info = await IfcInfo.read(engine, path);
    if (broken.has(info.projectId)) {
      throw new FormatError(path, 'its project or its units refer to missing entities', `#${info.projectId}`);
    }
    await assertUnfoldable(engine, path, file.growth.ofOne.mostParts);
    const grids = await GridPlacements.read(engine);
    const georeference = await readGeoreference(engine, info.metresPerUnit);
    const curves = await IfcCurves.read(file, engine, curved);
    const curveError = (options.curveError ?? CURVE_ERROR) / info.metresPerUnit;
    const reading = { leftOut, broken, grids, curves, curveError, onProgress };
    const reader = new IfcReader(file, engine, info, reading);
    return {
      format: `IFC, ${schema}`,
      ...(written && { written }),
      metresPerUnit: reader.metresPerUnit,
      georeference,
      projectId: info.projectGuid,
      shapes: () => reader.shapes(),
      landmarks: async () => ({
        grids: await grids.axes(),
        storeys: await readStoreys(engine, grids),
        rooms: await readRooms(engine, path, file.growth, LEAST_SEGMENTS),
        openings: await readOpenings(engine, path, file.growth, LEAST_SEGMENTS),
      }),
      precision: 0, // rounding is stated by each object
      leftOut,
    };
  });
}

function isZip(file: SourceFile): boolean {
  const head = new Uint8Array(2);
  file.read(head, 0);
  return head[0] === 0x50 && head[1] === 0x4b;
}

/** An ifcZIP archive holds one file. */
async function unpackIfc(file: SourceFile): Promise<void> {
  const archive = ZipArchive.open(file);
  const [name, ...others] = archive.names(/\.ifc$/i);
  if (others.length > 0)
    throw new FormatError(file.path, `holds ${1 + others.length} IFC files; unpack it first`);
  if (name !== undefined) return file.unpack(archive.read(name));
  throw archive.names(/\.ifcxml$/i).length > 0
    ? ifcXmlError(file.path)
    : new FormatError(file.path, 'holds no IFC file');
}

/**
 * ifcXML has the content of STEP by names instead of positions: reading it takes the whole schema, and it is not used
 * in practice.
 */
export async function ifcXmlSource(path: string): Promise<ModelSource> {
  throw ifcXmlError(path);
}

function ifcXmlError(path: string): FormatError {
  return new FormatError(path, 'is ifcXML, which is not supported; export it as .ifc');
}

interface IfcReading {
  readonly leftOut: LeftOutList;
  /** Entities that depend on something that is not there. */
  readonly broken: IdSet;
  readonly grids: GridPlacements;
  readonly curves: IfcCurves;
  /** In the file's unit. */
  readonly curveError: number;
  readonly onProgress: SourceOptions['onProgress'];
}

class IfcReader {
  readonly #file: SourceFile;
  readonly #engine: IfcEngine;
  readonly #info: IfcInfo;
  readonly #leftOut: LeftOutList;
  readonly #broken: IdSet;
  readonly #grids: GridPlacements;
  readonly #curves: IfcCurves;
  readonly #curveError: number;
  readonly #onProgress: SourceOptions['onProgress'];
  readonly #discipline: string;
  readonly #ids = new ObjectIds();
  readonly #spill: ShapeSpill;
  readonly #shared = new Map<string, Shared>();

  constructor(
    file: SourceFile,
    engine: IfcEngine,
    info: IfcInfo,
    { leftOut, broken, grids, curves, curveError, onProgress }: IfcReading,
  ) {
    this.#file = file;
    this.#engine = engine;
    this.#info = info;
    this.#leftOut = leftOut;
    this.#broken = broken;
    this.#grids = grids;
    this.#curves = curves;
    this.#curveError = curveError;
    this.#onProgress = onProgress;
    this.#discipline = disciplineOf(file.stem, info.projectName);
    this.#spill = new ShapeSpill(file, file.options.memoryBytes / 4);
  }

  get metresPerUnit(): number {
    return this.#info.metresPerUnit;
  }

  async *shapes(): AsyncGenerator<SourceShape> {
    const products = await this.#placeable(await this.#solidProducts());
    let count = 0;
    let ahead = this.#ask(products, 0);
    for (let i = 0; i < products.length; i += BATCH) {
      const asked = ahead;
      // the engine works on the next ones while these are being taken
      ahead = this.#ask(products, i + BATCH);
      const batch = products.slice(i, i + BATCH);
      for await (const shape of this.#ownShapes(...(await this.#placed(batch, await Promise.all(asked))))) {
        count++;
        yield shape;
      }
      const share = Math.min(1, (i + BATCH) / products.length);
      const total = this.#file.byteLength;
      this.#onProgress?.({ done: Math.floor(total * share), total });
    }
    for await (const shape of this.#sharedShapes()) {
      count++;
      yield shape;
    }
    if (count === 0) {
      const lines = leftOutLines(this.#leftOut.all);
      throw new FormatError(this.#file.path, ['no product in it has triangles', ...lines].join('; '));
    }
  }

  #ask(products: readonly IfcProduct[], from: number): Promise<readonly IfcPart[]>[] {
    return products.slice(from, from + BATCH).map(({ id }) => this.#engine.parts(id, this.#segments(id)));
  }

  #segments(product: number): number {
    return this.#curves.segments(product, this.#curveError);
  }

  /**
   * Grouped by the number of sides of a circle they need; else by number, which is the order of the file in nearly all
   * cases, and not that of a table of types.
   */
  async #solidProducts(): Promise<IfcProduct[]> {
    const products: IfcProduct[] = [];
    for (const { type, ids } of await this.#engine.elements()) {
      if (type === 'IfcSpace') continue;
      if (NOT_SOLID.test(type)) this.#leftOut.add('not solid', type, undefined, ids.length);
      else for (const id of ids) products.push({ id, type });
    }
    return products.sort((a, b) => this.#segments(a.id) - this.#segments(b.id) || a.id - b.id);
  }

  /** Products whose placement and shape have no missing entities; the rest are left out by name. */
  async #placeable(products: readonly IfcProduct[]): Promise<readonly IfcProduct[]> {
    const lost = products.filter(({ id }) => this.#broken.has(id));
    await this.#leaveOut(lost, 'placement or shape refer to missing entities');
    return lost.length === 0 ? products : products.filter(({ id }) => !this.#broken.has(id));
  }

  /** Moves products on grids to their place, or leaves them out. */
  async #placed(
    products: readonly IfcProduct[],
    partsOf: readonly (readonly IfcPart[])[],
  ): Promise<[IfcProduct[], (readonly IfcPart[])[]]> {
    const places = await this.#grids.of(products.map(({ id }) => id));
    const kept: IfcProduct[] = [];
    const parts: (readonly IfcPart[])[] = [];
    for (const [i, product] of products.entries()) {
      const place = places.get(product.id);
      if (typeof place === 'string') {
        if (partsOf[i].length > 0) await this.#leaveOut([product], place);
        continue;
      }
      kept.push(product);
      parts.push(place === undefined ? partsOf[i] : partsOf[i].map((part) => movedPart(part, place)));
    }
    return [kept, parts];
  }

  async #leaveOut(products: readonly IfcProduct[], why: string): Promise<void> {
    for (let i = 0; i < products.length; i += BATCH) {
      const batch = products.slice(i, i + BATCH);
      const infos = await this.#info.of(batch);
      for (const [k, product] of batch.entries()) {
        this.#leftOut.add(why, product.type, nameOf(product, infos[k]));
      }
    }
  }

  /** The shapes of products that share theirs with no other; the rest are kept for later. */
  async *#ownShapes(
    products: readonly IfcProduct[],
    partsOf: readonly (readonly IfcPart[])[],
  ): AsyncGenerator<SourceShape> {
    const own: number[] = [];
    products.forEach((product, i) => {
      const parts = partsOf[i];
      if (parts.length === 1 && isRigid(parts[0].matrix)) this.#share(product, parts[0]);
      else own.push(i);
    });
    const infos = await this.#info.of(own.map((i) => products[i]));
    const axes = await ownAxes(
      infos.map(({ placement }) => placement),
      [],
      this.#grids,
    );
    for (let k = 0; k < own.length; k++) {
      this.#file.options.signal?.throwIfAborted();
      const product = products[own[k]];
      const parts = partsOf[own[k]];
      const info = infos[k];
      if (parts.length > 0) {
        const geometry = bakedParts(parts, (why) => this.#fail(product, why));
        yield { geometry, objects: [this.#object(product, info, undefined, axes[k], partRounding(parts))] };
      } else if (info.hasRepresentation || !info.isMadeOfOthers) {
        const why = info.hasRepresentation ? 'without triangles' : 'without a representation';
        this.#leftOut.add(why, product.type, nameOf(product, info));
      }
    }
  }

  #share(product: IfcProduct, part: IfcPart): void {
    const shape = weldedPart(part, (why) => this.#fail(product, why));
    const key = createHash('sha1').update(shape.positions).update(shape.indices).digest('base64');
    let shared = this.#shared.get(key);
    if (shared === undefined) {
      shared = { shape: this.#spill.add(shape), rounding: partRounding([part]), products: [], poses: [] };
      this.#shared.set(key, shared);
    }
    const pose = poseFromYUp(part.matrix);
    if (!pose.every(Number.isFinite)) throw this.#fail(product, 'its placement is not finite');
    shared.products.push(product);
    shared.poses.push(pose);
  }

  async *#sharedShapes(): AsyncGenerator<SourceShape> {
    const all = [...this.#shared.values()];
    for (let first = 0, next = 0; first < all.length; first = next) {
      const products: IfcProduct[] = [];
      while (next < all.length && products.length < BATCH) products.push(...all[next++].products);
      const infos = await this.#info.of(products);
      const axes = await ownAxes(
        infos.map(({ placement }) => placement),
        all.slice(first, next).flatMap(({ poses }) => poses),
        this.#grids,
      );
      let at = 0;
      for (const { shape, rounding, products: users, poses } of all.slice(first, next)) {
        this.#file.options.signal?.throwIfAborted();
        const objects = users.map((product, i) =>
          this.#object(product, infos[at + i], poses[i], axes[at + i], rounding),
        );
        at += users.length;
        yield { geometry: this.#spill.get(shape), objects };
      }
    }
  }

  #object(
    { id, type }: IfcProduct,
    info: IfcObjectInfo,
    pose: Float64Array | undefined,
    axes: number[] | undefined,
    rounding: number,
  ): SourceObject {
    const { name, path, properties, labels, relations } = info;
    const said = JSON.stringify([properties, labels, relations]);
    this.#file.growth.object(name.length + path.length + said.length);
    return {
      id: this.#ids.take(objectId(info.guid, id)),
      name: info.name,
      path: `${this.#file.stem}/${info.path}`,
      type,
      discipline: this.#discipline,
      file: this.#file.name,
      storey: info.storey,
      pose,
      ...(axes && { axes }),
      properties,
      ...(labels && { labels }),
      ...(relations && { relations }),
      rounding,
      curveError: this.#curves.errorOf(id, this.#segments(id)),
    };
  }

  #fail({ id, type }: IfcProduct, why: string): FormatError {
    return new FormatError(this.#file.path, why, `${type} #${id}`);
  }
}

/** (x, y, z) ↦ (x, z, −y), and back. */
const TO_Y_UP = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1] as const;
const FROM_Y_UP = [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1] as const;

/** A part after a motion that is given Z up. */
function movedPart(part: IfcPart, motion: Matrix): IfcPart {
  const matrix = multiply(TO_Y_UP, multiply(motion, multiply(FROM_Y_UP, part.matrix)));
  return { ...part, matrix: Array.from(matrix) };
}

/** For people, and to find it in the file. */
function nameOf({ id }: IfcProduct, { name, guid }: IfcObjectInfo): string {
  return `${[name, guid].filter((text) => text !== '').join(' ')} #${id}`;
}
