/** Whether a body can be moved, or put somewhere. */
import { z } from 'zod';
import { Refusal } from '../root-folder.js';
import { fileName, length, option, point, selector, selectorText, tool, type Workplace } from '../tool.js';

const bodies = {
  model: fileName,
  bodyFile: fileName.optional().describe('the body, if it is a file of its own'),
  bodyObject: selector.optional().describe('the body, if it is an object of the model'),
  clearance: length.optional().describe('how far it keeps from everything'),
};

async function body(
  { bodyFile, bodyObject }: { bodyFile?: string | undefined; bodyObject?: string | undefined },
  { root }: Workplace,
): Promise<string[]> {
  if ((bodyFile === undefined) === (bodyObject === undefined))
    throw new Refusal('name one of bodyFile and bodyObject');
  return option('body', bodyFile === undefined ? selectorText(bodyObject!) : await root.fileAt(bodyFile));
}

/** Without the names of files, which are those of the question. */
function about(answer: unknown): object {
  const { model: _, body: __, ...facts } = answer as Record<string, unknown>;
  return facts;
}

export const findPath = tool({
  name: 'find_path',
  title: 'Find a path',
  description:
    'Whether a body gets from one place to another without touching anything, and how: a path that is proved for every ' +
    'instant, with its clearance. Where start or goal is not free, the message says what is hit, and what is free nearby.',
  input: {
    ...bodies,
    from: point.optional().describe('where it starts; default: where the object stands'),
    to: point,
    walk: z.boolean().default(false).describe('it stays upright on floors, and climbs steps up to 0.3 m'),
    snap: length.optional().describe('start and goal may be moved this far to be free, off a floor, say'),
    seconds: z.number().min(1).max(3600).default(60).describe('how long to search'),
    save: z
      .string()
      .optional()
      .describe('a new file for the path, .json or .glb to be played, where writing is allowed'),
  },
  async answer({ model, from, to, clearance, walk, snap, seconds, save, ...given }, workplace, asking) {
    const { root, runs } = workplace;
    const asked = [
      // takes what follows for a size, unless that is an option
      ...(walk ? ['--walk'] : []),
      ...[...(await body(given, workplace)), ...option('from', from?.join()), ...option('to', to.join())],
      ...[...option('clearance', clearance), ...option('snap', snap), ...option('time', seconds)],
      ...option('output', save && (await root.placeFor(save))),
    ];
    return { facts: about(await runs.json(['path', ...asked, await root.fileAt(model)], asking)) };
  },
});

export const findPlace = tool({
  name: 'find_place',
  title: 'Find a free place',
  description:
    'The free place of a body that is nearest to a wish, and a proved bound for how near one can be.',
  input: {
    ...bodies,
    near: point.optional().describe('where it is wished to be; default: where the object stands'),
    turn: z.enum(['none', 'upright', 'any']).default('none').describe('whether it may be turned'),
    rest: z.boolean().default(false).describe('it is to stand on what is below'),
  },
  async answer({ model, clearance, near, turn, rest, ...given }, workplace, asking) {
    const { root, runs } = workplace;
    const asked = [
      ...[...(await body(given, workplace)), ...option('near', near?.join()), ...option('turn', turn)],
      ...[...option('clearance', clearance), ...(rest ? ['--rest'] : [])],
    ];
    return { facts: about(await runs.json(['place', ...asked, await root.fileAt(model)], asking)) };
  },
});
