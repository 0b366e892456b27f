/** The worker that reads the store for the picture. */
import { openStore, type StoredModel, UrlSource } from '@impinge/model';
import { OWN_COLOURS } from '../picture/palette.js';
import type { Point } from '../picture/types.js';
import { sideOfClash } from './clash-side.js';
import { KeptReads } from './kept-reads.js';
import { ownColours } from './own-colours.js';
import { servePages } from './page-port.js';
import type { ClashQuestion, FromStream, OpenRequest, ToStream } from './protocol.js';
import { gapBytesOf } from './reads.js';
import { Streamer } from './streamer.js';

/** Of the memory beyond what a picture needs, the share for pages as they were read: questions may be about them. */
const PICTURE_BYTES = 200e6;
const KEPT_SHARE = 0.15;

const post = (message: FromStream, transfer: Transferable[] = []) =>
  (self as unknown as { postMessage(message: unknown, transfer: Transferable[]): void }).postMessage(
    message,
    transfer,
  );
const fail = (error: unknown) =>
  post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });

let streamer: Streamer | undefined;
let stored: StoredModel | undefined;

async function open({ storeUrl, memory, budget }: OpenRequest): Promise<void> {
  const source = await UrlSource.open(storeUrl);
  const keptBytes = KEPT_SHARE * Math.max(0, memory - PICTURE_BYTES);
  const kept = new KeptReads(source, keptBytes);
  const model = await openStore(kept);
  stored = model;
  streamer = new Streamer(model, {
    memory: memory - keptBytes,
    budget,
    send: post,
    fail,
    bytesRead: () => kept.bytesRead,
    keptBytes: () => kept.keptBytes,
    gapBytes: gapBytesOf(storeUrl),
    now: () => performance.now(),
  });
  tell(model, streamer);
}

function tell(model: StoredModel, { origins: { origin, step, origins, box } }: Streamer): void {
  const { objectPose, objectBox } = model.directory;
  const [poses, boxes] = [new Float64Array(objectPose), new Float64Array(objectBox)];
  post(
    {
      kind: 'opened',
      origin: [...origin],
      step,
      origins: origins.slice(),
      poses,
      boxes,
      box,
      metresPerUnit: model.meta.metresPerUnit,
    },
    [poses.buffer, boxes.buffer],
  );
  // there are many names: let the first pieces be requested before
  setTimeout(() => {
    const ofObject = ownColours(model, OWN_COLOURS.length);
    post({ kind: 'colours', ofObject }, [ofObject.buffer]);
  }, 300);
}

async function answerClash(id: number, question: ClashQuestion): Promise<void> {
  if (streamer) streamer.watched = question.objects;
  let direction: Point | null = null;
  try {
    if (stored) direction = (await sideOfClash(stored, question)).direction;
  } catch (error) {
    fail(error);
  }
  post({ kind: 'side', id, direction });
}

addEventListener('message', ({ data }: MessageEvent<ToStream>) => {
  if (data.kind === 'open') open(data).catch(fail);
  else if (data.kind === 'look') streamer?.look(data.camera);
  else if (data.kind === 'hide') streamer?.hide(data.hidden);
  else if (data.kind === 'move') streamer?.move(data.object, data.pose);
  else if (data.kind === 'refine') streamer?.refine(data.near);
  else if (data.kind === 'reserve') {
    if (streamer) streamer.reservedBytes = data.bytes;
  } else if (data.kind === 'uploaded') streamer?.uploaded(data.bytes);
  else if (data.kind === 'pages') {
    if (stored) servePages(data.port, stored);
  } else if (data.kind === 'clash') void answerClash(data.id, data.question);
  else if (data.kind === 'lost') {
    post({ kind: 'forgotten' });
    streamer?.lost();
  }
});
