/** A box of a report, in metres. */
import type { Vec3 } from 'impinge';

export interface ReportBox {
  readonly min: Vec3;
  readonly max: Vec3;
}
