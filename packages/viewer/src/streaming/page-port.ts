/** A store that another worker has open, read through a port: both sides. */
import { type PageSource, StoredModel } from '@impinge/model';
import { type AskedQuestion, Questions, type Reply, reply } from '../worker-questions.js';
import { scatter } from './kept-reads.js';

type PageQuestion = 'open' | 'read';

/** The directory is shared memory where the page may have such; otherwise it is copied, once. */
type OpenAnswer = Pick<StoredModel, 'meta' | 'directory' | 'directoryBytes'> & Pick<PageSource, 'byteLength'>;

/** Answers from a store until the worker ends. */
export function servePages(
  port: MessagePort,
  { source, meta, directory, directoryBytes }: StoredModel,
): void {
  const answer = async (question: PageQuestion, at: number, length: number) => {
    const { byteLength } = source;
    if (question === 'open') return { byteLength, meta, directory, directoryBytes } satisfies OpenAnswer;
    const bytes = new Uint8Array(length);
    await source.read(at, [bytes]);
    return bytes;
  };
  const post = (answered: Reply) => {
    const isPage = 'value' in answered && answered.value instanceof Uint8Array;
    port.postMessage(answered, isPage ? [(answered.value as Uint8Array<ArrayBuffer>).buffer] : []);
  };
  port.addEventListener('message', ({ data }: MessageEvent<AskedQuestion>) => void reply(data, answer, post));
  port.start();
}

/** Opens the store of the other side: its directory was checked there. */
export async function openServedStore(port: MessagePort): Promise<StoredModel> {
  const questions = new Questions<PageQuestion>(port, 'the store was closed');
  const { byteLength, meta, directory, directoryBytes } = await questions.ask<OpenAnswer>('open');
  const source: PageSource = {
    byteLength,
    read: async (at, into) => {
      const length = into.reduce((sum, buffer) => sum + buffer.length, 0);
      if (length > 0) scatter(await questions.ask<Uint8Array>('read', at, length), into);
    },
  };
  return new StoredModel(source, meta, directory, directoryBytes);
}
