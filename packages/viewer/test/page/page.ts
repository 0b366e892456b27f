/** The picture on its own page, driven by tests and benchmarks. */
import { createPicture } from '../../src/picture/create-picture.js';

Object.assign(globalThis, { createPicture });
