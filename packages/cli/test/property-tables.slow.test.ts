/** Tables of properties: CSV and XLSX that say the same, joined to objects of files that have none. */
import { join } from 'node:path';
import { openStoreFile } from '@impinge/model/node';
import { expect, test } from 'vitest';
import { ifcSource } from '../src/formats/ifc/ifc.js';
import { csvRows } from '../src/formats/table/csv-table.js';
import { PropertyTable } from '../src/formats/table/property-table.js';
import { deflated, ZipWriter } from '../src/reports/zip-writer.js';
import { Files } from './files.js';
import { extruded, ifcHouse, rectangle } from './ifc-text.js';
import { clashesIn, impinge } from './run-impinge.js';
import { shapesOf } from './source-triangles.js';

const files = new Files();
const rows = (text: string) => csvRows(new TextEncoder().encode(text), 'x.csv');

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\ufeffa;b\r\n1,5;2\r\n\r\n',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'a\tb\n"x\ty"\t',
    [
      ['a', 'b'],
      ['x\ty', ''],
    ],
  ],
  [
    'a,b\n"say ""hi"", twice\nor so",2',
    [
      ['a', 'b'],
      ['say "hi", twice\nor so', '2'],
    ],
  ],
  [
    '"a,;;;",b\n1,2',
    [
      ['a,;;;', 'b'],
      ['1', '2'],
    ],
  ],
])('%j', (text, expected) => {
  expect(rows(text)).toEqual(expected);
});

test('what is no table is refused with its name', async () => {
  expect(() => rows('a,b\n"1')).toThrow('x.csv: row 2: a quoted cell does not end');
  const refused = async (name: string, text: string | Uint8Array) =>
    PropertyTable.read(files.write(name, text));
  await expect(refused('one.csv', 'id\n1')).rejects.toThrow('one.csv: a table needs a row of names');
  await expect(refused('twice.csv', 'id,a\n1,2\n1,3')).rejects.toThrow(
    'twice.csv: row 3: two rows are about "1"',
  );
  await expect(refused('names.csv', 'id,a,a\n1,2,3')).rejects.toThrow('two columns are called "a"');
  await expect(refused('latin.csv', Uint8Array.of(0x69, 0x2c, 0xe4, 0x0a))).rejects.toThrow(
    'is not UTF-8 text',
  );
  await expect(refused('no.xlsx', 'text')).rejects.toThrow('no.xlsx: ');
});

/** A workbook of one sheet: texts shared and inline, numbers, truth, a gap. */
async function workbook(): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const zip = new ZipWriter(async (bytes) => void parts.push(Buffer.from(bytes)));
  const shared = ['tag', 'name', 'Power', 'system', 'Spare', 'pump', 'valve'];
  const texts = shared.map(
    (text) => `<si><r><t>${text.slice(0, 2)}</t></r><r><t>${text.slice(2)}</t></r></si>`,
  );
  await zip.add(
    'xl/sharedStrings.xml',
    deflated(`<sst>${texts.join('')}<si><t>x</t><rPh><t>y</t></rPh></si></sst>`),
  );
  const s = (cell: string, number: number) => `<c r="${cell}" t="s"><v>${number}</v></c>`;
  const rows = [
    `${s('A1', 1)}${s('B1', 2)}${s('C1', 3)}${s('D1', 4)}`,
    `${s('A2', 5)}<c r="B2"><v>7.5</v></c><c r="C2" t="inlineStr"><is><t>cooling</t></is></c><c r="D2" t="b"><v>1</v></c>`,
    `${s('A3', 6)}<c r="C3" t="str"><f>A1</f><v>heating</v></c>`,
  ];
  const sheet = rows.map((cells, i) => `<row r="${i + 1}">${cells}</row>`).join('');
  await zip.add(
    'xl/worksheets/sheet1.xml',
    deflated(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
  );
  await zip.end();
  return Buffer.concat(parts);
}

test('CSV and XLSX are joined alike, kept in the store, and rules select by them', async () => {
  // two boxes that overlap, and one that does not
  const box = (name: string, x: number, first: number) => {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => `v ${x + (c & 1)} ${(c >> 1) & 1} ${c >> 2}`);
    const faces = ['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6'];
    const numbered = faces.map(
      (face) =>
        `f ${face
          .split(' ')
          .map((v) => Number(v) + first)
          .join(' ')}`,
    );
    return [`o ${name}`, ...corners, ...numbered].join('\n');
  };
  const model = files.write(
    'plant.obj',
    [box('pump', 0, 0), box('valve', 0.5, 8), box('rack', 9, 16)].join('\n'),
  );
  const tables = [
    files.write(
      'plant.csv',
      'name,Power,system,Spare\npump,7.5,cooling,TRUE\nvalve,,heating,\nP-99,1,x,FALSE\n',
    ),
    files.write('plant.xlsx', await workbook()),
  ];
  const rules = files.write(
    'tables.yaml',
    'rules:\n  - { a: { property: { Power: { min: 5 } } }, b: { system: heating } }\n',
  );
  for (const table of tables) {
    const report = join(files.folder, `report of ${table.slice(-4)}`);
    const asked = ['check', model, '--rules', rules, '-o', report, '--formats', 'jsonl'];
    const { out, code, err } = await impinge(...asked, '--table', `plant.obj: ${table}`);
    expect([code, err]).toEqual([1, '']);
    expect(clashesIn(report)).toMatchObject([{ a: { name: 'pump' }, b: { name: 'valve' } }]);
    if (table.endsWith('csv')) expect(out).toContain('plant.csv: 1 row of 3 match no object: "P-99"');
    await using store = await openStoreFile(join(report, 'model.impinge'));
    const pump = [0, 1, 2].find((object) => store.text(object, 'name') === 'pump')!;
    expect(await store.properties(pump)).toEqual({ Power: 7.5, Spare: true });
    expect(store.object(pump).labels).toEqual({ system: ['cooling'] });
  }
  // another table makes another store, a changed one too
  const report = join(files.folder, 'report of .csv');
  const again = async () =>
    (await impinge('check', model, '-o', report, '--formats', 'jsonl', '--table', tables[0])).out;
  expect(await again()).not.toContain('packed in');
  files.write('plant.csv', 'name,Power\npump,8\n');
  expect(await again()).toContain('packed in');
});

