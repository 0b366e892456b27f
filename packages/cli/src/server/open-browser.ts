/** Opens a URL in the caller's browser. */
import { spawn } from 'node:child_process';

/** The program that opens addresses; undefined without a display. */
export function browserOpener(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string | undefined {
  if (platform === 'darwin') return 'open';
  if (platform === 'win32') return 'explorer.exe';
  const isSeen = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((display) => display);
  return isSeen ? 'xdg-open' : undefined;
}

/** Does not wait; if it fails, the address has been printed. */
export function openBrowser(address: string, opener: string): void {
  const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
