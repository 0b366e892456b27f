/** Packages that only some services and queues need, and that are not installed with this one. */
import { createRequire } from 'node:module';
import { installLine } from '@impinge/cli/internal/install-line.js';

/** The command line that installs the tested version beside the command. */
export function installOptional(name: string): string {
  const { peerDependencies } = createRequire(import.meta.url)('#manifest') as {
    peerDependencies: Readonly<Record<string, string>>;
  };
  return installLine(`${name}@${peerDependencies[name].replace('^', '')}`);
}
