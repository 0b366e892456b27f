/** Shows whether decisions are saved. */
import type { SavingState } from './review-keeper.js';

export function SavingNote({ state }: { readonly state: SavingState }) {
  const [name, text] = noteOf(state);
  return (
    <span class={`saving ${name}`} role="status">
      {text}
    </span>
  );
}

function noteOf(state: SavingState): [name: string, text: string] {
  switch (state.kind) {
    case 'saved':
      return ['saved', 'Decisions saved'];
    case 'saving':
      return ['', 'Saving …'];
    case 'fixed':
      return ['', state.why];
    case 'failed':
      return ['failed', `Not saved: ${state.why}`];
    case 'here':
      return state.count === 0
        ? ['', `Decisions are kept in this ${state.where}`]
        : ['here', `${state.count} changed, kept in this ${state.where} only`];
  }
}
