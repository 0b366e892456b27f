/** Reports of checks: their clashes, and the pictures of their issues. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { Refusal } from './root-folder.js';
import type { Workplace } from './tool.js';

/** What of a line of clashes.jsonl is looked at here; all of it is handed on. */
export interface ClashLine {
  readonly id: string;
  readonly kind: string;
  readonly group: string;
  readonly depth: number;
  readonly distance: number;
  readonly rule: string;
  readonly storey: string;
  readonly a: ObjectLine;
  readonly b: ObjectLine;
}

export interface ObjectLine {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly box: unknown;
}

/** Where a report of this session lies, or one of the root folder that the command wrote before. */
export async function reportFolder(name: string, { root, runs }: Workplace): Promise<string> {
  if (/^report-\d+$/.test(name)) return join(runs.folder, name);
  return join(await root.fileAt(`${name}/clashes.jsonl`), '..');
}

export async function readClashes(name: string, workplace: Workplace): Promise<ClashLine[]> {
  const folder = await reportFolder(name, workplace);
  const text = await readFile(join(folder, 'clashes.jsonl'), 'utf8').catch(() => {
    throw new Refusal(`${name}: no such report; check_model makes them`);
  });
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as ClashLine).filter(({ id, kind }) => id && kind);
}

/** The picture of the issue that a clash belongs to. */
export async function pictureOf(id: string, folder: string): Promise<Uint8Array | undefined> {
  const file = await readFile(join(folder, 'clashes.bcfzip')).catch(() => undefined);
  if (!file) return undefined;
  const topics = unzipSync(file, { filter: ({ name }) => name.endsWith('/markup.bcf') });
  const topic = Object.keys(topics).find((name) => strFromU8(topics[name]).includes(`[${id}]`));
  if (topic === undefined) return undefined;
  const picture = topic.replace('markup.bcf', 'snapshot.png');
  return unzipSync(file, { filter: ({ name }) => name === picture })[picture];
}
