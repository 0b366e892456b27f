/** How the name of a store ends; by itself, so that nobody who asks loads what reads stores. */
export const STORE_EXTENSION = '.impinge';

export function isStore(name: string): boolean {
  return name.endsWith(STORE_EXTENSION);
}
