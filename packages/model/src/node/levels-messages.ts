/** Replies of the threads that make levels. */
import type { SimplifiedGroup } from '../levels/group-task.js';
import type { SentError } from './sent-error.js';

export type LevelsReply = { readonly group: SimplifiedGroup | undefined } | { readonly error: SentError };
