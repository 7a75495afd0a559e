/** A reflected CRC whose initial value and final XOR are all ones. */
export interface Crc {
  bits: 32 | 64;
  /** The reflected polynomial. */
  polynomial: bigint;
}

/** Combines the CRCs of parts into that of the bytes in a row, without reading them (as zlib's crc32_combine). */
export class CrcCombination {
  readonly #crc: Crc;
  readonly #shifts = new Map<number, bigint>();

  constructor(crc: Crc) {
    this.#crc = crc;
  }

  /** The CRC of A and B together, from the CRC of A, and the CRC and the length of B in bytes. */
  combine(a: bigint, b: bigint, bytes: number): bigint {
    return this.#multiply(this.#shift(bytes), a) ^ b;
  }

  /** x^(8 * bytes) modulo the polynomial. */
  #shift(bytes: number): bigint {
    const known = this.#shifts.get(bytes);
    if (known !== undefined) return known;
    // In a reflected CRC the highest bit is the coefficient of x^0.
    const one = 1n << BigInt(this.#crc.bits - 1);
    let [shift, power] = [one, one >> 8n];
    for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) shift = this.#multiply(shift, power);
      power = this.#multiply(power, power);
    }
    this.#shifts.set(bytes, shift);
    return shift;
  }

  #multiply(a: bigint, b: bigint): bigint {
    const { bits, polynomial } = this.#crc;
    let [product, factor] = [0n, b];
    for (let mask = 1n << BigInt(bits - 1); mask > 0n; mask >>= 1n) {
      if ((a & mask) !== 0n) product ^= factor;
      factor = (factor & 1n) === 1n ? (factor >> 1n) ^ polynomial : factor >> 1n;
    }
    return product;
  }
}
