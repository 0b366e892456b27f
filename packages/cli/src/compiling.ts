/**
 * How much V8 puts into each function that it compiles. A check is often over in seconds, of which a third went into
 * compiling its code, for every thread anew; with less of it inlined, that takes two thirds of the time, and the code is
 * slower by some hundredths.
 */
import { setFlagsFromString } from 'node:v8';

/** Bytes of bytecode: few, and V8's own choice. */
const LITTLE = 100;
const USUAL = 920;

/** With more pairs than these, what the code takes counts more. */
const MANY_PAIRS = 50_000;

export function inlineLittle(): void {
  inline(LITTLE);
}

/** To be called when it is known how many pairs there are to measure. */
export function inlineForPairs(count: number): void {
  inline(count > MANY_PAIRS ? USUAL : LITTLE);
}

function inline(bytes: number): void {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${bytes}`);
}
