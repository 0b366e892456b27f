/** `impinge path`: how a body gets from one place of a model to another, proved; or that no way was found. */
import { CommandError } from '../command-error.js';
import { interruptible } from '../interruptible.js';
import { writeBodyRecording } from '../path/body-recording.js';
import {
  parseAngle,
  parseBoxBody,
  parseRegion,
  parseSeconds,
  readMotionOutput,
} from '../path/motion-options.js';
import type { BoxBody } from '../path/path-body.js';
import { lengthOf, type PathFile, pathJson, readPathFile, writePathFile } from '../path/path-file.js';
import { parsePathPose, poseText } from '../path/path-poses.js';
import { pathRecording } from '../path/path-recording.js';
import { type PathAnswer, type PathQuestion, searchPath, verifyWritten } from '../path/search-path.js';
import { searching } from '../path/searching.js';
import { placeOf, withBody } from '../path/with-body.js';
import { parseLength } from '../quantities.js';
import type { FileOptions } from '../reading.js';
import { count, counted, decimal, json, point, printable, type Terminal, table } from '../terminal.js';

export interface PathOptions extends FileOptions {
  readonly body?: string;
  readonly from?: string;
  readonly to?: string;
  readonly clearance: string;
  readonly upright?: string | true;
  readonly walk?: string | true;
  readonly step: string;
  readonly slope: string;
  readonly snap?: string;
  readonly bounds?: string;
  readonly seed: string;
  readonly time: string;
  readonly memory: string;
  readonly output?: string;
  readonly view?: boolean;
  readonly verify?: string;
  readonly json?: boolean;
}

const MOST_SEED = 2 ** 32 - 1;

/** `show` runs another command, for --view. */
export async function path(
  name: string | undefined,
  options: PathOptions,
  terminal: Terminal,
  show: (args: readonly string[]) => Promise<number>,
): Promise<number> {
  if (options.verify !== undefined) return verify(name, options.verify, options, terminal);
  const question = readQuestion(options);
  const output = readMotionOutput(options);
  if (name === undefined) throw new CommandError('name a model, or a path with --verify');
  const moved = readBody(options);
  const goal = required(options.to, '--to');
  const given = options.from === undefined ? undefined : parsePathPose(options.from, '--from');
  const to = parsePathPose(goal, '--to');
  const found = await interruptible(async (signal) =>
    withBody(name, moved, options, async (standing, body) => {
      const from = given ?? placeOf(body, standing, '--from');
      const task = { label: 'searching', total: question.timeLimit, unit: '' };
      const answer = await searching(task, (update) =>
        searchPath(standing, body, {
          ...{ ...question, from, to, signal },
          onProgress: ({ nodes, seconds }) => update(seconds, `${count(nodes)} poses kept`),
        }),
      );
      signal.throwIfAborted();
      if (!answer.found) return { answer, file: undefined };
      const file: PathFile = {
        ...answer.path,
        model: name,
        body: options.body ?? '',
        ...(typeof moved !== 'string' && { box: moved }),
        isObject: body.object !== undefined,
        ...{ clearance: question.clearance, certificate: answer.certificate },
        ...(question.upright !== undefined && { upright: question.upright }),
        ...(question.walk && { walk: question.walk }),
      };
      if (output?.endsWith('.json')) await writePathFile(output, file);
      else if (output !== undefined)
        await writeBodyRecording(
          output,
          pathRecording(body, answer.path, answer.certificate, standing.model),
        );
      return { answer, file };
    }),
  );
  const { answer, file } = found;
  if (options.json) terminal.out(json(asJson(answer, file)));
  else terminal.out(printed(answer, file, question, output, terminal));
  if (file && options.view) return show(['view', name, '--replay', output!]);
  return answer.found ? 0 : 1;
}

async function verify(
  name: string | undefined,
  given: string,
  options: PathOptions,
  terminal: Terminal,
): Promise<number> {
  const file = await readPathFile(given);
  const body = options.body ?? file.box ?? file.body;
  const certificate = await withBody(name ?? file.model, body, options, (standing, moved) =>
    verifyWritten(standing, moved, file, file),
  );
  const { free, clearance, nearest, motion } = certificate;
  if (options.json) {
    terminal.out(json({ free, ...(free ? { clearance, nearest } : { motion }) }));
  } else if (free) {
    terminal.out(
      `proved: ${counted(file.poses.length - 1, 'motion')} keep at least ${decimal(clearance)} m from everything, ` +
        `the nearest distance seen is ${decimal(nearest)} m\n`,
    );
  } else {
    const ways = [
      `comes within ${decimal(file.clearance)} m of something`,
      ...(file.walk ? ['has no floor below'] : []),
      ...(file.upright === undefined ? [] : ['leans too far']),
    ];
    terminal.out(
      `not proved: motion ${count(motion + 1)} of ${count(file.poses.length - 1)} ${ways.join(', ')}, ` +
        'or cannot be shown not to\n',
    );
  }
  return free ? 0 : 1;
}

