import { start } from './start.js';

await start('impinge', () => import('./program.js'));
