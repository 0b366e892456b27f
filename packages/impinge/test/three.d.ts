/** three.js ships no types; the tests use a few of its classes. */
declare module 'three';
