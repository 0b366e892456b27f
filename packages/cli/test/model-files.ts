/** One small model in every format that `pack` reads, as bytes: the tetrahedron, or a wall for IFC. */
import { gzipSync } from 'node:zlib';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { asciiPly, asciiStl, binaryPly, binaryStl, glb, gltfParts, obj, TETRAHEDRON } from './files.js';
import { ifcHouse } from './ifc-text.js';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

export const MODEL_3MF = 'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"';

/** The tetrahedron as 3MF has it. */
export function meshOf3mf(): string {
  const { positions, indices } = TETRAHEDRON;
  const rows = (tag: string, names: readonly string[], list: readonly number[]) =>
    [0, 3, 6, 9].map((at) => `<${tag} ${names.map((name, k) => `${name}="${list[at + k]}"`).join(' ')}/>`);
  const vertices = rows('vertex', ['x', 'y', 'z'], positions);
  const triangles = rows('triangle', ['v1', 'v2', 'v3'], indices);
  return `<mesh><vertices>${vertices.join('')}</vertices><triangles>${triangles.join('')}</triangles></mesh>`;
}

export function threeMf(model?: string, others: Zippable = {}): Uint8Array {
  const whole =
    `<?xml version="1.0"?><model unit="meter" ${MODEL_3MF}><resources><object id="1" name="tetra">${meshOf3mf()}` +
    '</object></resources><build><item objectid="1"/></build></model>';
  const relations =
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
    '<Relationship Target="/3D/3dmodel.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>' +
    '</Relationships>';
  return zipSync({
    '_rels/.rels': strToU8(relations),
    '3D/3dmodel.model': strToU8(model ?? whole),
    ...others,
  });
}

/** A wall of 2 × 0.1 × 3 metres, in millimetres. */
export function ifcWall(): string {
  return ifcHouse(["#40=IFCWALL('guid-40',$,'A wall',$,$,#10,#36,$,$);"]);
}

export function gltfText(): Uint8Array {
  const { json, binary } = gltfParts();
  json.buffers[0]['uri'] = `data:application/octet-stream;base64,${Buffer.from(binary).toString('base64')}`;
  return bytesOf(JSON.stringify(json));
}

export function glbFile(): Uint8Array {
  const { json, binary } = gltfParts();
  return glb(json, binary);
}

export const MODEL_FILES: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['ascii.ply', bytesOf(asciiPly())],
  ['little.ply', binaryPly(true)],
  ['big.ply', binaryPly(false)],
  ['ascii.stl', bytesOf(asciiStl())],
  ['binary.stl', binaryStl()],
  ['packed.stl.gz', new Uint8Array(gzipSync(binaryStl()))],
  ['tetra.obj', bytesOf(obj())],
  ['tetra.glb', glbFile()],
  ['tetra.gltf', gltfText()],
  ['tetra.3mf', threeMf()],
  ['wall.ifc', bytesOf(ifcWall())],
];
