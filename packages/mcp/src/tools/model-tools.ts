/** What files there are, and what is in them. */
import { z } from 'zod';
import { fileNames, tool } from '../tool.js';

export const listFiles = tool({
  name: 'list_files',
  title: 'List files',
  description: 'The files that may be asked about, with their sizes.',
  input: {},
  answer: async (_asked, { root }) => ({ facts: { folder: root.path, ...(await root.files()) } }),
});

export const describeModel = tool({
  name: 'describe_model',
  title: 'Describe a model',
  description:
    'What is in models: triangles, extent, types, storeys, disciplines, systems and materials with counts; on request ' +
    'the names of properties, and objects with their paths, which other tools take.',
  input: {
    files: fileNames,
    properties: z.boolean().default(false).describe('also the names of properties, with counts and values'),
    objects: z.boolean().default(false).describe('also the objects: their paths, triangles, whether closed'),
    matching: z.string().optional().describe('only objects whose path contains this, in any case'),
    from: z.number().int().min(0).default(0).describe('skip so many of these objects'),
    most: z.number().int().min(1).max(1000).default(100).describe('list no more objects than this'),
  },
  async answer({ files, properties, objects, matching = '', from, most }, { root, runs }, asking) {
    const paths = await Promise.all(files.map((name) => root.fileAt(name)));
    const lists = ['--types', ...(properties ? ['--properties'] : [])];
    const description = [
      await runs.ask(['info', ...paths], asking),
      await runs.ask(['info', ...lists, ...paths], asking),
    ].join('\n');
    if (!objects) return { facts: { description } };
    const read = (await runs.json(['info', '--all', ...paths], asking)) as readonly {
      readonly objects: readonly { readonly path: string }[];
    }[];
    const wanted = matching.toLowerCase();
    const found = read
      .flatMap((file) => file.objects)
      .filter(({ path }) => path.toLowerCase().includes(wanted));
    return {
      facts: { description, objects: found.slice(from, from + most), matching: found.length },
    };
  },
});
