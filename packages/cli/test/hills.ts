/** A hilly square of 8 m as OBJ. */
export function hills(name: string, n: number): string {
  const lines = [`o ${name}`];
  for (let j = 0; j <= n; j++) {
    for (let i = 0; i <= n; i++) {
      const [x, y] = [(8 * i) / n, (8 * j) / n];
      lines.push(`v ${x} ${y} ${0.4 * Math.sin(x) * Math.cos(y) + 0.003 * Math.sin(9 * x * y)}`);
    }
  }
  for (let j = 0; j < n; j++) {
    for (let i = 1; i <= n; i++) {
      const a = j * (n + 1) + i;
      lines.push(`f ${a} ${a + 1} ${a + n + 2}`, `f ${a} ${a + n + 2} ${a + n + 1}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
