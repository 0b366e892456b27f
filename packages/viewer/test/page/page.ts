/** The picture on a page of its own, for tests and benchmarks: they drive it from outside. */
import { createPicture } from '../../src/picture/create-picture.js';

Object.assign(globalThis, { createPicture });
