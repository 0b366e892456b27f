/** Uploads files to object storage, in parts of a few megabytes. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError } from '../command-error.js';
import { interruptible } from '../interruptible.js';
import { Progress } from '../progress.js';
import { s3Library, s3Uploader } from './s3-client.js';
import { named, s3Place } from './s3-file.js';

const PART_BYTES = 8 << 20;
const PARTS_AT_ONCE = 4;

/** Reports problems of the destination before there is anything to upload. */
export async function assertUploadable(name: string): Promise<void> {
  if (!/^s3:/i.test(name)) throw new CommandError(`${name}: files are uploaded to s3://bucket/key`);
  s3Place(name);
  await s3Library(name);
  await s3Uploader(name);
}

/** Uploads files to a folder; returns their names there. */
export async function uploadInto(folder: string, paths: readonly string[]): Promise<string[]> {
  const names = paths.map((path) => `${folder.replace(/\/$/, '')}/${basename(path)}`);
  for (const [i, path] of paths.entries()) await uploadFile(path, names[i]);
  return names;
}

/** The file appears under this name only when complete. */
export async function uploadFile(path: string, name: string): Promise<void> {
  const [{ client }, Upload] = [await s3Library(name), await s3Uploader(name)];
  const { size: total } = await stat(path);
  const progress = new Progress();
  await interruptible(async (signal) => {
    signal.throwIfAborted();
    const params = { ...s3Place(name), Body: createReadStream(path) };
    const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE });
    progress.begin({ label: `uploading ${basename(name)}`, total, unit: 'bytes' });
    upload.on('httpUploadProgress', ({ loaded = 0 }) => progress.update(loaded));
    const stop = () => void upload.abort();
    signal.addEventListener('abort', stop);
    try {
      await named(name, upload.done(), 'written');
    } finally {
      signal.removeEventListener('abort', stop);
      progress.end();
      signal.throwIfAborted();
    }
  });
}
