/**
 * Doubles as integers: every finite double is m·2^e, so a set of them becomes integers by one common power of two.
 * Scale-independent results (signs, ratios, directions) can then be computed without any rounding.
 */

const MANTISSA_BITS = 52n;
const MANTISSA_MASK = (1n << MANTISSA_BITS) - 1n;

/** The integers value·2^s for the s that makes all of them integers and not all even. Precondition: all finite. */
export function toCommonIntegers(values: Float64Array): bigint[] {
  const bits = new BigUint64Array(Float64Array.from(values).buffer);
  const magnitudes: bigint[] = [];
  const exponents: number[] = [];
  let least = 0x7ff;
  for (const pattern of bits) {
    const field = Number((pattern >> MANTISSA_BITS) & 0x7ffn);
    const fraction = pattern & MANTISSA_MASK;
    // subnormals lack the leading bit and have the exponent of the smallest normal numbers
    const magnitude = field === 0 ? fraction : fraction | (1n << MANTISSA_BITS);
    const exponent = Math.max(field, 1);
    if (magnitude !== 0n && exponent < least) least = exponent;
    magnitudes.push(magnitude);
    exponents.push(exponent);
  }
  let union = 0n;
  for (let i = 0; i < magnitudes.length; i++) {
    if (magnitudes[i] !== 0n) magnitudes[i] <<= BigInt(exponents[i] - least);
    union |= magnitudes[i];
  }
  const spare = BigInt(Math.max(0, bitLength(union & -union) - 1));
  return magnitudes.map((magnitude, i) => (values[i] < 0 ? -(magnitude >> spare) : magnitude >> spare));
}

/** Number of binary digits of |x|; 0 for 0. */
export function bitLength(x: bigint): number {
  if (x === 0n) return 0;
  const digits = (x < 0n ? -x : x).toString(16);
  return 4 * digits.length - 3 + (31 - Math.clz32(Number.parseInt(digits[0], 16)));
}

/** x / y to about 2⁻⁵² of max(1, |x / y|). Precondition: y ≠ 0, |x / y| far below the largest double. */
export function ratio(x: bigint, y: bigint): number {
  const excess = BigInt(Math.max(0, bitLength(y) - 64));
  return Number(x >> excess) / Number(y >> excess);
}

/** Doubles proportional to the given integers, the largest near 2⁶⁴; zeros for zeros. */
export function toProportionalDoubles(vector: readonly bigint[]): number[] {
  const longest = Math.max(...vector.map(bitLength));
  const shift = BigInt(longest - 64);
  return vector.map((x) => Number(shift > 0n ? x >> shift : x << -shift));
}

/** The largest double ≤ k·2^−bits. Preconditions: k ≥ 0, bits ≤ 1022. */
export function dyadicToDoubleDown(k: bigint, bits: number): number {
  const excess = Math.max(0, bitLength(k) - 53);
  return Number(k >> BigInt(excess)) * 2 ** (excess - bits);
}
