// Floats as bits: IEEE 754 binary16 (F16) and binary32 (F32), and bfloat16 (BF16), the upper half of binary32. Rounding
// is to nearest, ties to even; what is too large becomes infinite, and a NaN stays a NaN of its sign (made quiet).

const SIGN_32 = 0x8000_0000;
const SIGN_16 = 0x8000;
const INFINITY_32 = 0x7f80_0000;
const INFINITY_F16 = 0x7c00;
const QUIET_F16 = 0x7e00;
const QUIET_BF16 = 0x7fc0;
/** The least F32 that is a normal F16, 2^-14, and the first that is infinite as F16 whatever its fraction, 2^16. */
const NORMAL_F16 = 0x3880_0000;
const OVERFLOW_F16 = 0x4780_0000;
/** The difference of the exponents' biases, 127 - 15, in the place of an F32's exponent. */
const REBIAS = 0x3800_0000;
/** Below half of the least F16, 2^-25. */
const ZERO_F16 = 0x3300_0000;

/** `bits` are 32 bits, signed or not. */
export function f16OfF32(bits: number): number {
  const sign = (bits >>> 16) & SIGN_16;
  const value = bits & ~SIGN_32;
  if (value < NORMAL_F16) return sign | subnormalOf(value);
  if (value < OVERFLOW_F16) {
    const rebased = value - REBIAS;
    // A carry out of the fraction is the next exponent, and after the last one infinity.
    return sign | ((rebased + 0x0fff + ((rebased >>> 13) & 1)) >>> 13);
  }
  return value > INFINITY_32 ? sign | QUIET_F16 | ((value >>> 13) & 0x3ff) : sign | INFINITY_F16;
}

/** An F32 below 2^-14 as multiples of 2^-24; the largest become the least normal F16, which has the next bits. */
function subnormalOf(value: number): number {
  if (value < ZERO_F16) return 0;
  const fraction = (value & 0x007f_ffff) | 0x0080_0000;
  const shift = 126 - (value >>> 23);
  const kept = fraction >>> shift;
  const rest = fraction & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept;
}

/** `bits` are 32 bits, signed or not. */
export function bf16OfF32(bits: number): number {
  if ((bits & ~SIGN_32) > INFINITY_32) return ((bits >>> 16) & SIGN_16) | QUIET_BF16;
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

/** The bits of the same value, which every F16 has exactly. */
export function f32OfF16(bits: number): number {
  const sign = (bits & SIGN_16) << 16;
  const value = bits & ~SIGN_16 & 0xffff;
  if (value >= INFINITY_F16) return (sign | INFINITY_32 | ((value & 0x3ff) << 13)) >>> 0;
  if (value >= 0x400) return (sign | ((value << 13) + REBIAS)) >>> 0;
  if (value === 0) return sign >>> 0;
  // A subnormal: its highest bit becomes the implicit one.
  const shift = Math.clz32(value) - 21;
  const exponent = 113 - shift;
  return (sign | (exponent << 23) | ((value << (shift + 13)) & 0x007f_ffff)) >>> 0;
}

export const f32OfBf16 = (bits: number): number => (bits << 16) >>> 0;
