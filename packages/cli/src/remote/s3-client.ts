/**
 * The S3 client library, if it is installed: it finds credentials (environment, profiles, the machine's role) and
 * retries requests. It is not installed with the command, because it is larger than the whole command.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { CommandError } from '../command-error.js';

const PACKAGE = '@aws-sdk/client-s3';
const UPLOAD_PACKAGE = '@aws-sdk/lib-storage';

/** The part of its interface that is used. */
export interface S3Client {
  send(command: object, options: { readonly abortSignal: AbortSignal }): Promise<S3Answer>;
}

export interface S3Answer {
  readonly ETag?: string;
  readonly ContentLength?: number;
  readonly ContentRange?: string;
  readonly Body?: AsyncIterable<Uint8Array>;
}

type Command = new (input: object) => object;

export interface S3Library {
  readonly client: S3Client;
  readonly HeadObjectCommand: Command;
  readonly GetObjectCommand: Command;
}

type S3Module = Omit<S3Library, 'client'> & {
  readonly S3Client: new (options: object) => S3Client;
};

const TRIES = 5;

let opened: Promise<S3Library> | undefined;

/** One client for all requests of the process. */
export function s3Library(name: string): Promise<S3Library> {
  opened ??= open(name);
  return opened;
}

async function open(name: string): Promise<S3Library> {
  // users of a command cannot act on a warning about Node.js versions of its next release
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const library = await loaded<S3Module>(PACKAGE, name);
  // self-hosted servers have no domain for each bucket
  const forcePathStyle = (process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL) !== undefined;
  return { ...library, client: new library.S3Client({ maxAttempts: TRIES, forcePathStyle }) };
}

/** Uploads large files in parts; discards the parts if it fails. */
export interface S3Upload {
  done(): Promise<unknown>;
  abort(): Promise<void>;
  on(event: 'httpUploadProgress', listener: (progress: { readonly loaded?: number }) => void): void;
}

export type S3Uploader = new (options: object) => S3Upload;

export async function s3Uploader(name: string): Promise<S3Uploader> {
  return (await loaded<{ readonly Upload: S3Uploader }>(UPLOAD_PACKAGE, name)).Upload;
}

async function loaded<T>(packageName: string, name: string): Promise<T> {
  let path: string;
  try {
    path = createRequire(import.meta.url).resolve(packageName);
  } catch {
    throw new CommandError(
      `${name}: this needs ${packageName}, which is not installed; run npm install ${packageName}`,
    );
  }
  const module = await import(pathToFileURL(path).href);
  return module.default ?? module;
}
