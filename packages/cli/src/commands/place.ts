/** `impinge place`: the free place of a body that is nearest to a wish. */
import { CommandError } from '../command-error.js';
import { interruptible } from '../interruptible.js';
import { writeTextAtomically } from '../jobs/atomic-file.js';
import { writeBodyRecording } from '../path/body-recording.js';
import { parseRegion, readMotionOutput } from '../path/motion-options.js';
import { type PlacedPose, parsePathPose, placedPose, poseText } from '../path/path-poses.js';
import { pathRecording } from '../path/path-recording.js';
import { MOST_CELLS, type PlaceAnswer, type PlaceQuestion, placeBody } from '../path/place-body.js';
import { searching } from '../path/searching.js';
import { placeOf, withBody } from '../path/with-body.js';
import { parseLength } from '../quantities.js';
import type { FileOptions } from '../reading.js';
import { count, decimal, json, point, printable, type Terminal, table } from '../terminal.js';

export interface PlaceCommandOptions extends FileOptions {
  readonly body?: string;
  readonly near?: string;
  readonly clearance: string;
  readonly region?: string;
  readonly turn: 'none' | 'upright' | 'any';
  readonly rest?: boolean;
  readonly accuracy?: string;
  readonly memory: string;
  readonly output?: string;
  readonly view?: boolean;
  readonly json?: boolean;
}

const VERSION = 1;
const WHY = {
  blocked: 'proved: no place in the region is free',
  accuracy: 'no place in the region is free that is wider than the accuracy',
  cells: 'no place was found; there may be one',
} as const;
const RADIANS = Math.PI / 180;

/** `show` runs another command, for --view. */
export async function place(
  name: string,
  options: PlaceCommandOptions,
  terminal: Terminal,
  show: (args: readonly string[]) => Promise<number>,
): Promise<number> {
  const output = readMotionOutput(options);
  const question = readQuestion(options);
  const { body: bodyName } = options;
  if (bodyName === undefined) throw new CommandError('--body: name what is placed, a file or an object');
  const given = options.near === undefined ? undefined : parsePathPose(options.near, '--near');
  const { answer, text } = await interruptible((signal) =>
    withBody(name, bodyName, options, async (standing, body) => {
      const near = given ?? placeOf(body, standing, '--near');
      const answer = await searching({ label: 'placing', total: MOST_CELLS, unit: '' }, (update) =>
        placeBody(standing, body, {
          ...{ ...question, near, signal },
          onProgress: (cells) => update(cells, `${count(cells)} boxes of places looked at`),
        }),
      );
      const { model } = standing;
      const floor = answer.found && answer.floor !== undefined ? model.text(answer.floor, 'path') : undefined;
      if (answer.found && output?.endsWith('.glb')) {
        const still = { poses: [answer.pose], times: [0], centre: [0, 0, 0] };
        await writeBodyRecording(output, pathRecording(body, still, answer, model));
      }
      const document = {
        ...{ impingePlace: VERSION, model: name, body: bodyName, near: placedPose(near) },
        ...asJson(answer, floor),
      };
      if (answer.found && output?.endsWith('.json')) await writeTextAtomically(output, json(document));
      return {
        answer,
        text: options.json ? json(document) : printed(answer, floor, question, output, terminal),
      };
    }),
  );
  terminal.out(text);
  if (answer.found && options.view) return show(['view', name, '--replay', output!]);
  return answer.found ? 0 : 1;
}

function readQuestion(options: PlaceCommandOptions): Omit<PlaceQuestion, 'near'> {
  const { turn, rest = false, region, accuracy } = options;
  return {
    ...{ turn, rest, clearance: parseLength(options.clearance, '--clearance') },
    ...(region !== undefined && { region: parseRegion(region, '--region') }),
    ...(accuracy !== undefined && { accuracy: parseLength(accuracy, '--accuracy') }),
  };
}

function asJson(answer: PlaceAnswer, floor: string | undefined) {
  if (!answer.found) return answer;
  const { clearance, floor: _, ...rest } = answer;
  // no number of JSON says that nothing is near
  return {
    ...rest,
    clearance: Number.isFinite(clearance) ? clearance : null,
    ...(floor !== undefined && { floor }),
  };
}

function printed(
  answer: PlaceAnswer,
  floor: string | undefined,
  { clearance: asked }: Omit<PlaceQuestion, 'near'>,
  output: string | undefined,
  { colors }: Terminal,
): string {
  const { min, max } = answer.region;
  const within = ['within', `${point(min)} … ${point(max)}`];
  if (!answer.found) return `${colors.bold(WHY[answer.reason])}\n${table([within])}`;
  const { pose, moved, turned, atLeast, clearance } = answer;
  const turn = turned > 0 ? `, turned by ${decimal(turned / RADIANS)}°` : '';
  const kept = asked > 0 ? `, ${decimal(asked)} m asked` : '';
  const rows = [
    ['pose', poseText(pose satisfies PlacedPose)],
    ['moved', `by ${decimal(moved)} m${turn}; so turned, no free place is nearer than ${decimal(atLeast)} m`],
    [
      'clearance',
      Number.isFinite(clearance) ? `${decimal(clearance)} m to the next object${kept}` : 'nothing is near',
    ],
    ...(floor === undefined ? [] : [['stands on', printable(floor)]]),
    within,
  ];
  const written = output === undefined ? '' : `\nwritten to ${printable(output)}\n`;
  return `${colors.bold('free place found')}\n${table(rows)}${written}`;
}
