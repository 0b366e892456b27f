import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { full } from '../../../test/budget.js';
import { compareWithBaseline } from '../src/reports/baseline.js';
import { frameBox, project } from '../src/reports/camera.js';
import { groupClashes } from '../src/reports/group-clashes.js';
import { summariseIssues } from '../src/reports/issue-summary.js';
import { COLOUR } from '../src/reports/picture-palette.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { nameUuid } from '../src/reports/uuid.js';
import { writeReports } from '../src/reports/write-reports.js';
import { temporaryFolder } from './files.js';
import {
  childrenOf,
  MARKUP,
  PROJECT_EXTENSION,
  parseXml,
  schemaFaults,
  VERSION,
  VISUALIZATION_INFO,
  type XmlElement,
} from './reports-bcf-schema.js';
import { clash, DATE, grouped, plantClashes, plantObject, reportInput } from './reports-clashes.js';

const folder = temporaryFolder();

interface Topic {
  readonly markup: XmlElement;
  readonly view: XmlElement;
  readonly snapshot: Uint8Array | undefined;
}

/** Writes, unzips, checks every file against the schema, and returns the topics by their folders. */
async function topics(
  clashes: readonly ReportClash[],
  resolved?: readonly ReportClash[],
): Promise<Map<string, Topic>> {
  const [path] = await writeReports(folder, reportInput(clashes, ['bcf'], resolved));
  const files = unzipSync(readFileSync(path));
  const xml = (name: string) => parseXml(new TextDecoder('utf-8', { fatal: true }).decode(files[name]));
  expect(schemaFaults(xml('bcf.version'), VERSION)).toEqual([]);
  expect(schemaFaults(xml('project.bcfp'), PROJECT_EXTENSION)).toEqual([]);
  const names = Object.keys(files).filter((name) => name.endsWith('/markup.bcf'));
  return new Map(
    names.map((name) => {
      const guid = name.slice(0, name.indexOf('/'));
      const markup = xml(name);
      const view = xml(`${guid}/viewpoint.bcfv`);
      expect(schemaFaults(markup, MARKUP)).toEqual([]);
      expect(schemaFaults(view, VISUALIZATION_INFO)).toEqual([]);
      return [guid, { markup, view, snapshot: files[`${guid}/snapshot.png`] }];
    }),
  );
}

const text = (element: XmlElement, ...path: string[]) => childrenOf(element, ...path)[0].text;

