/** A model that is being sent, into a file that takes its place when it is complete. */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Folders } from './folders.js';
import { bodyParts } from './request-body.js';
import { leastPace, type RequestLimits } from './settings.js';

export interface UploadOptions {
  readonly most: number;
  readonly limits: RequestLimits;
  readonly signal: AbortSignal;
  readonly tooLarge: () => Error;
}

export interface Received {
  readonly bytes: number;
  readonly sha256: string;
}

export async function receiveUpload(
  request: IncomingMessage,
  folders: Folders,
  id: string,
  name: string,
  options: UploadOptions,
): Promise<Received> {
  if (Number(request.headers['content-length'] ?? 0) > options.most) throw options.tooLarge();
  const partial = join(folders.uploads, id);
  const file = await open(partial, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    const bytes = await received(request, file, hash, options);
    await file.sync();
    await file.close();
    await mkdir(folders.model(id));
    await rename(partial, join(folders.model(id), name));
    return { bytes, sha256: hash.digest('hex') };
  } catch (error) {
    await file.close().catch(() => {});
    await rm(partial, { force: true });
    throw error;
  }
}

async function received(
  request: IncomingMessage,
  file: FileHandle,
  hash: Hash,
  { most, limits, signal, tooLarge }: UploadOptions,
): Promise<number> {
  let bytes = 0;
  for await (const part of bodyParts(request, leastPace(limits))) {
    signal.throwIfAborted();
    bytes += part.length;
    if (bytes > most) throw tooLarge();
    hash.update(part);
    await file.writeFile(part);
  }
  return bytes;
}
