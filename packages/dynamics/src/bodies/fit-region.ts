/** The rigid motion that brings the rest shape of a region nearest to where its nodes are. */
import type { Regions } from './matched-shape.js';

/** Turns towards the best rotation, at most, and the squared angle that ends them. */
const MAX_TURNS = 8;
const STILL_SQ = 1e-12;
/** Keeps turns finite where a region has no extent, relative to its spread. */
const NO_EXTENT = 1e-6;

/**
 * Writes rotation (row by row) and centre of the best fit of a region, and the quaternion of the rotation, which is
 * sought from where it was. Returns Σ weight · |x − fit|².
 */
export function fitRegion(
  { start, nodes, weights, offsets, masses, spreads }: Regions,
  region: number,
  x: Float64Array,
  q: Float64Array,
  fit: Float64Array,
): number {
  const first = start[region];
  const last = start[region + 1];
  let cx = 0;
  let cy = 0;
  let cz = 0;
  for (let m = first; m < last; m++) {
    const n = 3 * nodes[m];
    const w = weights[m];
    cx += w * x[n];
    cy += w * x[n + 1];
    cz += w * x[n + 2];
  }
  cx /= masses[region];
  cy /= masses[region];
  cz /= masses[region];
  // A = Σ weight · (x − centre) · offsetᵀ
  let a00 = 0;
  let a01 = 0;
  let a02 = 0;
  let a10 = 0;
  let a11 = 0;
  let a12 = 0;
  let a20 = 0;
  let a21 = 0;
  let a22 = 0;
  let spread = 0;
  for (let m = first; m < last; m++) {
    const n = 3 * nodes[m];
    const w = weights[m];
    const px = x[n] - cx;
    const py = x[n + 1] - cy;
    const pz = x[n + 2] - cz;
    const qx = w * offsets[3 * m];
    const qy = w * offsets[3 * m + 1];
    const qz = w * offsets[3 * m + 2];
    a00 += px * qx;
    a01 += px * qy;
    a02 += px * qz;
    a10 += py * qx;
    a11 += py * qy;
    a12 += py * qz;
    a20 += pz * qx;
    a21 += pz * qy;
    a22 += pz * qz;
    spread += w * (px * px + py * py + pz * pz);
  }

  const at = 4 * region;
  let qx = q[at];
  let qy = q[at + 1];
  let qz = q[at + 2];
  let qw = q[at + 3];
  const least = NO_EXTENT * spreads[region];
  for (let turn = 0; ; turn++) {
    const r00 = 1 - 2 * (qy * qy + qz * qz);
    const r01 = 2 * (qx * qy - qz * qw);
    const r02 = 2 * (qx * qz + qy * qw);
    const r10 = 2 * (qx * qy + qz * qw);
    const r11 = 1 - 2 * (qx * qx + qz * qz);
    const r12 = 2 * (qy * qz - qx * qw);
    const r20 = 2 * (qx * qz - qy * qw);
    const r21 = 2 * (qy * qz + qx * qw);
    const r22 = 1 - 2 * (qx * qx + qy * qy);
    // B = A Rᵀ; R is turned to maximise its trace
    const b00 = a00 * r00 + a01 * r01 + a02 * r02;
    const b11 = a10 * r10 + a11 * r11 + a12 * r12;
    const b22 = a20 * r20 + a21 * r21 + a22 * r22;
    const b01 = a00 * r10 + a01 * r11 + a02 * r12;
    const b10 = a10 * r00 + a11 * r01 + a12 * r02;
    const b12 = a10 * r20 + a11 * r21 + a12 * r22;
    const b21 = a20 * r10 + a21 * r11 + a22 * r12;
    const b20 = a20 * r00 + a21 * r01 + a22 * r02;
    const b02 = a00 * r20 + a01 * r21 + a02 * r22;
    const agreement = b00 + b11 + b22;
    const tx = b21 - b12;
    const ty = b02 - b20;
    const tz = b10 - b01;
    // Newton's step H w = t, H = tr B − sym B; where that is no ascent, a short step along t
    const h00 = b11 + b22;
    const h11 = b00 + b22;
    const h22 = b00 + b11;
    const h01 = -0.5 * (b01 + b10);
    const h12 = -0.5 * (b12 + b21);
    const h02 = -0.5 * (b02 + b20);
    const c00 = h11 * h22 - h12 * h12;
    const c01 = h02 * h12 - h01 * h22;
    const c02 = h01 * h12 - h02 * h11;
    const minor = h00 * h11 - h01 * h01;
    const det = h00 * c00 + h01 * c01 + h02 * c02;
    let wx: number;
    let wy: number;
    let wz: number;
    if (h00 > least && minor > least * least && det > least * least * least) {
      const c12 = h01 * h02 - h00 * h12;
      wx = (c00 * tx + c01 * ty + c02 * tz) / det;
      wy = (c01 * tx + (h00 * h22 - h02 * h02) * ty + c12 * tz) / det;
      wz = (c02 * tx + c12 * ty + minor * tz) / det;
    } else {
      const scale = 1 / (Math.abs(agreement) + least);
      wx = scale * tx;
      wy = scale * ty;
      wz = scale * tz;
    }
    const angleSq = wx * wx + wy * wy + wz * wz;
    if (!(angleSq > STILL_SQ) || turn === MAX_TURNS) {
      fit[0] = r00;
      fit[1] = r01;
      fit[2] = r02;
      fit[3] = r10;
      fit[4] = r11;
      fit[5] = r12;
      fit[6] = r20;
      fit[7] = r21;
      fit[8] = r22;
      fit[9] = cx;
      fit[10] = cy;
      fit[11] = cz;
      q[at] = qx;
      q[at + 1] = qy;
      q[at + 2] = qz;
      q[at + 3] = qw;
      return Math.max(spread + spreads[region] - 2 * agreement, 0);
    }
    // q ← (w / 2, 1) · q, normalised
    const hx = 0.5 * wx;
    const hy = 0.5 * wy;
    const hz = 0.5 * wz;
    const nx = qx + hx * qw + hy * qz - hz * qy;
    const ny = qy + hy * qw + hz * qx - hx * qz;
    const nz = qz + hz * qw + hx * qy - hy * qx;
    const nw = qw - hx * qx - hy * qy - hz * qz;
    const norm = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
    qx = nx * norm;
    qy = ny * norm;
    qz = nz * norm;
    qw = nw * norm;
  }
}
