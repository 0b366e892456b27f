/** Locations of models: on this computer, on a server (`https://…`), or in object storage (`s3://bucket/key`). */
import { CommandError } from '../command-error.js';
import { isStore } from '../store-extension.js';

const ELSEWHERE = /^(https?|s3):\/\//i;

export function isRemote(name: string): boolean {
  return ELSEWHERE.test(name);
}

/** Refuses remote locations that cannot be read. */
export function assertHere(name: string): void {
  if (!isRemote(name)) return;
  throw new CommandError(
    isStore(name)
      ? `${withoutSecrets(name)}: a remote store cannot be combined with files; pack them into one store first`
      : `${withoutSecrets(name)}: only stores can be read remotely; pack the file first, on the computer where it is`,
  );
}

/** The name without credentials. */
export function withoutSecrets(name: string): string {
  return isRemote(name) ? name.replace(/[?#].*$/s, '').replace(/^([a-z0-9]+:\/\/)[^/]*@/i, '$1') : name;
}