describe('clashes.bcfzip', () => {
  test.each([1e17, -1e200, Infinity])('is written of an earlier clash at %d, too', async (far) => {
    const [first] = grouped(plantClashes(1, 1));
    const gone: ReportClash = { ...first, point: [far, far, 0] };
    const [topic] = (await topics([], [gone])).values();
    expect(topic.snapshot).toBeDefined();
  });

  test('says how many objects each side of the rule selected', async () => {
    const clashes = grouped(plantClashes(3, 5));
    for (const { markup } of (await topics(clashes)).values()) {
      expect(text(markup, 'Topic', 'Description')).toMatch(/Rule: .+ \(412 × 824 objects\)\./);
    }
  });

  full('has a topic for each issue, all of them as the schema asks', async () => {
    const clashes = grouped(plantClashes(100, 5));
    const issues = summariseIssues(clashes);
    const found = await topics(clashes);
    expect(found.size).toBe(issues.length);
    issues.forEach((issue, index) => {
      const { markup, view } = found.get(nameUuid(`topic ${issue.id}`))!;
      const topic = childrenOf(markup, 'Topic')[0];
      expect(topic.attributes).toEqual({
        Guid: nameUuid(`topic ${issue.id}`),
        TopicType: 'Clash',
        TopicStatus: 'Open',
      });
      expect(text(topic, 'Title')).toBe(issue.title);
      expect(text(topic, 'Index')).toBe(String(index));
      expect(text(topic, 'CreationDate')).toBe('2024-05-17T08:30:00.000Z');
      expect(childrenOf(topic, 'Labels').map((label) => label.text)).toContain(issue.rule);
      expect(childrenOf(markup, 'Viewpoints')[0].attributes['Guid']).toBe(view.attributes['Guid']);
      const objects = new Set(issue.clashes.flatMap(({ a, b }) => [a.id, b.id]));
      const ids = (...path: string[]) =>
        childrenOf(view, 'Components', ...path).map((one) => one.attributes['IfcGuid']);
      expect(new Set(ids('Selection', 'Component'))).toEqual(objects);
      expect(ids('Coloring', 'Color', 'Component').sort()).toEqual([...objects].sort());
      expect(text(topic, 'ModifiedDate')).toBe('2024-05-17T08:30:00.000Z');
      // nothing else is shown
      expect(childrenOf(view, 'Components', 'Visibility')[0].attributes['DefaultVisibility']).toBe('false');
      expect(new Set(ids('Visibility', 'Exceptions', 'Component'))).toEqual(objects);
      expect(childrenOf(markup, 'Header', 'File', 'Filename').map((name) => name.text)).toEqual(
        [...new Set(issue.clashes.flatMap(({ a, b }) => [a.file, b.file]))].sort(),
      );
    });
  });

  test('the checker finds what is wrong', () => {
    const faults = (source: string) => schemaFaults(parseXml(source), MARKUP);
    const guid = nameUuid('x');
    const topic = (content: string) => `<Markup><Topic Guid="${guid}">${content}</Topic></Markup>`;
    const good =
      '<Title>t</Title><CreationDate>2024-01-01T00:00:00Z</CreationDate><CreationAuthor>a</CreationAuthor>';
    expect(faults(topic(good))).toEqual([]);
    expect(faults(topic(good.replace('<Title>t</Title>', '')))).toHaveLength(1);
    expect(faults(topic(`${good}<Title>t</Title>`))).toHaveLength(1);
    expect(faults(topic(good.replace('T00:00:00Z', '')))).toHaveLength(1);
    expect(faults(topic(good).replace(guid, guid.toUpperCase()))).toHaveLength(1);
    expect(faults(topic(good).replace('<Topic', '<Topic Colour="1"'))).toHaveLength(1);
    expect(faults('<Markup/>')).toHaveLength(1);
  });

  test('objects without a GUID are named as their files name them', async () => {
    const a = { ...plantObject(0, 1, 1), id: 'node 12', file: '' };
    const b = { ...plantObject(1, 1, 1), id: '4'.repeat(22) };
    const [{ markup, view }] = [...(await topics(grouped([clash({ a, b })]))).values()] as [Topic];
    const selected = childrenOf(view, 'Components', 'Selection', 'Component');
    expect(selected.map(({ attributes }) => attributes)).toEqual([{}, {}]);
    expect(selected.map((one) => text(one, 'AuthoringToolId'))).toEqual(['node 12', '4'.repeat(22)]);
    expect(selected.map((one) => text(one, 'OriginatingSystem'))).toEqual(['impinge', 'piping.ifc']);
    expect(childrenOf(markup, 'Header', 'File')).toHaveLength(1);
    // viewers would not find them, and hide everything
    expect(childrenOf(view, 'Components', 'Visibility')[0].attributes['DefaultVisibility']).toBe('true');
  });

  full('the planes of a view keep the contacts and cut off what is between them and the camera', async () => {
    const clashes = grouped(plantClashes(30, 6));
    const found = await topics(clashes);
    for (const issue of summariseIssues(clashes)) {
      const { view } = found.get(nameUuid(`topic ${issue.id}`))!;
      const vector = (of: XmlElement, name: string) =>
        childrenOf(of, name)[0].children.map((axis) => Number(axis.text));
      const planes = childrenOf(view, 'ClippingPlanes', 'ClippingPlane').map((plane) => {
        const [at, to] = [vector(plane, 'Location'), vector(plane, 'Direction')];
        // how far a point is on the side that is cut off
        return (p: readonly number[]) => to.reduce((sum, d, k) => sum + d * (p[k] - at[k]), 0);
      });
      expect(planes).toHaveLength(6);
      for (const { box } of issue.clashes) {
        for (const end of [box.min, box.max])
          for (const beyond of planes) expect(beyond(end)).toBeLessThan(0);
      }
      const eye = vector(childrenOf(view, 'PerspectiveCamera')[0], 'CameraViewPoint');
      expect(Math.max(...planes.map((beyond) => beyond(eye)))).toBeGreaterThan(0);
    }
  });

  full(
    'issues of the baseline that are gone are closed under the same Guid; those that lost some stay open',
    async () => {
      const before = plantClashes(120, 9);
      const earlier = grouped(before);
      const first = await topics(earlier);
      const gone = new Set(earlier.slice(0, 40).map(({ group }) => group));
      const partly = summariseIssues(earlier).find(({ id, clashCount }) => clashCount > 2 && !gone.has(id))!;
      const left = earlier.filter(({ id, group }) => !gone.has(group) && id !== partly.clashes[0].id);
      const { clashes, resolved } = compareWithBaseline(groupClashes(left, DATE), earlier);
      const second = await topics(clashes, resolved);
      expect(new Set(second.keys())).toEqual(new Set(first.keys()));
      const status = (id: string) =>
        childrenOf(second.get(nameUuid(`topic ${id}`))!.markup, 'Topic')[0].attributes['TopicStatus'];
      for (const id of gone) expect(status(id)).toBe('Closed');
      expect(status(partly.id)).toBe('Open');
    },
  );

  test('names of any kind stay within their elements', async () => {
    const hostile = '</Title><x a="1">&amp;\u0000\u000b\ud800 \ufffe ]]> <!-- \n';
    const a = { ...plantObject(0, 1, 1), id: hostile, name: hostile, path: hostile, file: hostile };
    const b = { ...plantObject(1, 1, 1), name: 'n'.repeat(100_000), storey: '\udc00' };
    const [{ markup }] = [...(await topics(grouped([clash({ a, b, rule: hostile })]))).values()] as [Topic];
    const title = text(markup, 'Topic', 'Title');
    expect(title.length).toBeLessThanOrEqual(200);
    expect(title).toContain('</Title><x a="1">&amp;');
    expect(text(markup, 'Header', 'File', 'Filename').trim() || 'missing').not.toBe('missing');
  });
});

