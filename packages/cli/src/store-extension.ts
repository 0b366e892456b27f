/** How the name of a store ends; by itself, so that nobody who asks loads what reads stores. */
export const STORE_EXTENSION = '.impinge';

/** Of a file, or an address, behind which there may be a question. */
export function isStore(name: string): boolean {
  return name.replace(/^(https?:\/\/[^?#]*)[?#].*$/is, '$1').endsWith(STORE_EXTENSION);
}
