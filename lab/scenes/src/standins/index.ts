/** Stand-ins for models too large to distribute: a scan refined to any size, a turbine. */
export { plyOf, plyOfMesh } from './ply.js';
export { RefinedScan, type RefineOptions, refineScan, type ScanBlock } from './refine-scan.js';
export type { Scan } from './scan-net.js';
export { turbine } from './turbine.js';
