/** Handlers that change a signal. */
import type { Signal } from '@preact/signals';

export function setter<T>(signal: Signal<T>): (value: T) => void {
  return (value) => {
    signal.value = value;
  };
}

export function toggler(signal: Signal<boolean>): () => void {
  return () => {
    signal.value = !signal.value;
  };
}
