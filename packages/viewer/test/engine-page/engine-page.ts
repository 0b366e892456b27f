/** A page with nothing but the engine, for engine.browser.test.ts. */
import { createEngine } from '../../src/engine/create-engine.js';

declare global {
  interface Window {
    createEngine: typeof createEngine;
  }
}
window.createEngine = createEngine;
