/** Decisions are exported to another BCF tool, written by it, and imported again. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BCFTopics, Components, Viewpoints } from '@thatopen/components';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Decision, Review } from '../../cli/src/reports/review/decision.js';
import { parseReview } from '../../cli/src/reports/review/review-file.js';
import type { ReportForViewer } from '../../cli/src/wire/report.js';
import type { ReviewStatus } from '../../cli/src/wire/review.js';
import { officialFaults, schemasAreThere } from '../../cli/test/bcf-schemas.js';
import { executablePath, openBrowser, openPage, type Pages, tellSkipped } from './opened-page.js';
import { type Served, serveBuilding } from './served-building.js';

tellSkipped('BCF to another tool and back');

const WORDS: Readonly<Record<ReviewStatus, string>> = {
  new: 'Open',
  active: 'Active',
  reviewed: 'Reviewed',
  approved: 'Approved',
  resolved: 'Resolved',
};
const STATUSES = ['active', 'reviewed', 'approved', 'resolved'] as const;
const TEXT = 'move the pipe <200 mm> & "ask" Zoë';
/** The tool does not unescape texts when it reads, but escapes them when it writes. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The tool expects colours as in BCF 2.1 and fails on those of the 3.0 schema. */
function withoutColours(archive: Uint8Array): Uint8Array {
  const plain = (text: string) => text.replace(/<Coloring>.*<\/Coloring>/s, '');
  const entries = Object.entries(unzipSync(archive)).map(([name, bytes]) => [
    name,
    name.endsWith('.bcfv') ? strToU8(plain(strFromU8(bytes))) : bytes,
  ]);
  return zipSync(Object.fromEntries(entries));
}

