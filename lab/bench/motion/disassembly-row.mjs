/** Sequences in which the parts of CAD models come out, each step proved again, and looked at again pose by pose. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from '@impinge/model';
import { disassemble, verifyDisassembly } from '@impinge/motion';
import { Mesh, poseAt } from 'impinge';
import { readModel } from '../../../packages/cli/dist/formats/read-model.js';
import { placeOf } from '../../../packages/cli/dist/formats/source-object.js';
import { matrixOfPose } from '../../../packages/cli/dist/matrix.js';

/** Seconds asked for, of the clock. */
const MOST = 600;
/** Poses of every motion that are looked at again. */
const LOOKS = 20;

/** `allowed`: how deep parts may be in each other; what is deeper is passed through in a second run. */
export async function disassemblyRow({ figures, cad, quick }, row, { file, allowed }) {
  const path = cad && join(cad, file);
  figures.begin(row, `parts of ${file}, at most ${allowed} deep in each other`);
  if (!path || !existsSync(path)) {
    figures.note(`SKIPPED: no ${file} in --cad ${cad ?? 'DIR'}`);
    return;
  }
  const { shapes } = await readModel(path);
  const parts = shapes.flatMap(({ geometry, objects }) =>
    objects.map((object) => {
      const place = placeOf(object);
      const mesh = Mesh.from({ positions: geometry.positions, indices: geometry.indices });
      return place ? mesh.transformed(matrixOfPose(place)) : mesh;
    }),
  );
  const asked = (depths) => ({ allowed: depths, ...(quick && { limits: { nodes: 0 } }), timeLimit: MOST });
  const first = await timed(() => disassemble(parts, asked(allowed)));
  report(figures, `${file}, deeper pairs as one`, parts, first, allowed);
  const deeper = new Set(first.result.deeper.flatMap(([a, b]) => [keyOf(parts, a, b), keyOf(parts, b, a)]));
  const passing = (a, b) => (deeper.has(keyOf(parts, a, b)) ? Infinity : allowed);
  const second = await timed(() => disassemble(parts, asked(passing)));
  report(figures, `${file}, deeper pairs pass through`, parts, second, passing);
}

const keyOf = (parts, a, b) => `${parts.indexOf(a)} ${parts.indexOf(b)}`;

async function timed(work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
}

function report(figures, name, parts, { result, seconds }, allowed) {
  const { steps, left, deeper, reason } = result;
  const proof = verifyDisassembly(parts, steps, { allowed });
  figures.assert(proof.free, `${name}: step ${proof.step} is not proved`);
  const grown = grownAlong(parts, steps, proof.certificates, allowed);
  figures.assert(grown === 0, `${name}: ${grown} pairs get deeper than proved`);
  figures.assert(reason !== 'time', `${name}: time was up`);
  figures.add(`${name}, ${steps.length} steps`, {
    time: { value: seconds, unit: 's', asked: { most: MOST } },
    left: { value: left.flat().length, unit: 'parts' },
    deeper: { value: deeper.length, unit: 'pairs' },
  });
  for (const set of left) figures.note(`left together: ${set.map((part) => parts.indexOf(part)).join(', ')}`);
}

/** Pairs of parts, none passed through, that the check finds deeper than the certificate has it, in the first half. */
function grownAlong(parts, steps, certificates, allowed) {
  const together = parts.map(() => 0);
  let [grown, at] = [0, 0];
  for (const [step, { moves }] of steps.entries()) {
    const moving = moves.map(({ part }) => parts.indexOf(part));
    const staying = parts.filter((_, i) => together[i] === together[moving[0]] && !moving.includes(i));
    for (const { part, poses, centre } of moves) {
      const { depth } = certificates[at++];
      const isHeld = (other) => typeof allowed !== 'function' || allowed(part, other) < Infinity;
      const touched = staying.filter(
        (other) => isHeld(other) && measure(other, part, { kinds: ['hard', 'inside'] }),
      );
      for (const other of depth > 0 ? touched : []) {
        for (let k = 1; k <= LOOKS; k++) {
          const poseB = poseAt({ from: poses[0], to: poses[1], centre }, (0.5 * k) / LOOKS);
          const clash = measure(other, part, { poseB, kinds: ['hard', 'inside'] });
          if (clash && clash.depth > depth) {
            grown++;
            break;
          }
        }
      }
    }
    for (const part of moving) together[part] = step + 1;
  }
  return grown;
}
