/**
 * STEP and IGES: one object per body, with the names of the assembly above it. Read by occt-import-js, where that is
 * installed; the file and its triangles are in memory as a whole. Coordinates are in millimetres.
 *
 * Facets are within `--curve-error` of curved surfaces as far as OpenCASCADE keeps to it; a file without curves has
 * none.
 */
import type { ShapeArrays, SourceObject, SourceShape } from '@impinge/model';
import { FormatError } from '../format-error.js';
import { shortName, shortPath } from '../growth-limit.js';
import type { ModelSource, SourceOptions } from '../model-source.js';
import { type SourceFile, sourceOfFile } from '../source-file.js';
import { ObjectIds, plainObject } from '../source-object.js';
import { WeldedShape } from '../weld.js';
import { type CadModel, type CadNode, type CadOptions, readCad } from './engine.js';

const METRES_PER_UNIT = 1e-3;
const CURVE_ERROR = 1e-3;
/** Minimum memory of the thread: OpenCASCADE alone takes 30 MB. */
const LEAST_MEMORY = 512 << 20;
const STALL_MS = 120_000;
const MS_PER_BYTE = 1 / 200;
const MAX_DEPTH = 200;
const CURVES =
  /CIRCLE|ELLIPSE|CYLINDRICAL|CONICAL|SPHERICAL|TOROIDAL|B_SPLINE|BEZIER|SURFACE_OF|PARABOLA|HYPERBOLA/;

export const stepSource = (path: string, options: SourceOptions) =>
  cadSource(path, options, {
    format: 'STEP',
    method: 'ReadStepFile',
    hasCurves: (text) => CURVES.test(text),
  });

export const igesSource = (path: string, options: SourceOptions) =>
  cadSource(path, options, { format: 'IGES', method: 'ReadIgesFile', hasCurves: () => true });

interface CadFormat extends Pick<CadOptions, 'method'> {
  readonly format: string;
  readonly hasCurves: (text: string) => boolean;
}

async function cadSource(
  path: string,
  options: SourceOptions,
  { format, method, hasCurves }: CadFormat,
): Promise<ModelSource> {
  return sourceOfFile(path, options, async (file) => {
    if (file.byteLength > Math.max(LEAST_MEMORY, options.memoryBytes) / 4) {
      throw new FormatError(path, `${format} files must fit in memory, and this one is too large`);
    }
    return {
      format,
      metresPerUnit: METRES_PER_UNIT,
      precision: 0,
      shapes: async function* () {
        const bytes = new Uint8Array(file.byteLength);
        file.read(bytes, 0);
        const isCurved = hasCurves(Buffer.from(bytes.buffer).toString('latin1'));
        const deflection = (options.curveError ?? CURVE_ERROR) / METRES_PER_UNIT;
        const model = await readCad(path, bytes, {
          ...{ method, deflection, memoryBytes: Math.max(LEAST_MEMORY, options.memoryBytes) },
          limitMs: STALL_MS + MS_PER_BYTE * bytes.length,
          ...(options.signal && { signal: options.signal }),
        });
        file.reach(file.byteLength);
        yield* shapesOf(file, model, isCurved ? deflection : 0);
      },
    };
  });
}

function* shapesOf(file: SourceFile, { root, meshes }: CadModel, curveError: number): Generator<SourceShape> {
  const ids = new ObjectIds();
  let isEmpty = true;
  for (const { mesh, name, path } of placedMeshes(
    file,
    root,
    meshes.map(({ name }) => name),
  )) {
    const geometry = welded(file, meshes[mesh]);
    if (geometry === undefined) continue;
    isEmpty = false;
    const object: SourceObject = { ...plainObject(file, ids, name, path), curveError };
    yield { geometry, objects: [object] };
  }
  if (isEmpty) throw new FormatError(file.path, 'no body in it has triangles');
}

/** The meshes of a tree, with the names from its root; a mesh without a name has that of its node. */
function* placedMeshes(
  file: SourceFile,
  root: CadNode,
  names: readonly string[],
): Generator<{ mesh: number; name: string; path: string }> {
  const stack = [{ node: root, path: '', depth: 0 }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { node, path, depth } = visit;
    if (depth > MAX_DEPTH) throw new FormatError(file.path, `assemblies nested more than ${MAX_DEPTH} deep`);
    const own = joined(path, node.name);
    for (const mesh of node.meshes) {
      const name = shortName(names[mesh] || node.name || file.stem);
      yield { mesh, name, path: own === '' ? name : own.endsWith(name) ? own : joined(own, name) };
    }
    // the last one pushed comes first
    for (let i = node.children.length - 1; i >= 0; i--)
      stack.push({ node: node.children[i], path: own, depth: depth + 1 });
  }
}

function joined(path: string, name: string): string {
  const word = name.replaceAll('/', '_');
  return word === '' ? path : shortPath(path === '' ? word : `${path}/${word}`);
}

/** Faces come with corners of their own; equal ones become one. */
function welded(
  file: SourceFile,
  { name, positions, indices }: CadModel['meshes'][number],
): ShapeArrays | undefined {
  if (indices.length === 0) return undefined;
  const corners = new Float64Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    for (let k = 0; k < 3; k++) corners[3 * i + k] = positions[3 * indices[i] + k];
  }
  if (!corners.every(Number.isFinite)) throw new FormatError(file.path, 'a coordinate is not finite', name);
  const shape = new WeldedShape();
  shape.add(corners);
  return shape.geometry();
}
