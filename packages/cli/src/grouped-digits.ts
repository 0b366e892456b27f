/** `12,345`, and `1,234.5`. Loads none of what formats numbers for other languages, which takes 30 ms. */
export function groupedDigits(n: number): string {
  const [whole, fraction] = String(n).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
