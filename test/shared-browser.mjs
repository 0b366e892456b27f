// The Chromium of all tests of a process, until that ends. It draws and computes in software, and what it has compiled
// for one page serves the next: starting and compiling are most of the work of such tests.
import { chromium } from 'playwright-core';
import { findBrowser, WITHOUT_CARD } from '../scripts/setup-browser.mjs';
import { SLOW_FEATURES } from '../scripts/setup-gpu.mjs';

const FLAGS = [
  ...WITHOUT_CARD,
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // a lost context is to be lost once, not for good
  '--disable-domain-blocking-for-3d-apis',
  // memory is measured when it is asked for
  '--enable-blink-features=ForceEagerMeasureMemory',
];

const WEBGPU = [
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  `--disable-dawn-features=${SLOW_FEATURES}`,
];

/** @type {Record<string, Promise<import('playwright-core').Browser>>} */
const browsers = {};

const shared = (name, args) =>
  (browsers[name] ??= chromium.launch({ executablePath: findBrowser(), headless: true, args }));

/** As most people have it: pages draw with WebGL. */
export const sharedBrowser = () => shared('plain', FLAGS);

/** With WebGPU as well: pages compile a lot where they find it. */
export const sharedGpuBrowser = () => shared('webgpu', [...FLAGS, ...WEBGPU]);