describe('the view of an issue', () => {
  test.each([
    ['a point', [3, 4, 5], [3, 4, 5]],
    ['a long box far out', [4e6, 5e6, 100], [4e6 + 80, 5e6 + 2, 101]],
    ['a flat box', [-1, -1, 0], [1, 1, 0]],
  ] as const)('shows all of %s', (_, min, max) => {
    const camera = frameBox({ min, max }, 1.25);
    const dot = (p: readonly number[], q: readonly number[]) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    expect(dot(camera.up, camera.up)).toBeCloseTo(1, 12);
    expect(dot(camera.direction, camera.direction)).toBeCloseTo(1, 12);
    expect(dot(camera.up, camera.direction)).toBeCloseTo(0, 12);
    expect(camera.direction[2]).toBeLessThan(0);
    expect(camera.up[2]).toBeGreaterThan(0);
    for (let corner = 0; corner < 8; corner++) {
      const p = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? max[axis] : min[axis]));
      const [right, up, ahead] = project(camera, p as [number, number, number]);
      expect(ahead).toBeGreaterThan(0);
      expect(Math.abs(right)).toBeLessThan(1);
      expect(Math.abs(up)).toBeLessThan(1);
    }
  });

  test('has a picture with a mark in it', async () => {
    const [{ snapshot }] = [
      ...(
        await topics(
          grouped([clash({ a: plantObject(0, 1, 1), b: plantObject(1, 1, 1), point: [40, 20, 5] })]),
        )
      ).values(),
    ] as [Topic];
    const png = Buffer.from(snapshot!);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    const data = png.indexOf('IDAT');
    const rows = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)));
    expect(rows.length).toBe(height * (1 + width));
    expect([width, height]).toEqual([1280, 960]);
    // the middle of the picture is the clash
    expect(rows[(height / 2) * (1 + width) + 1 + width / 2]).toBe(COLOUR.mark);
  });
});
