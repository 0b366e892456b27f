/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The symbols behind `using` and `await using`. Platforms that lack them get the registered symbols that esbuild and
 * Babel fall back on as well, so that compiled `using` declarations find them.
 */
export const DISPOSE: typeof Symbol.dispose =
  Symbol.dispose ?? (Symbol.for('Symbol.dispose') as typeof Symbol.dispose);

export const ASYNC_DISPOSE: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for('Symbol.asyncDispose') as typeof Symbol.asyncDispose);
