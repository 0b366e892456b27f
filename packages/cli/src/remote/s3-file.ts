/** Files in object storage: `s3://bucket/key`. */
import type { RemoteFile } from 'impinge/node';
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

export async function openS3File(name: string): Promise<RemoteFile> {
  const place = s3Place(name);
  const { client, HeadObjectCommand, GetObjectCommand } = await s3Library(name);
  const { ContentLength, ETag } = await told(name, client.send(new HeadObjectCommand(place)));
  if (ContentLength === undefined)
    throw new CommandError(`${name}: cannot be read: the server tells no length`);
  return {
    name,
    byteLength: ContentLength,
    part: async (at, length) => {
      const asked = { ...place, Range: `bytes=${at}-${at + length - 1}`, ...(ETag && { IfMatch: ETag }) };
      const answer = await told(name, client.send(new GetObjectCommand(asked)));
      if (answer.ETag !== ETag || answer.ContentRange !== `bytes ${at}-${at + length - 1}/${ContentLength}`)
        throw changed(name);
      const bytes = await told(name, answer.Body!.transformToByteArray());
      if (bytes.length !== length)
        throw new CommandError(`${name}: cannot be read: the server sent another part`);
      return bytes;
    },
  };
}

/** Errors of the library in a line of our own. */
export async function told<T>(name: string, answer: Promise<T>, what = 'read'): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const { name: kind, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode;
    if (status === 412) throw changed(name);
    // of a request for the head of a file, servers tell the status alone
    const why = /^(Unknown|UnknownError|\d*)$/.test(message) ? kind : message;
    throw new CommandError(`${name}: cannot be ${what}: ${why}${status ? ` (${status})` : ''}`);
  }
}

function changed(name: string): CommandError {
  return new CommandError(`${name}: cannot be read: the file has changed`);
}
