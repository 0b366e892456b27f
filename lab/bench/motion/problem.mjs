/** A problem of a rigid body, in the format motion-problem/1. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Mesh } from 'impinge';
import { readPly } from '../ply.mjs';

/** The problem, its meshes, and these as plain arrays (`part`, `around`); undefined where they are not there. */
export function readProblem(problems, folder) {
  const home = problems && join(problems, folder);
  if (!home || !existsSync(join(home, 'problem.json'))) return undefined;
  const problem = JSON.parse(readFileSync(join(home, 'problem.json'), 'utf8'));
  const files = [problem.robot, problem.environment].map(({ meshes }) => join(home, meshes[0]));
  if (!files.every((file) => existsSync(file))) return undefined;
  const [part, around] = files.map(readPly);
  return { home, problem, part, around, body: Mesh.from(part), world: Mesh.from(around) };
}
