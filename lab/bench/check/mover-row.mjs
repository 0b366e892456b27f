/** One object that moves among many, and two that are apart, queried repeatedly. */
import { fileURLToPath } from 'node:url';
import { count } from '../measure/figures.mjs';
import { measureScript } from '../measure/measure-child.mjs';

const CONTENDERS = { impinge: './ours-mover.mjs', 'three-mesh-bvh': '../peers/three-mesh-bvh-mover.mjs' };

export async function moverRow({ figures, quick, repetitions }) {
  const [objects, steps] = quick ? [500, 200] : [2000, 2000];
  figures.begin('mover', `one of ${objects} objects moves and is asked what it meets; two apart; CPU time`);
  const answersOf = Object.fromEntries(Object.keys(CONTENDERS).map((name) => [name, []]));
  for (let run = 0; run < repetitions; run++) {
    for (const [name, script] of Object.entries(CONTENDERS)) {
      const path = fileURLToPath(new URL(script, import.meta.url));
      const { stdout } = await measureScript(path, [String(objects), String(steps)]);
      const lines = stdout.trim().split('\n');
      answersOf[name].push(Object.fromEntries(lines.map((line) => line.split('\t'))));
    }
  }
  const { impinge: ours } = answersOf;
  for (const [name, answers] of Object.entries(answersOf)) {
    const each = (what) => answers.map((answer) => Number(answer[what]));
    const floor = name === 'impinge' && !quick;
    figures.add(
      `${objects} objects`,
      {
        'a step': microseconds(each('step'), floor ? 100 : undefined),
        'met on the way': count(each('met')[0]),
        'two apart': microseconds(each('apart'), floor ? 0.6 : undefined),
      },
      name,
    );
    const [theirs, known] = [answers[0].met, ours[0].met];
    if (theirs !== known) figures.note(`    ${theirs} met, ours ${known}`);
  }
}

function microseconds(value, most) {
  return { value, unit: 'µs', asked: most === undefined ? undefined : { most } };
}
