/** A store's metadata, validated on writing and on reading: a checksum does not prove that it makes sense. */
import type {
  LeftOut,
  StoreGeoreference,
  StoreGrid,
  StoreGridAxis,
  StoreMeta,
  StoreRoom,
  StoreSourceFile,
  StoreStorey,
} from './layout.js';

/** Whether every field is present and of its declared type. */
export function isStoreMeta(value: unknown): value is StoreMeta {
  const { title, recipe, metresPerUnit, files, georeference } = Object(value) as Partial<StoreMeta>;
  return (
    areTexts(title, recipe) &&
    typeof metresPerUnit === 'number' &&
    metresPerUnit > 0 &&
    metresPerUnit < Infinity &&
    Array.isArray(files) &&
    files.every(isSourceFile) &&
    (georeference === undefined || isGeoreference(georeference))
  );
}

function isSourceFile(value: unknown): boolean {
  const {
    name,
    modified,
    byteLength,
    objects,
    triangles,
    projectId = '',
    unit = { metres: 1, stated: false },
    place = SAME_PLACE,
    leftOut = [],
    notes = [],
    grids = [],
    storeys = [],
    rooms = [],
    openings = [],
  } = Object(value) as StoreSourceFile;
  return (
    areTexts(name, modified, projectId) &&
    [byteLength, objects, triangles].every(isCount) &&
    isUnit(unit) &&
    isPose(place) &&
    Array.isArray(leftOut) &&
    leftOut.every(isLeftOut) &&
    Array.isArray(notes) &&
    areTexts(...notes) &&
    Array.isArray(grids) &&
    grids.every(isGrid) &&
    Array.isArray(storeys) &&
    storeys.every(isStorey) &&
    Array.isArray(rooms) &&
    rooms.every(isRoom) &&
    Array.isArray(openings) &&
    openings.every((one) => isRoom(one) && areTexts(Object(one).host))
  );
}

const SAME_PLACE: readonly number[] = new Array(12).fill(0);

function isUnit(value: unknown): boolean {
  const { metres, stated } = Object(value) as NonNullable<StoreSourceFile['unit']>;
  return typeof metres === 'number' && metres > 0 && metres < Infinity && typeof stated === 'boolean';
}

function isPose(pose: unknown): boolean {
  return Array.isArray(pose) && pose.length === 12 && pose.every(Number.isFinite);
}

function isGrid(value: unknown): boolean {
  const { axes } = Object(value) as StoreGrid;
  return (
    Array.isArray(axes) &&
    axes.every((one) => {
      const { tag, family, point, along } = Object(one) as StoreGridAxis;
      const isVector = (p: unknown) => Array.isArray(p) && p.length === 3 && p.every(Number.isFinite);
      return areTexts(tag) && isCount(family) && isVector(point) && isVector(along);
    })
  );
}

function isStorey(value: unknown): boolean {
  const { name, elevation } = Object(value) as StoreStorey;
  return areTexts(name) && Number.isFinite(elevation);
}

function isRoom(value: unknown): boolean {
  const { name, positions, indices } = Object(value) as StoreRoom;
  return (
    areTexts(name) &&
    Array.isArray(positions) &&
    positions.length % 3 === 0 &&
    positions.every(Number.isFinite) &&
    Array.isArray(indices) &&
    indices.length > 0 &&
    indices.length % 3 === 0 &&
    indices.every((corner) => isCount(corner) && corner < positions.length / 3)
  );
}

function isGeoreference(value: unknown): boolean {
  const { crs, pose, scale } = Object(value) as StoreGeoreference;
  return areTexts(crs) && isPose(pose) && Number.isFinite(scale) && scale > 0;
}

function isLeftOut(value: unknown): boolean {
  const { why, type, count, objects } = Object(value) as LeftOut;
  return Array.isArray(objects) && areTexts(why, type, ...objects) && isCount(count) && count > 0;
}

const areTexts = (...values: readonly unknown[]) => values.every((value) => typeof value === 'string');
const isCount = (value: number) => Number.isInteger(value) && value >= 0;
