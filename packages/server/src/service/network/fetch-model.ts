/** Downloads a model into a file, with limits on size and pace. */
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { withoutSecrets } from '@impinge/cli/internal/remote/location.js';
import { fileSize } from '@impinge/cli/internal/terminal.js';
import { type LeastPace, Pace } from '@impinge/model/node';
import { guardedRequest, type NetworkPolicy } from './guarded-request.js';

export interface FetchLimits {
  /** Maximum number of bytes. */
  readonly most: number;
  /** From the first request on, including redirects and response headers. */
  readonly least: LeastPace;
  readonly policy: NetworkPolicy;
}

export async function fetchModel(
  address: string,
  path: string,
  { most, least, policy }: FetchLimits,
  signal: AbortSignal,
): Promise<void> {
  const pace = new Pace(least);
  const either = AbortSignal.any([signal, pace.signal]);
  try {
    const answer = await guardedRequest(address, { method: 'GET', signal: either }, policy);
    if (answer.statusCode !== 200) {
      answer.destroy();
      throw new CommandError(`${withoutSecrets(address)}: the server responded with ${answer.statusCode}`);
    }
    let bytes = 0;
    const bounded = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        pace.came(chunk.length);
        bytes += chunk.length;
        if (bytes > most)
          done(new CommandError(`${withoutSecrets(address)}: is larger than ${fileSize(most)}`));
        else done(null, chunk);
      },
    });
    await pipeline(answer, bounded, createWriteStream(path, { flags: 'w' }), { signal: either });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof CommandError) throw error;
    const why = pace.signal.aborted ? 'comes too slowly' : 'breaks off';
    const { message } = pace.signal.aborted ? pace.signal.reason : (error as Error);
    throw new CommandError(`${withoutSecrets(address)}: ${why}: ${message}`);
  } finally {
    pace.end();
  }
}
