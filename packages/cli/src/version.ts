import { createRequire } from 'node:module';

/** The version of this command. */
export function version(): string {
  const manifest = createRequire(import.meta.url)('#manifest') as { version: string };
  return manifest.version;
}
