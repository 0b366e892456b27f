// Writes the seeds in lab/fuzz/corpus: small files that use as much of each format as fits. What they hold is two boxes
// that overlap and a few variants. Run it when a reader learns something new, and add a seed that shows it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { box } from '@impinge/scenes';
import { strToU8, zipSync } from 'fflate';
import { CORPUS } from './seeds/corpus.mjs';
import { gltfSeeds } from './seeds/gltf.mjs';
import { ifcSeeds } from './seeds/ifc.mjs';

const solid = box(1, 1, 1);
const triangles = Array.from({ length: solid.indices.length / 3 }, (_, t) => [
  ...solid.indices.subarray(3 * t, 3 * t + 3),
]);
const vertices = Array.from({ length: solid.positions.length / 3 }, (_, v) => [
  ...solid.positions.subarray(3 * v, 3 * v + 3),
]);
const moved = (by) => vertices.map(([x, y, z]) => [x + by, y, z]);

function obj() {
  const object = (name, by, first) => [
    `o ${name}`,
    ...moved(by).map((at) => `v ${at.join(' ')}`),
    ...triangles.map((corners) => `f ${corners.map((v) => v + first).join(' ')}`),
  ];
  return [
    '# two boxes, and what else there may be',
    'mtllib boxes.mtl',
    ...object('left box', 0, 1),
    'usemtl grey',
    ...object('right box', 0.5, 1 + vertices.length),
    'g loose',
    'vt 0 0',
    'vn 0 0 1',
    'v 3 0 0 1.0 0.5 0.25 0.125',
    'v 4 0 0',
    'v 4 1 0',
    'v 3 1 1e-1',
    's off',
    'f -4/1/1 -3//1 -2/1 \\',
    '  -1',
    'l 1 2',
    '',
  ].join('\n');
}

function asciiStl() {
  const facet = (corners, by) =>
    ['  facet normal 0 0 1', '    outer loop']
      .concat(corners.map((v) => `      vertex ${moved(by)[v].join(' ')}`))
      .concat(['    endloop', '  endfacet']);
  const part = (name, by) => [`solid ${name}`, ...triangles.flatMap((t) => facet(t, by)), `endsolid ${name}`];
  return [...part('left', 0), ...part('right', 0.5), ''].join('\n');
}

function binaryStl() {
  const bytes = Buffer.alloc(84 + 50 * triangles.length);
  bytes.write('a box');
  bytes.writeUInt32LE(triangles.length, 80);
  triangles.forEach((corners, t) => {
    for (const [i, x] of corners.flatMap((v) => vertices[v]).entries()) {
      bytes.writeFloatLE(x, 84 + 50 * t + 12 + 4 * i);
    }
  });
  return bytes;
}

const plyHead = (format, strips) =>
  [
    'ply',
    `format ${format} 1.0`,
    'comment a box',
    'obj_info made for tests',
    `element vertex ${vertices.length}`,
    'property float x',
    'property float y',
    'property double z',
    'property uchar red',
    'element camera 1',
    'property short view_x',
    'property list uchar float params',
    strips ? 'element tristrips 1' : `element face ${triangles.length}`,
    strips ? 'property list int int vertex_indices' : 'property list uchar int vertex_indices',
    'end_header',
    '',
  ].join('\n');

const strip = triangles.slice(0, 3).flatMap((corners) => [...corners, -1]);

function asciiPly(strips) {
  const faces = strips ? [[strip.length, ...strip]] : triangles.map((corners) => [3, ...corners]);
  const rows = [...vertices.map((at) => [...at, 200]), [7, 2, 0.5, 1.5], ...faces];
  return `${plyHead('ascii', strips)}${rows.map((row) => row.join(' ')).join('\n')}\n`;
}

function binaryPly(little, strips) {
  const parts = [];
  const put = (bytes, method, value) => {
    const part = Buffer.alloc(bytes);
    part[`write${method}${little || bytes === 1 ? (bytes === 1 ? '' : 'LE') : 'BE'}`](value);
    parts.push(part);
  };
  for (const [x, y, z] of vertices) {
    put(4, 'Float', x);
    put(4, 'Float', y);
    put(8, 'Double', z);
    put(1, 'UInt8', 200);
  }
  put(2, 'Int16', 7);
  put(1, 'UInt8', 2);
  put(4, 'Float', 0.5);
  put(4, 'Float', 1.5);
  if (strips) {
    put(4, 'Int32', strip.length);
    for (const v of strip) put(4, 'Int32', v);
  } else {
    for (const corners of triangles) {
      put(1, 'UInt8', 3);
      for (const v of corners) put(4, 'Int32', v);
    }
  }
  return Buffer.concat([
    Buffer.from(plyHead(`binary_${little ? 'little' : 'big'}_endian`, strips)),
    ...parts,
  ]);
}

