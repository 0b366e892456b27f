import { start } from '@impinge/cli/internal/start.js';

await start('lab', () => import('./program.js'));
