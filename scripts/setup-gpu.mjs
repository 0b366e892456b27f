// What WebGPU runs on in Node: a GPU's own driver, else the software driver that comes with Chromium. Where there is no
// Vulkan loader, root on Debian gets the package installed; without a driver the WebGPU tests are skipped, and this
// says so.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser, installOnDebian, missingBrowserNote } from './setup-browser.mjs';

const LOADER = 'libvulkan.so.1';
const SOFTWARE_DRIVER = 'vk_swiftshader_icd.json';
/**
 * Dawn's own loop clears the memory of workgroups as well; the software driver unrolls what this feature asks for, and
 * compiles for ten times as long.
 */
export const SLOW_FEATURES = 'use_vulkan_zero_initialize_workgroup_memory_extension';
const DRIVER_VARIABLES = ['VK_DRIVER_FILES', 'VK_ICD_FILENAMES'];

/**
 * Drivers to try in this order: a name, and the environment that makes the loader take it. Empty, with a reason, where
 * none can work.
 * @returns {{ drivers: { name: string, environment: Record<string, string> }[], problem?: string }}
 */
export function gpuDrivers() {
  const system = { name: 'the GPU of this machine', environment: {} };
  if (process.platform !== 'linux') return { drivers: [system] }; // Metal, Direct3D
  if (!findLoader()) return { drivers: [], problem: `no Vulkan loader (${LOADER}; Debian: libvulkan1)` };
  const chosen = DRIVER_VARIABLES.find((variable) => process.env[variable]);
  if (chosen) return { drivers: [{ name: `${chosen}=${process.env[chosen]}`, environment: {} }] };
  const software = findSoftwareDriver();
  const drivers = [
    ...(hasGpu() ? [system] : []),
    ...(software ? [{ name: `software, ${software}`, environment: { VK_ICD_FILENAMES: software } }] : []),
  ];
  // the loader complains about its absence, and needs nothing that is in there
  for (const { environment } of drivers)
    environment['XDG_RUNTIME_DIR'] = process.env['XDG_RUNTIME_DIR'] ?? tmpdir();
  const problem = findBrowser() ? `no ${SOFTWARE_DRIVER} beside ${findBrowser()}` : missingBrowserNote();
  return drivers.length > 0 ? { drivers } : { drivers, problem: `no GPU; no software driver: ${problem}` };
}

/**
 * The first adapter that a driver gives, or why there is none.
 * @returns {Promise<{ adapter: GPUAdapter, name: string } | { problem: string }>}
 */
export async function requestNodeAdapter() {
  const { drivers, problem } = gpuDrivers();
  if (drivers.length === 0) return { problem };
  let webgpu;
  try {
    webgpu = await import('webgpu');
  } catch (error) {
    return { problem: `the package webgpu cannot be loaded: ${String(error.message).split('\n')[0]}` };
  }
  Object.assign(globalThis, webgpu.globals);
  for (const { name, environment } of drivers) {
    Object.assign(process.env, environment); // read when an instance is made
    const gpu = webgpu.create([`disable-dawn-features=${SLOW_FEATURES}`]);
    instances.push(gpu);
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (adapter) return { adapter, name: `${adapter.info.description || adapter.info.vendor} (${name})` };
  }
  return { problem: `no adapter on ${drivers.map(({ name }) => name).join(', nor on ')}` };
}

/** Never released: the process crashes with an adapter whose instance was collected. */
const instances = (globalThis.webgpuInstances ??= []);

function findLoader() {
  const architecture = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[process.arch] ?? '';
  const folders = ['/usr/lib', '/lib', '/usr/local/lib'].flatMap((folder) => [
    folder,
    join(folder, architecture),
  ]);
  const given = (process.env['LD_LIBRARY_PATH'] ?? '').split(delimiter).filter(Boolean);
  return [...given, ...folders, '/usr/lib64', '/lib64']
    .map((folder) => join(folder, LOADER))
    .find((file) => existsSync(file));
}

function hasGpu() {
  if (existsSync('/dev/nvidia0') || existsSync('/dev/dxg')) return true;
  return existsSync('/dev/dri') && readdirSync('/dev/dri').some((name) => name.startsWith('renderD'));
}

/** Beside the browser itself, which what is on the PATH may only start. */
function findSoftwareDriver() {
  const browser = findBrowser();
  if (!browser) return undefined;
  const folders = [
    dirname(realpathSync(browser)),
    `/usr/lib/${basename(browser)}`,
    `/usr/lib64/${basename(browser)}`,
  ];
  return folders.map((folder) => join(folder, SOFTWARE_DRIVER)).find((file) => existsSync(file));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = process.platform === 'linux' && !findLoader();
  const installation = missing ? installOnDebian('libvulkan1') : undefined;
  const { name, problem } = await requestNodeAdapter();
  console.log(
    name
      ? `WebGPU tests: ${name}`
      : `\n*** WEBGPU TESTS IN NODE WILL BE SKIPPED: ${[problem, installation].filter(Boolean).join('; ')} ***\n`,
  );
  process.exit(); // a driver's threads would keep the process
}
