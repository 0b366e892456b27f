/** Seeds of IFC: entities of many kinds in a house of a few products. */

import { strToU8, zipSync } from 'fflate';

/** Files by their names. */
export function ifcSeeds() {
  const wall = stepFile('IFC2X3', WALL);
  return {
    'house.ifc': stepFile('IFC4', HOUSE),
    'wall.ifc': wall,
    'wall.ifczip': zipSync({ 'wall.ifc': strToU8(wall) }, { mtime: '2020-01-01' }),
  };
}

const stepFile = (schema, lines) =>
  `ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');\n` +
  `FILE_NAME('h','2020-01-01T00:00:00',(''),(''),'','','');\nFILE_SCHEMA(('${schema}'));\nENDSEC;\nDATA;\n` +
  `${lines.join('\n')}\nENDSEC;\nEND-ISO-10303-21;\n`;

const GROUND = [
  "#1=IFCPROJECT('project',$,'HVAC house',$,$,$,$,(#12),#2);",
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
];

const WALL = [...GROUND, "#40=IFCWALL('guid-40',$,'A wall',$,$,#10,#36,$);"];

const HOUSE = [
  ...GROUND,
  "#20=IFCSITE('site',$,'Site',$,$,#10,$,$,.ELEMENT.,$,$,$,$,$);",
  "#21=IFCBUILDING('building',$,'House',$,$,#10,$,$,.ELEMENT.,$,$,$);",
  "#22=IFCBUILDINGSTOREY('storey',$,'L1',$,$,#10,$,$,.ELEMENT.,0.);",
  "#23=IFCRELAGGREGATES('r1',$,$,$,#1,(#20));",
  "#24=IFCRELAGGREGATES('r2',$,$,$,#20,(#21));",
  "#25=IFCRELAGGREGATES('r3',$,$,$,#21,(#22));",
  "#26=IFCRELCONTAINEDINSPATIALSTRUCTURE('r4',$,$,$,(#40,#50,#60,#70),#22);",
  "#40=IFCWALL('guid-40',$,'A wall, \\X2\\00E4\\X0\\ and \\S\\d',$,$,#10,#36,$,$);",
  '#41=IFCDIRECTION((1.,0.,0.));',
  '#42=IFCCARTESIANPOINT((500.,0.,1000.));',
  '#43=IFCAXIS2PLACEMENT3D(#42,#33,#41);',
  '#44=IFCLOCALPLACEMENT(#10,#43);',
  "#45=IFCCIRCLEPROFILEDEF(.AREA.,'',#31,150.);",
  '#46=IFCEXTRUDEDAREASOLID(#45,#5,#33,2000.);',
  "#47=IFCSHAPEREPRESENTATION(#12,'Body','SweptSolid',(#46));",
  '#48=IFCREPRESENTATIONMAP(#5,#47);',
  '#49=IFCCARTESIANTRANSFORMATIONOPERATOR3D(#41,$,#4,1.,#33);',
  "#50=IFCPIPESEGMENT('guid-50',$,'A pipe',$,$,#44,#53,$,$);",
  '#51=IFCMAPPEDITEM(#48,#49);',
  "#52=IFCSHAPEREPRESENTATION(#12,'Body','MappedRepresentation',(#51));",
  '#53=IFCPRODUCTDEFINITIONSHAPE($,$,(#52));',
  '#54=IFCCARTESIANPOINTLIST3D(((0.,0.,0.),(1000.,0.,0.),(0.,1000.,0.),(0.,0.,1000.)));',
  '#55=IFCTRIANGULATEDFACESET(#54,$,.T.,((1,3,2),(1,2,4),(2,3,4),(3,1,4)),$);',
  "#56=IFCSHAPEREPRESENTATION(#12,'Body','Tessellation',(#55));",
  '#57=IFCPRODUCTDEFINITIONSHAPE($,$,(#56));',
  "#60=IFCBUILDINGELEMENTPROXY('guid-60',$,'A tetrahedron',$,$,#10,#57,$,$);",
  '#61=IFCCARTESIANPOINT((0.,0.,0.));',
  '#62=IFCCARTESIANPOINT((800.,0.,0.));',
  '#63=IFCCARTESIANPOINT((0.,800.,0.));',
  '#64=IFCCARTESIANPOINT((0.,0.,800.));',
  '#65=IFCPOLYLOOP((#61,#63,#62));',
  '#66=IFCPOLYLOOP((#61,#62,#64));',
  '#67=IFCPOLYLOOP((#62,#63,#64));',
  '#68=IFCPOLYLOOP((#63,#61,#64));',
  '#71=IFCFACEOUTERBOUND(#65,.T.);',
  '#72=IFCFACEOUTERBOUND(#66,.T.);',
  '#73=IFCFACEOUTERBOUND(#67,.T.);',
  '#74=IFCFACEOUTERBOUND(#68,.T.);',
  '#75=IFCFACE((#71));',
  '#76=IFCFACE((#72));',
  '#77=IFCFACE((#73));',
  '#78=IFCFACE((#74));',
  '#79=IFCCLOSEDSHELL((#75,#76,#77,#78));',
  '#80=IFCFACETEDBREP(#79);',
  "#81=IFCSHAPEREPRESENTATION(#12,'Body','Brep',(#80));",
  '#82=IFCPRODUCTDEFINITIONSHAPE($,$,(#81));',
  "#70=IFCSLAB('guid-70',$,$,$,$,#44,#82,$,.FLOOR.);",
  "#83=IFCOPENINGELEMENT('guid-83',$,'A hole',$,$,#44,#53,$,$);",
  "#84=IFCRELVOIDSELEMENT('r5',$,$,$,#40,#83);",
  "#85=IFCPROPERTYSINGLEVALUE('LoadBearing',$,IFCBOOLEAN(.T.),$);",
  "#86=IFCPROPERTYSINGLEVALUE('Rating',$,IFCLENGTHMEASURE(60.5),$);",
  "#87=IFCPROPERTYSET('ps',$,'Pset_WallCommon',$,(#85,#86));",
  "#88=IFCRELDEFINESBYPROPERTIES('r6',$,$,$,(#40),#87);",
  "#89=IFCWALLTYPE('type',$,'T',$,$,(#87),$,$,$,.STANDARD.);",
  "#90=IFCRELDEFINESBYTYPE('r7',$,$,$,(#40),#89);",
  '#91=IFCSTYLEDITEM(#34,(#92),$);',
  "#92=IFCSURFACESTYLE('grey',.BOTH.,());",
  '/* a comment; with #1=X(); in it */',
  '#100=IFCCARTESIANPOINT((4000.,0.));',
  '#101=IFCCARTESIANPOINT((4000.,4000.));',
  '#102=IFCPOLYLINE((#100,#101));',
  '#103=IFCPOLYLINE((#30,#100));',
  "#104=IFCGRIDAXIS('A',#102,.T.);",
  "#105=IFCGRIDAXIS('1',#103,.T.);",
  "#106=IFCGRID('guid-106',$,'Grid',$,$,#10,$,(#104),(#105),$,$);",
  '#107=IFCVIRTUALGRIDINTERSECTION((#104,#105),(0.,0.,0.));',
  '#108=IFCGRIDPLACEMENT(#107,$);',
  "#109=IFCCOLUMN('guid-109',$,'On the grid',$,$,#108,#53,$,$);",
];
