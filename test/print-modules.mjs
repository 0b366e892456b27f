// Runs modules one after the other and prints, as JSON, what each of them printed and how it failed: FILE…
// One process for several: to start one and to load the library takes longer than most of them.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

const results = {};
for (const file of process.argv.slice(2)) {
  let printed = '';
  console.log = (...values) => {
    printed += `${format(...values)}\n`;
  };
  const failure = await import(pathToFileURL(resolve(file)).href).then(
    () => undefined,
    (error) => String(error?.stack ?? error),
  );
  results[file] = { printed, failure };
}
process.stdout.write(JSON.stringify(results));
