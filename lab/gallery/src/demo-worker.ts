/** Runs the demos of the gallery, one at a time, one step per request. */
import type { Answer, Demo, Frame, Request, Running, Values } from './protocol.js';

const DEMOS: Readonly<Record<string, () => Promise<Demo>>> = {
  tori: async () => (await import('./demos/tori.js')).toriDemo,
  cloth: async () => (await import('./demos/cloth.js')).clothDemo,
  breaking: async () => (await import('./demos/breaking.js')).breakingDemo,
  'nut-bolt': async () => (await import('./demos/nut-bolt.js')).nutBoltDemo,
  culling: async () => (await import('./demos/culling.js')).cullingDemo,
  levels: async () => (await import('./demos/levels.js')).levelsDemo,
  puzzle: async () => (await import('./demos/puzzle.js')).puzzleDemo,
  'spoon-cup': async () => (await import('./demos/contact-levels.js')).spoonCupDemo,
  'torus-peg': async () => (await import('./demos/contact-levels.js')).torusPegDemo,
};

let running: Running | undefined;
let values: Values = {};
let run = 0;
/** Requests are answered in order. */
let last: Promise<void> = Promise.resolve();

async function answer(request: Request): Promise<void> {
  if (request.kind === 'set') {
    values = request.values;
    return;
  }
  if (request.kind === 'start') {
    run = request.run;
    values = request.values;
    const before = running;
    running = undefined;
    await before?.dispose();
    const { demo } = request;
    running = await (await DEMOS[demo]()).start(values, (text) => send({ kind: 'progress', run, text }));
  }
  if (!running) return;
  const frame = await running.step(values);
  send({ kind: 'frame', run, frame }, buffersOf(frame));
}

function buffersOf({ surfaces, instances }: Frame): ArrayBufferLike[] {
  const arrays = surfaces.flatMap(({ positions, indices, colours }) => [positions, indices, colours]);
  if (instances) arrays.push(instances.matrices, instances.shape?.positions, instances.shape?.indices);
  return arrays.flatMap((array) => (array ? [array.buffer] : []));
}

function send(message: Answer, transfer: ArrayBufferLike[] = []): void {
  postMessage(message, { transfer: transfer as ArrayBuffer[] });
}

addEventListener('message', ({ data }: MessageEvent<Request>) => {
  last = last
    .then(() => answer(data))
    .catch((error: unknown) => {
      running = undefined;
      send({ kind: 'failed', run, message: error instanceof Error ? error.message : String(error) });
    });
});
