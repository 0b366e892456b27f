/** What the tests run in a page: see browser-page.ts. Drivers there are in software, and slow. */
import { type CullerOptions, type CullingDevice, VisibilityCuller } from '../../src/gpu.js';
import { type Case, Examiner, type Findings, GPU_WAYS } from './examiner.js';
import type { Row } from './oracle.js';
import { Story } from './story.js';

type Kind = 'webgl2' | 'webgpu';

const devices = new Map<Kind, Promise<CullingDevice>>();

/** One for all that do not harm it: it keeps what was compiled. */
function sharedDevice(kind: Kind): Promise<CullingDevice> {
  const device = devices.get(kind) ?? deviceOf(kind);
  devices.set(kind, device);
  return device;
}

async function deviceOf(kind: Kind): Promise<CullingDevice> {
  if (kind === 'webgpu') {
    const adapter = await navigator.gpu.requestAdapter();
    if (!adapter) throw new Error('no adapter');
    return adapter.requestDevice();
  }
  const context = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (!context) throw new Error('no WebGL2');
  return context;
}

/** Examines configurations; gives back the findings and the pairs of each. */
export async function meeting(kind: Kind, cases: Case[]): Promise<{ findings: Findings; rows: Row[][] }> {
  const examiner = new Examiner(await sharedDevice(kind), GPU_WAYS);
  const rows: Row[][] = [];
  for (const [number, way] of cases) rows.push(await examiner.meeting(number, way));
  examiner.dispose();
  return { findings: examiner.findings, rows };
}

export async function near(kind: Kind, cases: Case[]): Promise<Findings> {
  const examiner = new Examiner(await sharedDevice(kind), GPU_WAYS);
  for (const [number, way] of cases) await examiner.near(number, way);
  examiner.dispose();
  return examiner.findings;
}

export async function folded(kind: Kind, cases: Case[]): Promise<Findings> {
  const examiner = new Examiner(await sharedDevice(kind), GPU_WAYS);
  for (const [number, way] of cases) await examiner.folded(number, way);
  examiner.dispose();
  return examiner.findings;
}

/** Plays a story; says what was wrong, and how much the context held early on and at the end. */
export async function play(options: CullerOptions, frames: number, every: number) {
  const gl = (await deviceOf('webgl2')) as WebGL2RenderingContext;
  const held = countResources(gl);
  const wrong: string[] = [];
  const culler = new VisibilityCuller(gl, {
    ...options,
    resolution: 64,
    onFallback: (message) => wrong.push(`fell back: ${message}`),
  });
  const story = new Story(culler, 3);
  const early = { ...held };
  for (let frame = 1; frame <= frames; frame++) {
    story.advance();
    if (frame % every === 0) {
      const problem = await story.compare();
      if (problem) wrong.push(`frame ${frame}: ${problem}`);
    } else await story.ask();
    if (frame > frames / 2) continue;
    early.queries = Math.max(early.queries, held.queries);
    early.others = Math.max(early.others, held.others);
  }
  const late = { ...held };
  story.end();
  culler.dispose();
  return { wrong, early, late, left: held, events: story.events };
}

/** Loses the context after some queries, while another is under way. */
export async function loseContext() {
  const gl = (await deviceOf('webgl2')) as WebGL2RenderingContext;
  const said: string[] = [];
  const culler = new VisibilityCuller(gl, {
    resolution: 64,
    levels: ['triangles'],
    onFallback: (message) => said.push(message),
  });
  const story = new Story(culler, 5);
  const wrong: (string | undefined)[] = [await story.compare()];
  const before = culler.backend;
  const asked = culler.collide();
  gl.getExtension('WEBGL_lose_context')!.loseContext();
  await asked;
  for (let i = 0; i < 3; i++) {
    story.advance();
    wrong.push(await story.compare());
  }
  const after = culler.backend;
  story.end();
  culler.dispose();
  return { wrong: wrong.filter((problem) => problem !== undefined), said, before, after };
}

/** What a context holds: query objects; buffers, textures and the like. */
export interface GlResources {
  queries: number;
  others: number;
}

/** Counts what is made and not deleted from now on. */
function countResources(gl: WebGL2RenderingContext): GlResources {
  const held = { queries: 0, others: 0 };
  const target = gl as unknown as Record<string, (...args: unknown[]) => unknown>;
  const kinds = [
    'Buffer',
    'Texture',
    'Framebuffer',
    'Renderbuffer',
    'VertexArray',
    'Program',
    'Shader',
    'Query',
  ];
  for (const what of kinds) {
    const count = what === 'Query' ? 'queries' : 'others';
    const create = target[`create${what}`].bind(gl);
    const remove = target[`delete${what}`].bind(gl);
    const known = new Set<unknown>();
    target[`create${what}`] = (...args) => {
      const made = create(...args);
      if (made) known.add(made);
      held[count] += made ? 1 : 0;
      return made;
    };
    target[`delete${what}`] = (...args) => {
      if (known.delete(args[0])) held[count]--;
      return remove(...args);
    };
  }
  return held;
}
