const DIGITS = new Map(
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].map((digit, value) => [digit, value]),
);

/** The bits of base64url text of the IAB, which needs no whole bytes. Every read past the end throws. */
export class ConsentBits {
  readonly #digits: readonly number[];
  #at = 0;

  /** Throws for text that is not base64url. */
  constructor(text: string) {
    this.#digits = [...text].map((digit) => {
      const value = DIGITS.get(digit);
      if (value === undefined) throw new RangeError("not base64url");
      return value;
    });
  }

  flag(): boolean {
    const digit = this.#digits[Math.floor(this.#at / 6)];
    if (digit === undefined) throw new RangeError("truncated");
    return ((digit >> (5 - (this.#at++ % 6))) & 1) === 1;
  }

  /** A whole number of at most 53 bits. */
  number(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++) value = value * 2 + Number(this.flag());
    return value;
  }

  flags(count: number): boolean[] {
    return Array.from({ length: count }, () => this.flag());
  }

  /** The format counts tenths of a second. */
  date(): Date {
    return new Date(this.number(36) * 100);
  }

  skip(bits: number): void {
    this.#at += bits;
  }
}
