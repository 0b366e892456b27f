/** Two models, or two files, against each other. */
import { z } from 'zod';
import { fileName, length, option, tool } from '../tool.js';

const sides = {
  a: fileName,
  b: fileName,
  poseB: z
    .string()
    .optional()
    .describe(
      'where b is put, in steps from left to right: "rz=90 t=0,0,0.5" turns by 90° about z, then moves (m)',
    ),
};

export const measureDistance = tool({
  name: 'measure_distance',
  title: 'Measure a distance',
  description: 'How far apart two models are, and where they are closest; 0 if they touch or overlap.',
  input: sides,
  async answer({ a, b, poseB }, { root, runs }, asking) {
    const files = [await root.fileAt(a), await root.fileAt(b)];
    return { facts: await runs.json(['distance', ...option('pose', poseB), ...files], asking) };
  },
});

export const collide = tool({
  name: 'collide',
  title: 'Which objects meet',
  description:
    'Which objects of two models meet, or come nearer than a distance: with the depth and the regions of contact of ' +
    'each pair.',
  input: { ...sides, within: length.optional() },
  async answer({ a, b, poseB, within }, { root, runs }, asking) {
    const files = [await root.fileAt(a), await root.fileAt(b)];
    const asked = [...option('pose', poseB), ...option('within', within), ...(within ? [] : ['--contacts'])];
    return { facts: await runs.json(['collide', ...asked, ...files], asking) };
  },
});