function readQuestion(options: PathOptions): Omit<PathQuestion, 'from' | 'to'> {
  const clearance = parseLength(options.clearance, '--clearance');
  const timeLimit = parseSeconds(options.time, '--time');
  const seed = Number(options.seed);
  if (!Number.isInteger(seed) || seed < 0 || seed > MOST_SEED)
    throw new CommandError(`--seed: "${options.seed}" is not a whole number from 0 to ${MOST_SEED}`);
  if (options.walk !== undefined && options.upright !== undefined)
    throw new CommandError('--upright: what walks is upright anyhow: give --walk or --upright, and not both');
  return {
    ...{ clearance, timeLimit, seed },
    ...(options.walk !== undefined && {
      walk: {
        stepHeight: parseLength(options.step, '--step'),
        maxSlope: parseAngle(options.slope, '--slope'),
      },
    }),
    ...(options.upright !== undefined && { upright: parseAngle(options.upright, '--upright') }),
    ...(options.snap !== undefined && { snap: parseLength(options.snap, '--snap') }),
    ...(options.bounds !== undefined && { bounds: parseRegion(options.bounds, '--bounds') }),
  };
}

/** What is moved: a name, or the size of what walks. */
function readBody({ body, walk }: PathOptions): string | BoxBody {
  if (typeof walk === 'string') {
    if (body === undefined) return parseBoxBody(walk, '--walk');
    throw new CommandError('--walk: takes a size, or --body says what walks, and not both');
  }
  if (body !== undefined) return body;
  throw new CommandError(
    walk
      ? '--walk: say how large, as in 0.6x0.4x1.8m, or what walks with --body'
      : '--body: name what is moved, a file or an object',
  );
}

function required(text: string | undefined, option: string): string {
  if (text === undefined) throw new CommandError(`${option}: a pose is needed`);
  return text;
}

function asJson(answer: PathAnswer, file: PathFile | undefined) {
  const { found, seconds, nodes, bounds, isCutByMemory } = answer;
  return {
    found,
    ...(found
      ? pathJson(file!, '.')
      : { reason: answer.reason, ...(answer.closest && { closest: answer.closest }) }),
    ...{ seconds, nodes, bounds, cutByMemory: isCutByMemory },
  };
}

function printed(
  answer: PathAnswer,
  file: PathFile | undefined,
  { clearance, timeLimit }: Omit<PathQuestion, 'from' | 'to'>,
  output: string | undefined,
  { colors }: Terminal,
): string {
  const { bounds, nodes, seconds, isCutByMemory } = answer;
  const cut = isCutByMemory ? ', as far as --memory allows' : '';
  const looked = [
    ['searched', `${count(nodes)} poses kept in ${seconds.toFixed(1)} s`],
    ['within', `${point(bounds.min)} … ${point(bounds.max)}${cut}`],
  ];
  if (!answer.found) {
    const why = {
      time: `in ${decimal(timeLimit)} s`,
      nodes: 'before the memory for poses was used up',
      places: 'among all places that were looked at',
    }[answer.reason];
    const { closest } = answer;
    if (closest)
      looked.push([
        'closest',
        `${poseText(closest.pose)}, ${decimal(closest.distance)} m from the goal, straight`,
      ]);
    return `${colors.bold(`no path found ${why}`)}; there may be one\n${table(looked)}`;
  }
  const { poses, times } = answer.path;
  const { certificate } = answer;
  const kept = clearance > 0 ? `, ${decimal(clearance)} m asked` : '';
  const rows = [
    [
      'length',
      `${decimal(lengthOf(answer.path))} m, ${counted(poses.length - 1, 'motion')}, ` +
        `${times[times.length - 1].toFixed(1)} s at 1 m/s`,
    ],
    ['clearance', `at least ${decimal(certificate.clearance)} m all along, proved${kept}`],
    ['nearest', `${decimal(certificate.nearest)} m seen`],
    ...(certificate.lean === undefined
      ? []
      : [['upright', `leans by at most ${((certificate.lean * 180) / Math.PI).toFixed(3)}°, proved`]]),
    ...looked,
    ['from', poseText(poses[0])],
    ['to', poseText(poses[poses.length - 1])],
  ];
  const written = file && output !== undefined ? `\nwritten to ${printable(output)}\n` : '';
  return `${colors.bold('path found')}\n${table(rows)}${written}`;
}
