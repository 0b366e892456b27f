/** One body, and the model that it is moved through, for as long as a command needs them. */
import { CommandError } from '../command-error.js';
import { parseMemory } from '../quantities.js';
import type { FileOptions } from '../reading.js';
import { type BoxBody, bodyOfBox, openBody, type PathBody } from './path-body.js';
import { openPathModel } from './path-model.js';
import { scaledTranslation } from './path-poses.js';
import { StandingModel } from './standing-model.js';

export async function withBody<T>(
  name: string,
  asked: string | BoxBody,
  options: FileOptions & { readonly memory: string },
  work: (standing: StandingModel, body: PathBody) => Promise<T>,
): Promise<T> {
  const memory = parseMemory(options.memory);
  const model = await openPathModel(name, options);
  try {
    const body =
      typeof asked === 'string'
        ? await openBody(asked, model, options)
        : bodyOfBox(asked, model.meta.metresPerUnit);
    const standing = new StandingModel(model, memory, body.object === undefined ? [] : [body.object]);
    try {
      return await work(standing, body);
    } finally {
      await standing.dispose();
    }
  } finally {
    await model.dispose();
  }
}

/** Where an object of the model stands, in metres. */
export function placeOf({ stands }: PathBody, { model }: StandingModel, option: string): Float64Array {
  if (!stands) throw new CommandError(`${option}: a pose is needed, since the body is a file`);
  return scaledTranslation(stands, model.meta.metresPerUnit);
}
