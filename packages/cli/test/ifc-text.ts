/** Small IFC files for tests: a house of boxes and pipes in millimetres, and where it says that it is. */

export interface HouseOptions {
  readonly schema?: string;
  /** Of #3, the unit of length. */
  readonly unit?: string;
  /** Where the world coordinate system is. */
  readonly world?: string;
}

const MILLIMETRE = 'IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)';

/**
 * A file with these entities besides project, storey (#22), placement (#10), context (#12) and the shape of a box of
 * 2000 × 100 × 3000 (#36).
 */
export function ifcHouse(entities: readonly string[], options: HouseOptions = {}): string {
  const { schema = 'IFC4', unit = MILLIMETRE, world = '0.,0.,0.' } = options;
  const header = `FILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('${schema}'));`;
  const lines = [
    "#1=IFCPROJECT('project',$,'Some house',$,$,$,$,(#12),#2);",
    '#2=IFCUNITASSIGNMENT((#3));',
    `#3=${unit};`,
    '#4=IFCCARTESIANPOINT((0.,0.,0.));',
    '#5=IFCAXIS2PLACEMENT3D(#4,$,$);',
    `#6=IFCCARTESIANPOINT((${world}));`,
    '#7=IFCAXIS2PLACEMENT3D(#6,$,$);',
    '#10=IFCLOCALPLACEMENT($,#5);',
    "#12=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#7,$);",
    "#20=IFCSITE('site',$,'The site',$,$,#10,$,$,.ELEMENT.,$,$,$,$,$);",
    "#21=IFCBUILDING('building',$,'A/B',$,$,#10,$,$,.ELEMENT.,$,$,$);",
    "#22=IFCBUILDINGSTOREY('storey',$,'Level 1',$,$,#10,$,$,.ELEMENT.,0.);",
    "#23=IFCRELAGGREGATES('r1',$,$,$,#1,(#20));",
    "#24=IFCRELAGGREGATES('r2',$,$,$,#20,(#21));",
    "#25=IFCRELAGGREGATES('r3',$,$,$,#21,(#22));",
    '#30=IFCCARTESIANPOINT((0.,0.));',
    '#31=IFCAXIS2PLACEMENT2D(#30,$);',
    "#32=IFCRECTANGLEPROFILEDEF(.AREA.,'',#31,2000.,100.);",
    '#33=IFCDIRECTION((0.,0.,1.));',
    '#34=IFCEXTRUDEDAREASOLID(#32,#5,#33,3000.);',
    "#35=IFCSHAPEREPRESENTATION(#12,'Body','SweptSolid',(#34));",
    '#36=IFCPRODUCTDEFINITIONSHAPE($,$,(#35));',
    ...entities,
  ];
  return `ISO-10303-21;\nHEADER;\n${header}\nENDSEC;\nDATA;\n${lines.join('\n')}\nENDSEC;\nEND-ISO-10303-21;\n`;
}

/** A product at (x, y, z) with the profile given, extruded upwards; takes ten numbers from `id` on. */
export function extruded(
  id: number,
  name: string,
  [x, y, z]: readonly [number, number, number],
  profile: string,
  height = 1000,
): string[] {
  return [
    `#${id}=IFCBUILDINGELEMENTPROXY('guid-${id}',$,'${name}',$,$,#${id + 1},#${id + 4},$,$);`,
    `#${id + 1}=IFCLOCALPLACEMENT(#10,#${id + 2});`,
    `#${id + 2}=IFCAXIS2PLACEMENT3D(#${id + 3},$,$);`,
    `#${id + 3}=IFCCARTESIANPOINT((${real(x)},${real(y)},${real(z)}));`,
    `#${id + 4}=IFCPRODUCTDEFINITIONSHAPE($,$,(#${id + 5}));`,
    `#${id + 5}=IFCSHAPEREPRESENTATION(#12,'Body','SweptSolid',(#${id + 6}));`,
    `#${id + 6}=IFCEXTRUDEDAREASOLID(#${id + 7},#5,#33,${real(height)});`,
    `#${id + 7}=${profile};`,
  ];
}

export interface Placed {
  readonly type: string;
  readonly name: string;
  readonly at: readonly [number, number, number];
  /** The x axis. */
  readonly along?: readonly [number, number, number];
  /** Of a box in the middle of the origin, from there upwards. */
  readonly size: readonly [number, number, number];
  readonly more?: string;
}

/** A product with a placement of its own; takes ten numbers from `id` on. */
export function product(
  id: number,
  { type, name, at, along = [1, 0, 0], size, more = '' }: Placed,
): string[] {
  const list = (xs: readonly number[]) => `(${xs.map(real).join()})`;
  return [
    `#${id}=${type}('guid-${id}',$,'${name}',$,$,#${id + 1},#${id + 5},$${more});`,
    `#${id + 1}=IFCLOCALPLACEMENT(#10,#${id + 2});`,
    `#${id + 2}=IFCAXIS2PLACEMENT3D(#${id + 3},#33,#${id + 4});`,
    `#${id + 3}=IFCCARTESIANPOINT(${list(at)});`,
    `#${id + 4}=IFCDIRECTION(${list(along)});`,
    `#${id + 5}=IFCPRODUCTDEFINITIONSHAPE($,$,(#${id + 6}));`,
    `#${id + 6}=IFCSHAPEREPRESENTATION(#12,'Body','SweptSolid',(#${id + 7}));`,
    `#${id + 7}=IFCEXTRUDEDAREASOLID(#${id + 8},#5,#33,${real(size[2])});`,
    `#${id + 8}=${rectangle(size[0], size[1])};`,
  ];
}

export const rectangle = (width: number, depth: number) =>
  `IFCRECTANGLEPROFILEDEF(.AREA.,$,$,${real(width)},${real(depth)})`;

export const circle = (radius: number) => `IFCCIRCLEPROFILEDEF(.AREA.,$,$,${real(radius)})`;

/** Where the file is on the map: the values of IfcMapConversion after the two references. */
export function onMap(values: string, crs = "'EPSG:32760',$,$,$,$,$,$", type = 'IFCMAPCONVERSION'): string[] {
  return [`#100=IFCPROJECTEDCRS(${crs});`, `#101=${type}(#12,#100,${values});`];
}

export function real(x: number): string {
  const text = x.toString().toUpperCase();
  return /[.E]/.test(text) ? text : `${text}.`;
}