describe.skipIf(!executablePath)('BCF through @thatopen/components', () => {
  let served: Served;
  let browser: Pages;
  let page: Page;
  let faults: string[];
  let report: ReportForViewer;
  beforeAll(async () => {
    served = await serveBuilding('report');
    report = (await (await fetch(new URL('report.json', served.address))).json()) as ReportForViewer;
    browser = await openBrowser();
    ({ page, faults } = await openPage(browser, served.address, {
      viewport: { width: 900, height: 500 },
      deviceScaleFactor: 1,
      reducedMotion: 'reduce',
    }));
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  const reviewPath = () => join(served.folder, 'review.json');
  const saved = () => parseReview(readFileSync(reviewPath(), 'utf8'), 'review.json');

  /** Decides each issue differently; the last stays undecided. */
  async function decide(): Promise<Review> {
    const { clashes, groups } = report.data;
    const changes: Record<string, object> = {};
    for (const [i, id] of clashes.id.entries()) {
      const group = clashes.group[i];
      if (group === groups.length - 1) continue;
      changes[id] = {
        status: STATUSES[group % STATUSES.length],
        assignee: `person${group}@example.com`,
        due: `2026-12-${10 + group}`,
        comment: `${TEXT} ${group}`,
      };
    }
    const url = new URL('review.json', served.address);
    const { revision } = (await (await fetch(url)).json()) as { revision: string };
    const body = JSON.stringify({ base: revision, author: 'Bo', changes });
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    return saved();
  }

  async function exported(version: string): Promise<Buffer> {
    await page.click('[aria-label^="Exchange decisions"]');
    await page.click(`dialog >> text=BCF ${version}`);
    const coming = page.waitForEvent('download');
    await page.click('dialog >> text="Export"');
    const bytes = readFileSync(await (await coming).path());
    await page.keyboard.press('Escape');
    return bytes;
  }

  async function imported(archive: Buffer): Promise<void> {
    await page.click('[aria-label^="Exchange decisions"]');
    const file = { name: 'back.bcf', mimeType: 'application/zip', buffer: archive };
    await page.setInputFiles('[aria-label="BCF file"]', file);
    await page.waitForSelector(`dialog >> text=/^${report.data.groups.length} topics read: /`);
    await page.keyboard.press('Escape');
  }

  test.each(['2.1', '3.0'] as const)('%s: decisions, cameras and pictures', async (version) => {
    const decided = await decide();
    const sent = await exported(version);
    const path = join(served.folder, `sent-${version}.bcf`);
    writeFileSync(path, sent);
    if (schemasAreThere) expect(officialFaults(path, version).faults).toBe('');

    const tool = new Components();
    const topics = tool.get(BCFTopics);
    topics.setup({ version: version === '3.0' ? '3' : '2.1', author: 'ann@example.com' });
    await topics.load(version === '3.0' ? withoutColours(sent) : new Uint8Array(sent));
    const { clashes, groups } = report.data;
    const entries = unzipSync(sent);
    const viewpoints = tool.get(Viewpoints);
    expect(topics.list.size).toBe(groups.length);
    let pictures = 0;
    for (const topic of topics.list.values()) {
      const [group, [, title]] = [...groups.entries()].find(([, [, one]]) => escaped(one) === topic.title)!;
      const { status, assignee, due, comments } =
        decided.get(clashes.id[clashes.group.indexOf(group)]) ??
        ({ status: 'new', assignee: '', due: '', comments: [] } satisfies Decision);
      expect([title, topic.status, topic.assignedTo ?? '']).toEqual([title, WORDS[status], assignee]);
      expect(topic.dueDate?.toISOString().slice(0, 10) ?? '').toBe(due);
      const said = [...topic.comments.values()].map(({ author, comment }) => [author, comment]);
      expect(said).toEqual(comments.map(({ author, text }) => [author, escaped(text)]));
      for (const id of clashes.id.filter((_, i) => clashes.group[i] === group))
        expect(topic.description).toContain(`[${id}]`);

      const [guid, ...more] = topic.viewpoints;
      expect(more).toEqual([]);
      const { camera, snapshot } = viewpoints.list.get(guid)!;
      for (const key of ['camera_view_point', 'camera_direction', 'camera_up_vector'] as const)
        expect(Object.values(camera[key]).every((x) => Number.isFinite(x))).toBe(true);
      const png = entries[`${topic.guid}/snapshot.png`];
      const isPictured = status !== 'approved';
      expect(png !== undefined).toBe(isPictured);
      if (!png) continue;
      pictures++;
      expect(Buffer.from(viewpoints.snapshots.get(snapshot)!).equals(png)).toBe(true);
    }
    expect(pictures).toBeGreaterThan(1);

    // an unchanged export changes nothing
    const back = async () => Buffer.from(await (await topics.export()).arrayBuffer());
    await imported(await back());
    expect(saved()).toEqual(decided);

    // the tool changes a topic
    const closed = [...topics.list.values()].find(({ status }) => status === 'Active')!;
    closed.set({ status: 'Closed', assignedTo: 'ann@example.com' });
    closed.createComment('moved');
    const ids = [...closed.description!.matchAll(/\[([0-9a-f]{16})\]/g)].map(([, id]) => id);
    await imported(await back());
    for (const [id, decision] of saved()) {
      const was = decided.get(id);
      if (!ids.includes(id)) expect(decision).toEqual(was);
      else {
        expect(decision).toMatchObject({ status: 'resolved', assignee: 'ann@example.com', due: was!.due });
        expect(decision.comments.map(({ text }) => text)).toEqual([was!.comments[0].text, 'moved']);
      }
    }

    // without any decisions here; texts are as the tool has escaped them
    const all = saved();
    rmSync(reviewPath());
    await imported(await back());
    const again = new Map(
      [...all].map(([id, { comments, ...rest }]) => [
        id,
        { ...rest, comments: comments.map((one) => ({ ...one, text: escaped(one.text) })) },
      ]),
    );
    expect(saved()).toEqual(again);
    rmSync(reviewPath());
    expect(faults).toEqual([]);
  });
});
