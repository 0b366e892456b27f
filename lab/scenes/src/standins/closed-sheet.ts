/**
 * Closed surfaces from one grid: rows of rings whose ends are joined to each other, drawn together in a point, or
 * capped. Columns × rows face outwards.
 */

export interface ClosedSheet {
  readonly rows: number;
  /** Points of a ring; even. */
  readonly columns: number;
  /** `ring`: the last row is followed by the first. `point`: the ends meet in points. `flat`: the ends are capped. */
  readonly ends: 'ring' | 'point' | 'flat';
  /** Writes a point; rows -1 and `rows` are the end points, if any. */
  readonly point: (row: number, column: number, out: number[]) => void;
}

export function triangleCountOf({ rows, columns, ends }: ClosedSheet): number {
  if (ends === 'ring') return 2 * rows * columns;
  return 2 * columns * (rows - 1) + 2 * (ends === 'point' ? columns : columns - 2);
}

export function meshSheets(sheets: readonly ClosedSheet[]): {
  positions: Float32Array;
  indices: Uint32Array;
} {
  let vertices = 0;
  let triangles = 0;
  for (const sheet of sheets) {
    vertices += sheet.rows * sheet.columns + (sheet.ends === 'point' ? 2 : 0);
    triangles += triangleCountOf(sheet);
  }
  const positions = new Float32Array(3 * vertices);
  const indices = new Uint32Array(3 * triangles);
  const point = [0, 0, 0];
  let first = 0;
  let used = 0;
  const push = (a: number, b: number, c: number): void => {
    indices[used++] = first + a;
    indices[used++] = first + b;
    indices[used++] = first + c;
  };

  for (const sheet of sheets) {
    const { rows, columns, ends } = sheet;
    const put = (number: number, row: number, column: number): void => {
      sheet.point(row, column, point);
      positions.set(point, 3 * (first + number));
    };
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) put(i * columns + j, i, j);
    for (let i = 0; i < (ends === 'ring' ? rows : rows - 1); i++) {
      const [row, next] = [i * columns, ((i + 1) % rows) * columns];
      for (let j = 0; j < columns; j++) {
        const k = (j + 1) % columns;
        push(row + j, row + k, next + j);
        push(row + k, next + k, next + j);
      }
    }
    const size = rows * columns;
    const last = size - columns;
    if (ends === 'point') {
      put(size, -1, 0);
      put(size + 1, rows, 0);
      for (let j = 0; j < columns; j++) {
        const k = (j + 1) % columns;
        push(size, k, j);
        push(size + 1, last + j, last + k);
      }
    } else if (ends === 'flat') {
      // between the two halves of the ring, from its first point to the opposite one
      const [lid, base] = [
        (a: number, b: number, c: number) => push(last + a, last + b, last + c),
        (a: number, b: number, c: number) => push(a, c, b),
      ];
      const half = columns / 2;
      for (const close of [base, lid]) {
        close(0, 1, columns - 1);
        for (let j = 1; j + 1 < half; j++) {
          close(j, j + 1, columns - j - 1);
          close(j, columns - j - 1, columns - j);
        }
        close(half - 1, half, half + 1);
      }
    }
    first += size + (ends === 'point' ? 2 : 0);
  }
  return { positions, indices };
}
