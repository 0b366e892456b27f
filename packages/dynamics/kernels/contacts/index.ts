/** Exports to the host for contacts of shapes and their motions. */
export { writeCones } from './features';
export { guardMotions } from './guard';
export { countLeaves, layOutLeaves } from './leaves';
export { findContacts, updateContacts } from './pair-contacts';
export { patchContacts } from './patches';
export { reduceContacts } from './reduction';
export { scratchBytes, setScratch } from './scratch';