function threeMf() {
  const core = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02';
  const production = 'http://schemas.microsoft.com/3dmanufacturing/production/2015/06';
  const mesh = `<mesh><vertices>${vertices.map(([x, y, z]) => `<vertex x="${x}" y="${y}" z="${z}"/>`).join('')}</vertices><triangles>${triangles.map(([a, b, c]) => `<triangle v1="${a}" v2="${b}" v3="${c}"/>`).join('')}</triangles></mesh>`;
  const root = `<?xml version="1.0" encoding="UTF-8"?>
<model unit="millimeter" xml:lang="en" xmlns="${core}" xmlns:p="${production}" requiredextensions="p">
 <metadata name="Title">boxes &amp; more</metadata>
 <resources>
  <object id="1" name="left" type="model">${mesh}</object>
  <object id="2" name="both"><components>
   <component objectid="1" transform="1 0 0 0 1 0 0 0 1 0.5 0 0"/>
   <component objectid="7" p:path="/3D/other.model"/>
  </components></object>
 </resources>
 <build><item objectid="2"/><item objectid="1" transform="0 1 0 -1 0 0 0 0 1 3 0 0" partnumber="x"/></build>
</model>`;
  const other = `<?xml version="1.0"?><model unit="millimeter" xmlns="${core}"><resources><object id="7">${mesh}</object></resources><build/></model>`;
  const relations =
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
    '<Relationship Target="/3D/3dmodel.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>' +
    '</Relationships>';
  return zipSync(
    {
      '_rels/.rels': strToU8(relations),
      '3D/3dmodel.model': strToU8(root),
      '3D/other.model': [strToU8(other), { level: 0 }],
    },
    { mtime: '2020-01-01' },
  );
}

const rules = `# every key once
clearance: 50mm
tolerance: 1mm
kinds: [hard, inside, clearance]
sets:
  pipes: { type: "Ifc{Pipe,Duct}*", system: "cold*", material: steel, layer: [A-*, ""] }
  large: { set: pipes, property: { DN: { min: 100, max: 2e3 } } }
  at walls: { near: { set: [pipes, large], within: 2m }, classification: 21.*, group: x }
rules:
  - name: pipes and walls
    a: { path: "*/left*", type: Ifc*, discipline: [hvac, "pipe*"] }
    b:
      name: "{right,loose} box"
      except: { id: x?1, storey: "L[0-9]" }
    clearance: 2in
    skipSameAssembly: true
  - name: the rest
    a: &all { file: "**" }
    b: *all
    tolerance: 0.5
    kinds: hard
    skipSameFile: false
  - a: { property: { Pset.FireRating: ">= 60", Pset.LoadBearing: true } }
    ignore: true
  - { a: { set: at walls }, optional: true }
matrix:
  pipes: { pipes: off, structural: hard, hvac: 25mm }
  hvac: { hvac: { clearance: 50mm, tolerance: 5mm, kinds: [hard, clearance] } }
exclusions: { openings: false, connections: true }
ignore:
  - "**/reference grid/**"
  - { a: { name: "loose*" }, b: [{ name: "x*" }, "y/**"] }
  - clash: 0123456789abcdef
`;

const path = JSON.stringify({
  steps: [
    [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
    [0, -1, 0, 1, 0, 0, 0, 0, 1, 0.5, 0.25, 0.125],
  ],
  interval: 0.05,
});

const review = `# every key once
clashes:
  0123456789abcdef: # the large one
    status: active
    assignee: Ann Árbor
    due: 2026-12-24
    comment: |
      see the plan,
      part "2"
  "fedcba9876543210": &done { status: approved, comments: [{ author: Bo, date: 2026-11-02T08:00:00Z, text: 'fine' }] }
  00000000000000aa: *done
`;

const savedReview = {
  clashes: {
    '0123456789abcdef': {
      status: 'resolved',
      assignee: 'Ann',
      due: '2026-12-24',
      comments: [{ author: 'Bo', date: '2026-11-02T08:00:00Z', text: 'moved' }, { text: 'thanks' }],
    },
    fedcba9876543210: { status: 'new', comment: 'who?' },
  },
};

const SEEDS = {
  'boxes.obj': obj(),
  'boxes.obj.gz': gzipSync(obj()),
  'ascii.stl': asciiStl(),
  'binary.stl': binaryStl(),
  'binary.stl.gz': gzipSync(binaryStl()),
  'ascii.ply': asciiPly(false),
  'strips.ply': asciiPly(true),
  'little.ply': binaryPly(true, false),
  'big.ply': binaryPly(false, false),
  'little-strips.ply': binaryPly(true, true),
  ...(await gltfSeeds(solid)),
  'boxes.3mf': threeMf(),
  ...ifcSeeds(),
  'rules.yaml': rules,
  'decisions.review.yaml': review,
  'decisions.review.json': `${JSON.stringify(savedReview, undefined, 2)}\n`,
  'path.json': path,
  'poses.txt': 't=1,2,3 rx=90 ry=-30.5 rz=1e-3; q=0,0,0.6,0.8\nm=1,0,0,0,0,1,0,0,0,0,1,0,0.5,0,0,1\n',
};

rmSync(CORPUS, { recursive: true, force: true });
mkdirSync(CORPUS, { recursive: true });
for (const [name, content] of Object.entries(SEEDS)) writeFileSync(join(CORPUS, name), content);
console.log(`${Object.keys(SEEDS).length} seeds in ${CORPUS}`);
