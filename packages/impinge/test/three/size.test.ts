/** What importing `impinge/three` costs, beside three.js itself. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { MODULES } from '../../../../scripts/kernel-modules.mjs';

async function bundle(what: string) {
  const { metafile, outputFiles } = await build({
    stdin: {
      contents: `import ${what} from 'impinge/three'; globalThis.used = used;`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['three'],
    metafile: true,
    write: false,
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  const kernels = Object.entries(MODULES).filter(([, { target }]) =>
    Object.entries(inputs).some(
      ([path, { bytesInOutput }]) =>
        bytesInOutput > 0 && path.endsWith(`${target.replace('/src/', '/dist/')}/kernels.generated.js`),
    ),
  );
  return {
    gzipped: gzipSync(outputFiles[0].text, { level: 9 }).length,
    kernels: kernels.map(([name]) => name).sort(),
  };
}

test.each([
  ['{ acceleratedRaycast as used }', 30_500, ['rays']],
  ['{ follow as used }', 19_500, []],
  ['* as used', 33_000, ['rays']],
])(
  'import %s costs at most %i bytes gzipped, with the kernels of what it asks',
  async (what, limit, kernels) => {
    const bundled = await bundle(what);
    process.stdout.write(`import ${what} from impinge/three: ${bundled.gzipped} bytes gzipped\n`);
    expect(bundled.gzipped).toBeLessThanOrEqual(limit);
    expect(bundled.kernels.filter((name) => name !== 'main')).toEqual(kernels);
  },
);

test('an import that is not used leaves nothing behind', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "import { acceleratedRaycast, TreeBoxes } from 'impinge/three';",
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['three'],
    write: false,
  });
  // three.js stays, because it is not known to do nothing when it is loaded
  expect(outputFiles[0].text.replace(/import"three";/g, '').trim()).toBe('');
});
