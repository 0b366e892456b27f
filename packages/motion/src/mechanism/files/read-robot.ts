/** Robots out of URDF and SDF files, and the pairs of links that SRDF files let touch. */
import { ImpingeError } from 'impinge';
import { readFunction, readKnown, shown } from 'impinge/internal/base/options.js';
import { quoted } from 'impinge/internal/formats/mesh-file.js';
import { Mechanism } from '../mechanism.js';
import { type RobotFiles, RobotMeshes } from './robot-meshes.js';
import { readSdf } from './sdf.js';
import { readUrdf } from './urdf.js';
import { readXml } from './xml-tree.js';

export interface ReadRobotOptions {
  /** For messages. */
  readonly name?: string;
  /** How meshes are reached (default: a mesh is an error). */
  readonly files?: RobotFiles;
}

const NAMES = { name: true, files: true } as const;

/** Reads a robot; which of the two formats it is follows from its first element. Errors name the file and the line. */
export async function readRobot(text: string, options: ReadRobotOptions = {}): Promise<Mechanism> {
  const { name = 'robot', files } = readKnown('readRobot', options, NAMES);
  if (files !== undefined) readFunction('files.open', readKnown('files', files, { open: true }).open);
  const root = readXml(textOf('readRobot', text), textOf('name', name));
  const meshes = new RobotMeshes(files);
  const { data, elements } = root.name === 'sdf' ? await readSdf(root, meshes) : await readUrdf(root, meshes);
  return new Mechanism(data, (kind, part) => {
    const line = elements.get(`${kind} ${part}`)?.line;
    return line === undefined ? `${name}: ` : `${name}: line ${line}: `;
  });
}

/** The pairs of links that need not be compared, as an SRDF file says; they must be links of the mechanism. */
export function readDisabledPairs(text: string, mechanism: Mechanism, name = 'srdf'): [string, string][] {
  if (typeof mechanism?.forward !== 'function') throw new ImpingeError('bad-input', 'a mechanism is needed');
  const root = readXml(textOf('readDisabledPairs', text), textOf('name', name));
  if (root.name !== 'robot') throw root.fail(`not SRDF: it begins with <${root.name}>`);
  return root.all('disable_collisions').map((element) => {
    const [a, b] = ['link1', 'link2'].map((side) => {
      const link = element.needAttribute(side);
      if (mechanism.links.includes(link)) return link;
      throw element.fail(`${quoted(link)} is no link of ${mechanism.name || 'the mechanism'}`);
    });
    return [a, b];
  });
}

function textOf(call: string, text: string): string {
  if (typeof text === 'string') return text;
  throw new ImpingeError('bad-input', `${call}: a text is needed, got ${shown(text)}`);
}
