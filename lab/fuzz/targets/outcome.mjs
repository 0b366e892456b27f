/**
 * Allowed outcomes of a mutant: an answer, or one of the project's own errors in one line. Everything else is a
 * failure.
 */
import { CommandError } from '../../../packages/cli/dist/command-error.js';
import { FormatError } from '../../../packages/cli/dist/formats/format-error.js';
import { run } from '../../../packages/cli/dist/program.js';
import { run as runLab } from '../../command/dist/program.js';

/** A forbidden outcome; `signature` is equal for mutants that show the same defect. */
export class Failure extends Error {
  constructor(kind, detail, cause) {
    super(`${kind}: ${detail}`, { cause });
    this.kind = kind;
    this.signature = `${kind}: ${shape(detail)} ${placeOf(cause)}`.trim();
  }
}

/** The message without numbers, names and paths that vary between mutants. */
const shape = (text) =>
  text
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""')
    .replace(/\/\S+/g, '/')
    .replace(/-?\d[\d.,e+-]*/g, '#')
    .slice(0, 120);

/** The innermost stack frame in the project's own code. */
function placeOf(error) {
  const frame = (error?.stack ?? '')
    .split('\n')
    .find((line) => /(packages\/\w+|lab\/command)\/dist/.test(line));
  return frame === undefined ? '' : `at ${frame.replace(/^.*\/dist\//, '').replace(/[:)].*$/, '')}`;
}

/** The message of an allowed error; throws a Failure for any other. */
export function refusal(error, path) {
  const isOwn =
    error instanceof FormatError || error instanceof CommandError || error?.name === 'ImpingeError';
  if (!isOwn) throw new Failure('raw error', String(error?.stack ?? error).split('\n')[0], error);
  // a file of a few kilobytes never needs that much: a size overflowed
  if (/more memory than there is/.test(error.message)) throw new Failure('overflow', error.message, error);
  if (error instanceof FormatError) {
    if (error.message.includes('\n')) throw new Failure('several lines', error.message, error);
    if (!error.message.startsWith(`${path}: `)) throw new Failure('no file name', error.message, error);
  }
  return error.message;
}

/** At most 100 syntax errors, and as many in the contents. */
const MOST_MISTAKES = 200;

const COLOURLESS = new Proxy({}, { get: () => (text) => String(text) });

/** Runs a command line of `impinge`, or `fly` of the lab, in this process; returns its exit code and output. */
export async function command(...args) {
  let out = '';
  let err = '';
  const code = await (args[0] === 'fly' ? runLab : run)(args, {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      err += text;
    },
    colors: COLOURLESS,
  });
  if (/internal error/.test(err))
    throw new Failure('internal error', err.slice(err.indexOf('internal error')));
  if (/more memory than there is/.test(err)) throw new Failure('overflow', err);
  // files that people write by hand may report several mistakes at once
  const lines = err.split('\n').filter((line) => /^(impinge|lab): /.test(line));
  const most = args.includes('--rules') || args.includes('--review') ? MOST_MISTAKES : 1;
  if (code === 2 && lines.length > most) throw new Failure('several lines', `${args[0]}: ${err}`);
  if (code === 2 && !/^(impinge|lab): ./.test(err))
    throw new Failure('an error without a line', `${args[0]}: ${err}`);
  if (code !== 0 && code !== 1 && code !== 2) throw new Failure('exit code', `${args[0]}: ${code}`);
  return { code, out, err };
}
