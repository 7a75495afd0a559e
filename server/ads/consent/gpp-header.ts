import { ConsentBits } from "./consent-bits";

/** Ids of sections that exist or soon will; a header of ten characters can name millions. */
const SECTION_ID_MAX = 256;
const TYPE = 3;
const VERSION = 1;

/** The ids of the sections of a GPP string, in their order. Throws for another type or version, and truncated text. */
export function readGppHeader(header: string): number[] {
  const bits = new ConsentBits(header);
  if (bits.number(6) !== TYPE || bits.number(6) !== VERSION) throw new RangeError("unknown header");
  const ids: number[] = [];
  let last = 0;
  const entries = bits.number(12);
  for (let i = 0; i < entries; i++) {
    const isRange = bits.flag();
    const from = last + fibonacci(bits);
    last = isRange ? from + fibonacci(bits) : from;
    if (last > SECTION_ID_MAX) throw new RangeError("unknown section");
    for (let id = from; id <= last; id++) ids.push(id);
  }
  return ids;
}

/** A number in Fibonacci coding: a sum of terms of the series, whose end is two ones. */
function fibonacci(bits: ConsentBits): number {
  let [term, next, sum, wasOne] = [1, 2, 0, false];
  for (;;) {
    const isOne = bits.flag();
    if (isOne && wasOne) return sum;
    if (isOne) sum += term;
    wasOne = isOne;
    [term, next] = [next, term + next];
  }
}
