/** What the tests run in a page: see browser-page.ts. Its driver is in software, and slow. */
import type { CullingDevice } from '../src/index.js';
import { type Case, Examiner, type Findings, GPU_WAYS } from './examiner.js';
import type { Row } from './oracle.js';

let device: Promise<CullingDevice> | undefined;

/** One for all: it keeps what was compiled. */
function sharedDevice(): Promise<CullingDevice> {
  return (device ??= navigator.gpu.requestAdapter().then((adapter) => {
    if (!adapter) throw new Error('no adapter');
    return adapter.requestDevice();
  }));
}

/** Examines configurations; gives back the findings and the pairs of each. */
export async function meeting(cases: Case[]): Promise<{ findings: Findings; rows: Row[][] }> {
  const examiner = new Examiner(await sharedDevice(), GPU_WAYS);
  const rows: Row[][] = [];
  for (const [number, way] of cases) rows.push(await examiner.meeting(number, way));
  examiner.dispose();
  return { findings: examiner.findings, rows };
}

export async function near(cases: Case[]): Promise<Findings> {
  const examiner = new Examiner(await sharedDevice(), GPU_WAYS);
  for (const [number, way] of cases) await examiner.near(number, way);
  examiner.dispose();
  return examiner.findings;
}

export async function folded(cases: Case[]): Promise<Findings> {
  const examiner = new Examiner(await sharedDevice(), GPU_WAYS);
  for (const [number, way] of cases) await examiner.folded(number, way);
  examiner.dispose();
  return examiner.findings;
}
