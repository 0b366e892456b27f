// Finds Chromium for the browser tests. Where there is none, root on Debian gets the package installed; without a
// browser the browser tests are skipped, and this says so.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const INSTALL_LIMIT_MS = 8 * 60_000;

/**
 * Arguments that make Chromium draw without a card: WebGL by its software driver, and the rest of a page by the
 * processor alone, because drawing that by the software driver as well costs seconds in each browser, and most of every
 * frame.
 */
export const WITHOUT_CARD = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-rasterization',
  '--disable-gpu-compositing',
];

/** The path of a Chromium: CHROME_PATH, else the first on the PATH; undefined when there is none. */
export function findBrowser() {
  const fromEnvironment = process.env['CHROME_PATH'];
  if (fromEnvironment) return isExecutable(fromEnvironment) ? fromEnvironment : undefined;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'].filter(Boolean);
  const candidates = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...candidates, ...APPLICATIONS].find(isExecutable);
}

/** Why there is no browser, in one line. */
export function missingBrowserNote() {
  const path = process.env['CHROME_PATH'];
  return path
    ? `CHROME_PATH names ${path}, which cannot be run`
    : 'no Chromium or Chrome found (install one, or set CHROME_PATH)';
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Fetches Debian packages. Returns what went wrong, or undefined. */
export function installOnDebian(...names) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'not root on Linux, so not installed';
  const options = {
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...names]]) {
    const { status, error, stderr } = spawnSync('apt-get', args, options);
    if (status === 0) continue;
    return `apt-get ${args[0]} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`;
  }
  return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = findBrowser() ? undefined : installOnDebian('chromium');
  const browser = findBrowser();
  console.log(
    browser
      ? `browser tests: ${browser}`
      : `\n*** BROWSER TESTS WILL BE SKIPPED: ${[missingBrowserNote(), problem].filter(Boolean).join('; ')} ***\n`,
  );
}
