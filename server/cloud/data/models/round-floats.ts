// Floats as bits: IEEE 754 binary16 (F16) and binary32 (F32), and bfloat16 (BF16), the upper half of binary32. Rounding
// is to nearest, ties to even; what is too large becomes infinite, and a NaN stays a NaN of its sign (made quiet).
// Numbers are written out, because V8 loads the constants of a bundled module from memory: three times slower.

/** `bits` are 32 bits, signed or not. */
export function f16OfF32(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const value = bits & 0x7fff_ffff;
  // Below 2^-14, the least normal F16.
  if (value < 0x3880_0000) return sign | subnormalOf(value);
  // From 2^16 upwards all are infinite.
  if (value < 0x4780_0000) {
    // The biases of the exponents differ by 112; a carry out of the fraction is the next exponent, at last infinity.
    const rebased = (value - 0x3800_0000) | 0;
    return sign | ((rebased + 0x0fff + ((rebased >>> 13) & 1)) >>> 13);
  }
  return value > 0x7f80_0000 ? sign | 0x7e00 | ((value >>> 13) & 0x03ff) : sign | 0x7c00;
}

/** An F32 below 2^-14 as multiples of 2^-24; the largest become the least normal F16, which has the next bits. */
function subnormalOf(value: number): number {
  // Below 2^-25, half of the least F16.
  if (value < 0x3300_0000) return 0;
  const fraction = (value & 0x007f_ffff) | 0x0080_0000;
  const shift = 126 - (value >>> 23);
  const kept = fraction >>> shift;
  const rest = fraction & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept;
}

/** `bits` are 32 bits, signed or not. */
export function bf16OfF32(bits: number): number {
  if ((bits & 0x7fff_ffff) > 0x7f80_0000) return ((bits >>> 16) & 0x8000) | 0x7fc0;
  return (((bits | 0) + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

/** The bits of the same value, which every F16 has in F32. */
export function f32OfF16(bits: number): number {
  const sign = (bits & 0x8000) << 16;
  const value = bits & 0x7fff;
  if (value >= 0x7c00) return (sign | 0x7f80_0000 | ((value & 0x03ff) << 13)) >>> 0;
  if (value >= 0x0400) return (sign | ((value << 13) + 0x3800_0000)) >>> 0;
  if (value === 0) return sign >>> 0;
  // A subnormal: its highest bit becomes the implicit one.
  const shift = Math.clz32(value) - 21;
  const exponent = 113 - shift;
  return (sign | (exponent << 23) | ((value << (shift + 13)) & 0x007f_ffff)) >>> 0;
}

export const f32OfBf16 = (bits: number): number => (bits << 16) >>> 0;
