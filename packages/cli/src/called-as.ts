/** What a user types to call the command again. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Installed commands are on the PATH; npx and npm put it there only temporarily. */
export function calledAs(env: NodeJS.ProcessEnv): string {
  if (env['npm_command'] === 'exec') return 'npx impinge';
  if (env['npm_command'] !== undefined) return 'npm run impinge --';
  const names = process.platform === 'win32' ? ['impinge.cmd', 'impinge.exe'] : ['impinge'];
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))))
    ? 'impinge'
    : 'npx impinge';
}