test('dates of tables and of the tasks of IFC files are periods', async () => {
  const proxy = (id: number, x: number) => extruded(id, `box ${id}`, [x, 0, 0], rectangle(300, 300));
  const task = (id: number, type: string, times: string) => [
    `#${id}=IFCTASK('task-${id}',$,'a task',$,$,$,$,$,$,.F.,$,#${id + 1},.${type}.);`,
    `#${id + 1}=IFCTASKTIME($,$,$,$,$,${times},$,$,$,$,$,$,$,$,$,$,$,$,$);`,
  ];
  const path = files.write(
    'tasks.ifc',
    ifcHouse([
      ...proxy(100, 0),
      ...proxy(110, 100),
      ...proxy(120, 200),
      ...task(200, 'CONSTRUCTION', "'2026-01-05T08:00:00','2026-02-01T17:00:00'"),
      ...task(210, 'REMOVAL', "'2026-03-01','2026-03-10'"),
      ...task(220, 'INSTALLATION', "'2026-03-10','2026-04-01'"),
      "#230=IFCRELASSIGNSTOPRODUCT('r1',$,$,$,(#200),$,#100);",
      "#231=IFCRELASSIGNSTOPROCESS('r2',$,$,$,(#100),$,#210,$);",
      "#232=IFCRELASSIGNSTOPRODUCT('r3',$,$,$,(#220),$,#110);",
    ]),
  );
  const source = await ifcSource(path, { memoryBytes: 64e6 });
  const objects = (await shapesOf(source)).flatMap((shape) => [...shape.objects]);
  await source.close();
  expect(objects.map(({ name, labels }) => [name, labels?.period?.[0]]).sort()).toEqual([
    ['box 100', '2026-01-05T08:00:00/2026-03-10'],
    ['box 110', '2026-03-10/'],
    ['box 120', undefined],
  ]);
  const report = join(files.folder, 'tasks');
  // 46096 is the 15th of March in a spreadsheet
  const table = files.write('dates.csv', 'name;from;until\nbox 120;46096;2026-05-01\nbox 100;;2026-03-10\n');
  const asked = ['check', path, '-o', report, '--formats', 'jsonl', '--json', '--table'];
  expect(JSON.parse((await impinge(...asked, table)).out).stats.excluded.sequence).toBe(2);
  const wrong = files.write('wrong.csv', 'name;from\nbox 120;soon\n');
  const { err, code } = await impinge('check', path, '-o', report, '--table', wrong);
  expect([code, err]).toEqual([2, `impinge: ${wrong}: row 2: "soon" is no date such as 2026-03-31\n`]);
});

test('dates of the tasks of IFC2X3 files are periods, too', async () => {
  const proxy = (id: number, x: number) => extruded(id, `box ${id}`, [x, 0, 0], rectangle(300, 300));
  const task = (id: number) => `#${id}=IFCTASK('task-${id}',$,'a task',$,$,'${id}',$,$,.F.,$);`;
  const control = (id: number, times: string) =>
    `#${id}=IFCSCHEDULETIMECONTROL('time-${id}',$,$,$,$,${times},$,$,$,$,$,$);`;
  const path = files.write(
    'old-tasks.ifc',
    ifcHouse(
      [
        ...proxy(100, 0),
        ...proxy(110, 100),
        ...proxy(120, 200),
        ...[task(200), task(210), task(220)],
        '#300=IFCCALENDARDATE(5,3,2009);',
        '#301=IFCCALENDARDATE(17,11,2009);',
        '#302=IFCLOCALTIME(8,$,$,$,$);',
        '#303=IFCDATEANDTIME(#301,#302);',
        '#304=IFCCALENDARDATE(41,3,2009);',
        control(310, '$,$,$,#300,$,$,$,#301'),
        // begun later than planned
        control(311, '#303,$,$,#300,$,$,$,$'),
        control(312, '$,$,$,#304,$,$,$,$'),
        "#320=IFCRELASSIGNSTASKS('a0',$,$,$,(#200),$,$,#310);",
        "#321=IFCRELASSIGNSTASKS('a1',$,$,$,(#210),$,$,#311);",
        "#322=IFCRELASSIGNSTASKS('a2',$,$,$,(#220),$,$,#312);",
        "#330=IFCRELASSIGNSTOPROCESS('p0',$,$,$,(#100),$,#200,$);",
        "#331=IFCRELASSIGNSTOPROCESS('p1',$,$,$,(#110),$,#210,$);",
        "#332=IFCRELASSIGNSTOPROCESS('p2',$,$,$,(#120),$,#220,$);",
      ],
      { schema: 'IFC2X3' },
    ),
  );
  const source = await ifcSource(path, { memoryBytes: 64e6 });
  const objects = (await shapesOf(source)).flatMap((shape) => [...shape.objects]);
  await source.close();
  expect(objects.map(({ name, labels }) => [name, labels?.period?.[0]]).sort()).toEqual([
    ['box 100', '2009-03-05/'],
    ['box 110', '2009-11-17/'],
    ['box 120', undefined],
  ]);
});
