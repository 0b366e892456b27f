/** The drawn instances and geometries of a batched mesh. */
import type { BatchedMesh } from 'three';

/** three.js's private records of a batch's instances; it has no public list of them. */
interface BatchRecords {
  readonly _instanceInfo?: readonly {
    readonly visible: boolean;
    readonly active: boolean;
    readonly geometryIndex: number;
  }[];
}

/** The instances that are drawn, in the order of their numbers. */
export function instancesOf(batch: BatchedMesh): { readonly id: number; readonly geometryId: number }[] {
  const records = (batch as unknown as BatchRecords)._instanceInfo ?? [];
  return records.flatMap(({ visible, active, geometryIndex }, id) =>
    visible && active ? [{ id, geometryId: geometryIndex }] : [],
  );
}
