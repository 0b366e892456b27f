/** One small model in every format that `pack` reads, as bytes: the tetrahedron, or a wall for IFC. */
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { asciiPly, asciiStl, binaryPly, binaryStl, glb, gltfParts, obj, TETRAHEDRON } from './files.js';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

export function threeMf(model?: string): Uint8Array {
  const { positions, indices } = TETRAHEDRON;
  const vertices = [0, 3, 6, 9].map(
    (v) => `<vertex x="${positions[v]}" y="${positions[v + 1]}" z="${positions[v + 2]}"/>`,
  );
  const triangles = [0, 3, 6, 9].map(
    (t) => `<triangle v1="${indices[t]}" v2="${indices[t + 1]}" v3="${indices[t + 2]}"/>`,
  );
  const whole =
    '<?xml version="1.0"?><model unit="meter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">' +
    `<resources><object id="1" name="tetra"><mesh><vertices>${vertices.join('')}</vertices>` +
    `<triangles>${triangles.join('')}</triangles></mesh></object></resources>` +
    '<build><item objectid="1"/></build></model>';
  const relations =
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
    '<Relationship Target="/3D/3dmodel.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>' +
    '</Relationships>';
  return zipSync({ '_rels/.rels': strToU8(relations), '3D/3dmodel.model': strToU8(model ?? whole) });
}

/** A file in millimetres; #10 is the origin, #36 a box of 2000 × 100 × 3000 about the z axis. */
export function ifcFile(entities: readonly string[], schema = 'IFC4'): string {
  const all = [
    "#1=IFCPROJECT('project',$,'Some house',$,$,$,$,(#12),#2);",
    '#2=IFCUNITASSIGNMENT((#3));',
    '#3=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);',
    '#4=IFCCARTESIANPOINT((0.,0.,0.));',
    '#5=IFCAXIS2PLACEMENT3D(#4,$,$);',
    '#10=IFCLOCALPLACEMENT($,#5);',
    "#12=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#5,$);",
    '#30=IFCCARTESIANPOINT((0.,0.));',
    '#31=IFCAXIS2PLACEMENT2D(#30,$);',
    "#32=IFCRECTANGLEPROFILEDEF(.AREA.,'',#31,2000.,100.);",
    '#33=IFCDIRECTION((0.,0.,1.));',
    '#34=IFCEXTRUDEDAREASOLID(#32,#5,#33,3000.);',
    "#35=IFCSHAPEREPRESENTATION(#12,'Body','SweptSolid',(#34));",
    '#36=IFCPRODUCTDEFINITIONSHAPE($,$,(#35));',
    ...entities,
  ];
  const header = `FILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('${schema}'));`;
  return `ISO-10303-21;\nHEADER;\n${header}\nENDSEC;\nDATA;\n${all.join('\n')}\nENDSEC;\nEND-ISO-10303-21;\n`;
}

/** A wall of 2 × 0.1 × 3 metres, in millimetres. */
export function ifcWall(): string {
  return ifcFile(["#40=IFCWALL('guid-40',$,'A wall',$,$,#10,#36,$,$);"]);
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
