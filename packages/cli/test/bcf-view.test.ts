/** Views that people add to topics: written as XML, valid by the official schemas, and read as they were. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@impinge/scenes/random';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import type { BcfComponent, BcfPoint, BcfView } from '../src/reports/bcf/bcf-view.js';
import { BCF_VERSIONS, layoutOf } from '../src/reports/bcf/layout.js';
import { readViewpoint } from '../src/reports/bcf/read-viewpoint.js';
import { viewpointDocument } from '../src/reports/bcf/viewpoint.js';
import { nameUuid } from '../src/reports/uuid.js';
import { schemaPath, schemasAreThere } from './bcf-schemas.js';
import { temporaryFolder } from './files.js';

const SEED = 20261119;
const folder = temporaryFolder();

function randomView(random: () => number, at: number): BcfView {
  const some = <T>(most: number, make: () => T): T[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make);
  const number = () => Math.round((random() - 0.5) * 1e9) / 1e6;
  const point = (): BcfPoint => ({ x: number(), y: number(), z: number() });
  const letters = (length: number) =>
    Array.from({ length }, () => 'abcXYZ019_$'[Math.floor(random() * 11)]).join('');
  const component = (): BcfComponent =>
    random() < 0.7
      ? { ifc_guid: `2${letters(21)}` }
      : { originating_system: `<${letters(4)} & "Co">`, authoring_tool_id: letters(6) };
  const cameras = { camera_view_point: point(), camera_direction: point(), camera_up_vector: point() };
  const size = 46 + Math.floor(random() * 14);
  return {
    guid: nameUuid(`view ${at}`),
    ...(random() < 0.5
      ? { perspective_camera: { ...cameras, field_of_view: size, aspect_ratio: 4 / 3 } }
      : { orthogonal_camera: { ...cameras, view_to_world_scale: size, aspect_ratio: 4 / 3 } }),
    lines: some(2, () => ({ start_point: point(), end_point: point() })),
    clipping_planes: some(3, () => ({ location: point(), direction: point() })),
    components: {
      selection: some(3, component),
      coloring: some(2, () => ({ color: 'FF2E6FDB', components: [component(), ...some(2, component)] })),
      visibility: {
        default_visibility: random() < 0.5,
        exceptions: some(3, component),
        ...(random() < 0.5 && {
          view_setup_hints: {
            spaces_visible: true,
            space_boundaries_visible: false,
            openings_visible: random() < 0.5,
          },
        }),
      },
    },
  };
}

describe.each(BCF_VERSIONS)('a view in BCF %s', (version) => {
  const random = seededRandom(SEED);
  const views = Array.from({ length: runs(200) }, (_, i) => randomView(random, i));

  test(`is read as it was written (seed ${SEED})`, () => {
    for (const view of views)
      expect(readViewpoint(viewpointDocument(view, layoutOf(version)))).toStrictEqual(view);
  });

  test.skipIf(!schemasAreThere)(`is as its schema says (seed ${SEED})`, () => {
    const paths = views.slice(0, 50).map((view, i) => {
      const path = join(folder, `${version} ${i}.bcfv`);
      writeFileSync(path, viewpointDocument(view, layoutOf(version)));
      return path;
    });
    const { status, stderr } = spawnSync(
      'xmllint',
      ['--noout', '--schema', schemaPath(version, 'visinfo.xsd'), ...paths],
      { encoding: 'utf8' },
    );
    expect(stderr.split('\n').filter((line) => line !== '' && !line.endsWith(' validates'))).toEqual([]);
    expect(status).toBe(0);
  });
});

test('what is no view, or nested without end, is none; what is damaged in one is left out', () => {
  const view = (content: string) =>
    readViewpoint(`<VisualizationInfo Guid="x">${content}</VisualizationInfo>`);
  expect(readViewpoint('no XML')).toBeUndefined();
  expect(readViewpoint('<Markup/>')).toBeUndefined();
  expect(view('<a>'.repeat(100) + '</a>'.repeat(100))).toBeUndefined();
  const point = (name: string, x: string) => `<${name}><X>${x}</X><Y>0</Y><Z>1</Z></${name}>`;
  const plane = (x: string) =>
    `<ClippingPlane>${point('Location', x)}${point('Direction', '1')}</ClippingPlane>`;
  const found = view(
    `<ClippingPlanes>${plane('')}${plane('NaN')}${plane('1e999')}${plane('2')}</ClippingPlanes>
     <PerspectiveCamera>${point('CameraViewPoint', '1')}<FieldOfView>60</FieldOfView></PerspectiveCamera>`,
  )!;
  expect(found.perspective_camera).toBeUndefined();
  expect(found.clipping_planes).toEqual([
    { location: { x: 2, y: 0, z: 1 }, direction: { x: 1, y: 0, z: 1 } },
  ]);
});
