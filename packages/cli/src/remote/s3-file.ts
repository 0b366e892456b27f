/** Files in object storage: `s3://bucket/key`. */
import { type LeastPace, Pace, type RemoteFile } from '@impinge/model/node';
import { CommandError } from '../command-error.js';
import { s3Library } from './s3-client.js';

export interface S3Place {
  readonly Bucket: string;
  readonly Key: string;
}

export function s3Place(name: string): S3Place {
  const [, Bucket, Key] = /^s3:\/\/([^/]+)\/(.+)$/s.exec(name) ?? [];
  if (!Bucket || !Key) throw new CommandError(`${name}: not of the form s3://bucket/key`);
  return { Bucket, Key };
}

export async function openS3File(name: string, least?: LeastPace): Promise<RemoteFile> {
  const place = s3Place(name);
  const { client, HeadObjectCommand, GetObjectCommand } = await s3Library(name);
  const { ContentLength, ETag } = await atPace(name, least, ({ signal }) =>
    client.send(new HeadObjectCommand(place), { abortSignal: signal }),
  );
  if (ContentLength === undefined)
    throw new CommandError(`${name}: cannot be read: the server reports no length`);
  return {
    name,
    byteLength: ContentLength,
    part: (at, length) =>
      atPace(name, least, async (pace) => {
        const Range = `bytes=${at}-${at + length - 1}`;
        const asked = { ...place, Range, ...(ETag && { IfMatch: ETag }) };
        const answer = await client.send(new GetObjectCommand(asked), { abortSignal: pace.signal });
        if (answer.ETag !== ETag) throw changed(name);
        const range = `bytes ${at}-${at + length - 1}/${ContentLength}`;
        if (answer.ContentRange !== range)
          throw new CommandError(
            `${name}: cannot be read: the server sent ${answer.ContentRange} instead of ${range}`,
          );
        return bodyOf(name, answer.Body!, length, pace);
      }),
  };
}

/** Exactly this many bytes, even if the server sends more. */
async function bodyOf(name: string, body: AsyncIterable<Uint8Array>, length: number, pace: Pace) {
  const bytes = new Uint8Array(length);
  let count = 0;
  for await (const chunk of body) {
    pace.came(chunk.length);
    if (count + chunk.length <= length) bytes.set(chunk, count);
    count += chunk.length;
  }
  if (count !== length) throw new CommandError(`${name}: cannot be read: the server sent another range`);
  return bytes;
}

/** Awaits a request to a server, with a time limit. */
async function atPace<T>(
  name: string,
  least: LeastPace | undefined,
  ask: (pace: Pace) => Promise<T>,
): Promise<T> {
  const pace = new Pace(least);
  const late = new Promise<never>((_, reject) =>
    pace.signal.addEventListener('abort', () => reject(pace.signal.reason)),
  );
  try {
    return await named(name, Promise.race([ask(pace), late]));
  } finally {
    pace.end();
  }
}

/** Converts errors of the library to one line of our own. */
export async function named<T>(name: string, answer: Promise<T>, what = 'read'): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { name: kind, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode;
    if (status === 412) throw changed(name);
    // for a HEAD request, servers return only the status
    const why = /^(Unknown|UnknownError|\d*)$/.test(message) ? kind : message;
    throw new CommandError(`${name}: cannot be ${what}: ${why}${status ? ` (${status})` : ''}`);
  }
}

function changed(name: string): CommandError {
  return new CommandError(`${name}: cannot be read: the file has changed`);
}
