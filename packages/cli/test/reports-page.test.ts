import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FAST } from '../../../test/budget.js';
import { writeReports } from '../src/reports/write-reports.js';
import { temporaryFolder } from './files.js';
import { clash, grouped, manyClashes, plantClashes, plantObject, reportInput } from './reports-clashes.js';
import { hostile, withBaseline, writtenPage } from './written-page.js';

const temporary = temporaryFolder();

describe('report.html', () => {
  test('asks for nothing and lets only its own script and style run', async () => {
    const { html } = await writtenPage('own', grouped(plantClashes(50, 33)));
    // names of kinds of markup are no addresses
    const asked = html.replace(/http:\/\/www\.w3\.org\/(1998\/Math\/MathML|1999\/xhtml|2000\/svg)/g, '');
    expect(asked).not.toMatch(/https?:\/\/|@import|url\(/);
    expect(html).not.toMatch(/ style="| on[a-z]+="/);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)![1];
    expect(policy).toContain("default-src 'none'");
    for (const [tag, directive] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ]) {
      const content = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html)![1];
      const hash = createHash('sha256').update(content).digest('base64');
      expect(policy).toContain(`${directive} 'sha256-${hash}'`);
    }
  });

  test('keeps names where they belong', async () => {
    const { html, data } = await writtenPage('injection', hostile());
    expect(html).not.toContain('<img');
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(data.objects.some(([, path]) => path.includes('<img src=x'))).toBe(true);
    expect(html.length).toBeLessThan(200_000);
  });

  test('says how many objects each side of a rule selected, and what was not checked', async () => {
    const { html } = await writtenPage('sides', grouped(plantClashes(5, 7)));
    expect(html).toContain('<td class="number">412 × 824</td>');
    expect(html).toContain('<li>left out, 21 pairs: parts of one assembly (assemblies)</li>');
  });

  test('the figures agree with the clashes', async () => {
    const { clashes, resolved } = withBaseline();
    const { html, data } = await writtenPage('figures', clashes, resolved);
    const open = data.clashes.id
      .map((_, i) => i)
      .filter((i) => data.statuses[data.clashes.status[i]] !== 'resolved');
    expect(open).toHaveLength(clashes.length);
    expect(data.clashes.id.length - open.length).toBe(resolved.length);
    const cells = [...html.matchAll(/aria-label="([^"]*) × ([^"]*): [^"]*">([\d,]+)</g)];
    expect(cells.length).toBeGreaterThan(10);
    for (const [, p, q, n] of cells) {
      const side = (object: number) => data.sides[0][data.objects[object][5][0]];
      const meet = open.filter((i) => {
        const pair = [side(data.clashes.a[i]), side(data.clashes.b[i])];
        return pair.join() === `${p},${q}` || pair.join() === `${q},${p}`;
      });
      expect(meet).toHaveLength(Number(n.replace(',', '')));
    }
    const sum = (of: string) =>
      [...html.matchAll(new RegExp(`class="bar ${of}".*?<b>(\\d+)</b>`, 'g'))].reduce(
        (n, [, m]) => n + Number(m),
        0,
      );
    const overlaps = clashes.filter(({ kind }) => kind === 'hard' || kind === 'inside');
    expect(sum('depth')).toBe(overlaps.length);
    expect(sum('distance')).toBe(clashes.filter(({ kind }) => kind === 'clearance').length);
    expect(html).toContain(
      `<b>${clashes.filter(({ status }) => status === 'new').length}</b><span>new</span>`,
    );
    expect(html).toContain(`<b>${resolved.length}</b><span>gone, not listed</span>`);
  });

  test('a single model of one discipline has its types and storeys as sides', async () => {
    const [wall, beam] = [plantObject(4, 1, 1), plantObject(0, 1, 1)];
    const same = { file: 'house.ifc', discipline: 'architecture' };
    const list = grouped([
      clash({ a: { ...wall, ...same }, b: { ...beam, ...same } }),
      clash({ a: { ...wall, ...same }, b: { ...plantObject(4, 2, 1), ...same } }),
    ]);
    const { html, data } = await writtenPage('sides', list);
    expect(data.sides).toEqual([
      ['IfcWall', 'IfcBeam'],
      ['Level 1', 'Level 2'],
    ]);
    expect(html).toContain('by types</button>');
    const piped = list.map((one) => ({
      ...one,
      a: { ...one.a, labels: { system: ['supply'] } },
    }));
    expect((await writtenPage('systems', piped)).data.sides[0]).toEqual(['no system', 'supply']);
  });

  test('is not green where a rule had nothing to do', async () => {
    const { run, ...input } = reportInput([], ['html']);
    const rule = { ...reportInput(grouped(plantClashes(1, 1))).run.rules[0], name: 'typing <error>' };
    const written = async (objects: readonly [number, number]) => {
      const rules = [{ ...rule, objects }];
      const [path] = await writeReports(temporary, { ...input, run: { ...run, rules } });
      return readFileSync(path, 'utf8');
    };
    expect(await written([3, 4])).toContain('class="clean"');
    const empty = await written([3, 0]);
    expect(empty).not.toContain('class="clean"');
    expect(empty).toContain('A side of these rules selects no object: typing &lt;error&gt;.');
  });

  test.skipIf(FAST)('lists the worst of too many and says so', async () => {
    const { html, data } = await writtenPage('many', manyClashes(100_050));
    expect(data.clashes.id).toHaveLength(100_000);
    expect(data.clashes.id[0]).toBe('100049');
    expect(html).toContain('Only the worst 100,000 clashes are listed here');
    expect(html).toContain('<b>100,050</b>');
  });
});
