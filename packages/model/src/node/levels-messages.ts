/** What threads that make levels answer. */
import type { SimplifiedGroup } from '../levels/group-task.js';
import type { SentError } from './sent-error.js';

export type LevelsReply = { readonly group: SimplifiedGroup | undefined } | { readonly error: SentError };
