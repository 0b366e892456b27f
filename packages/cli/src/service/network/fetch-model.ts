/** A model from a server into a file: no more than may be, and not slower than it is worth waiting for. */
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../../command-error.js';
import { spoken } from '../../remote/location.js';
import { fileSize } from '../../terminal.js';
import { guardedRequest, type NetworkPolicy } from './guarded-request.js';

export async function fetchModel(
  address: string,
  path: string,
  most: number,
  policy: NetworkPolicy,
  signal: AbortSignal,
): Promise<void> {
  const answer = await guardedRequest(address, { method: 'GET', signal }, policy);
  if (answer.statusCode !== 200) {
    answer.destroy();
    throw new CommandError(`${spoken(address)}: the server answers ${answer.statusCode}`);
  }
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(new CommandError(`${spoken(address)}: is larger than ${fileSize(most)}`));
      else done(null, chunk);
    },
  });
  try {
    await pipeline(answer, bounded, createWriteStream(path, { flags: 'w' }), { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${spoken(address)}: breaks off: ${(error as Error).message}`);
  }
}
