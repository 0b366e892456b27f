/** Everything the host may ask about contacts of shapes, and about their motions. */
export { guardMotions } from './guard';
export { countLeaves, layOutLeaves } from './leaves';
export { findContacts, updateContacts } from './pair-contacts';
export { patchContacts } from './patches';
export { reduceContacts } from './reduction';
export { scratchBytes, setScratch } from './scratch';
