/** The page's side of the streaming worker: its messages are processed in order, a little in every frame. */
import type {
  ClashQuestion,
  DrawList,
  FromStream,
  Opened,
  StreamStats,
  ToStream,
  Upload,
} from '../streaming/protocol.js';
import type { SlabScene } from './slab-scene.js';
import type { Point } from './types.js';

const NOTHING: StreamStats = {
  cameraId: 0,
  triangles: 0,
  fewTriangles: 0,
  pixelError: Infinity,
  complete: false,
  leftOut: 0,
  gpuBytes: 0,
  memoryBytes: 0,
  bytesRead: 0,
  selectMs: 0,
};

export interface StreamListener {
  /** Called when there are messages to process. */
  arrived(): void;
  coloured(ofObject: Uint8Array): void;
  failed(message: string): void;
}

export class StreamClient {
  stats: StreamStats = NOTHING;
  /** Bytes waiting for upload. */
  waitingBytes = 0;
  readonly #worker: Worker;
  readonly #listener: StreamListener;
  #queue: (Upload | DrawList)[] = [];
  /** Whether incoming data is from before a lost context. */
  #isStale = false;
  #questions = 0;
  readonly #answers = new Map<number, (direction: Point | null) => void>();
  #opened: { resolve: (opened: Opened) => void; reject: (error: Error) => void } | undefined;

  constructor(listener: StreamListener) {
    this.#listener = listener;
    this.#worker = new Worker(new URL('../streaming/stream-worker.ts', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromStream>) => this.#hear(data));
    this.#worker.addEventListener('error', (event) => this.#fail(event.message));
  }

  open(storeUrl: string, memory: number, budget: number): Promise<Opened> {
    return new Promise((resolve, reject) => {
      this.#opened = { resolve, reject };
      this.say({ kind: 'open', storeUrl: new URL(storeUrl, location.href).href, memory, budget });
    });
  }

  say(message: ToStream, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  /** A port through which another worker can read the store; see page-port.ts. */
  pages(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.say({ kind: 'pages', port: port2 }, [port2]);
    return port1;
  }

  /** The best side to look at a contact from; null: unknown. */
  sideOf(question: ClashQuestion): Promise<Point | null> {
    const id = ++this.#questions;
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.say({ kind: 'clash', id, question });
    });
  }

  get isWaiting(): boolean {
    return this.#queue.length > 0;
  }

  /** Processes messages for at most this time. Returns whether the picture has changed. */
  work(slabs: SlabScene, milliseconds: number): boolean {
    const end = performance.now() + milliseconds;
    let [bytes, at, isChanged] = [0, 0, false];
    for (; at < this.#queue.length && performance.now() < end; at++) {
      const message = this.#queue[at];
      if (message.kind === 'draw') {
        slabs.setRanges(message);
        this.stats = message.stats;
        isChanged = true;
      } else {
        slabs.upload(message);
        bytes += bytesOf(message);
      }
    }
    this.#queue.splice(0, at);
    this.waitingBytes -= bytes;
    if (bytes > 0) this.say({ kind: 'uploaded', bytes });
    return isChanged;
  }

  /** Call after a lost context. */
  lost(): void {
    this.#queue = [];
    this.waitingBytes = 0;
    this.#isStale = true;
    this.stats = NOTHING;
    this.say({ kind: 'lost' });
  }

  dispose(): void {
    this.#worker.terminate();
    this.#queue = [];
  }

  #hear(message: FromStream): void {
    if (message.kind === 'opened') this.#opened?.resolve(message);
    else if (message.kind === 'colours') this.#listener.coloured(message.ofObject);
    else if (message.kind === 'failed') this.#fail(message.message);
    else if (message.kind === 'side') {
      this.#answers.get(message.id)?.(message.direction);
      this.#answers.delete(message.id);
    } else if (message.kind === 'forgotten') this.#isStale = false;
    else if (!this.#isStale) {
      this.#queue.push(message);
      if (message.kind === 'upload') this.waitingBytes += bytesOf(message);
      this.#listener.arrived();
    }
  }

  #fail(message: string): void {
    this.#opened?.reject(new Error(message));
    this.#listener.failed(message);
  }
}

function bytesOf({ positions, objects, indices }: Upload): number {
  return positions.byteLength + objects.byteLength + indices.byteLength;
}
