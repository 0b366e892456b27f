/** Receives an upload into a temporary file, which is moved into place when complete. */
import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import { fileSize } from '@impinge/cli/internal/terminal.js';
import type { Exchange } from './api/route.js';
import type { Folders } from './folders.js';
import { bodyParts } from './request-body.js';
import { leastPace, type ServiceSettings } from './settings.js';

export async function receiveUpload(
  { request, signal }: Pick<Exchange, 'request' | 'signal'>,
  folders: Folders,
  id: string,
  name: string,
  { uploadBytes, limits }: ServiceSettings,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const assertFits = (bytes: number) => {
    if (bytes > uploadBytes)
      throw new RequestError(413, `${name}: a model may have at most ${fileSize(uploadBytes)}`);
  };
  assertFits(Number(request.headers['content-length'] ?? 0));
  const partial = join(folders.uploads, id);
  const file = await open(partial, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const part of bodyParts(request, leastPace(limits))) {
      signal.throwIfAborted();
      bytes += part.length;
      assertFits(bytes);
      hash.update(part);
      await file.writeFile(part);
    }
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
