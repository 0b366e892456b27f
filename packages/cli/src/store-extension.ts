/** The file extension of stores; in a module of its own, so that testing it does not load the reader of stores. */
export const STORE_EXTENSION = '.impinge';

/** Whether this is the name of a store file, or its address, which may have a query. */
export function isStore(name: string): boolean {
  return name.replace(/^(https?:\/\/[^?#]*)[?#].*$/is, '$1').endsWith(STORE_EXTENSION);
}
