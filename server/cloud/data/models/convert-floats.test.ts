import { expect, it } from "vitest";
import { seededRandom } from "../../../../test/bench/seeded-random";
import { convertFloats } from "./convert-floats";
import type { Dtype } from "./dtypes";

// The expected results are computed with the values of floats as numbers, not with their bits: the value of every float
// of 16 bits from the definition of its format, and the nearest of them by comparison.

interface Format {
  exponentBits: number;
  fractionBits: number;
}
const F16: Format = { exponentBits: 5, fractionBits: 10 };
const BF16: Format = { exponentBits: 8, fractionBits: 7 };

/** What the bits mean, by the definition of IEEE 754. */
function numberOf(bits: number, { exponentBits, fractionBits }: Format): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const fraction = (bits % 2 ** fractionBits) / 2 ** fractionBits;
  const exponent = Math.floor((bits & 0x7fff) / 2 ** fractionBits);
  const bias = 2 ** (exponentBits - 1) - 1;
  if (exponent === 2 ** exponentBits - 1) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** (1 - bias) : sign * (1 + fraction) * 2 ** (exponent - bias);
}

const infinityOf = ({ exponentBits, fractionBits }: Format) => (2 ** exponentBits - 1) * 2 ** fractionBits;

/** The bits of the nearest float, the even one of two; `values` are the finite ones from 0 upwards. */
function nearest(value: number, format: Format, values: Float64Array): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  let [low, high] = [0, values.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= size) low = middle;
    else high = middle;
  }
  const below = values[low] ?? 0;
  // Infinity takes the place of the next power of two.
  const above = values[low + 1] ?? 2 ** (2 ** (format.exponentBits - 1));
  if (size === Number.POSITIVE_INFINITY) return sign | infinityOf(format);
  const isAbove = size - below > above - size || (size - below === above - size && low % 2 === 1);
  return sign | (low + (isAbove ? 1 : 0));
}

const finiteValues = (format: Format) =>
  Float64Array.from({ length: infinityOf(format) }, (_, bits) => numberOf(bits, format));
const all16 = () => Uint16Array.from({ length: 2 ** 16 }, (_, bits) => bits);
const bytesOf = (array: Uint16Array | Uint32Array | Float32Array | Float64Array) =>
  new Uint8Array(array.slice().buffer as ArrayBuffer);
const converted = (array: Parameters<typeof bytesOf>[0], from: Dtype, to: Dtype) =>
  convertFloats(bytesOf(array), from, to).buffer;

/** Compares without an assertion per value, which would take minutes. */
function expectBits(actual: Uint16Array, inputs: ArrayLike<number>, format: Format): void {
  const values = finiteValues(format);
  const wrong: string[] = [];
  for (const [i, bits] of actual.entries()) {
    const input = inputs[i] ?? 0;
    const isRight = Number.isNaN(input)
      ? Number.isNaN(numberOf(bits, format))
      : bits === nearest(input, format, values);
    if (!isRight) wrong.push(`${input} -> ${bits.toString(16)}`);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(actual).toHaveLength(inputs.length);
}

/** Any bits, floats of every exponent beside a tie, and all ties of small and large ones. */
function sample(): Float32Array {
  const random = seededRandom(11);
  const bits = new Uint32Array(400_000);
  for (let i = 0; i < bits.length; i++) {
    const any = Math.floor(random() * 2 ** 32);
    const [cut, half] = i % 4 < 2 ? [13, 0x1000] : [16, 0x8000];
    // Exactly a tie, one beside it, or anything.
    bits[i] = i % 2 === 0 ? (((any >>> cut) << cut) | half) + (Math.floor(random() * 3) - 1) : any;
  }
  const special = [0, -0, 65504, 65519.99609375, 65520, -65520, 2 ** -24, 2 ** -25, 2 ** -25 * 1.0000001, 3 * 2 ** -25];
  const more = [2 ** -14 - 2 ** -26, 3.4028234663852886e38, 1e-45, -1e-45, Number.POSITIVE_INFINITY, Number.NaN];
  return Float32Array.from([...special, ...more, Number.NEGATIVE_INFINITY, ...new Float32Array(bits.buffer)]);
}

it.each([
  ["F16", F16],
  ["BF16", BF16],
] as const)("rounds F32 to the nearest %s, ties to even", (dtype, format) => {
  const inputs = sample();
  expectBits(new Uint16Array(converted(inputs, "F32", dtype)), inputs, format);
});

it.each([
  ["F16", F16],
  ["BF16", BF16],
] as const)("widens every %s to the F32 of the same value, and back to the same bits", (dtype, format) => {
  const bits = all16();
  const wide = new Float32Array(converted(bits, dtype, "F32"));
  const wrong = [...bits].filter((each) => !Object.is(wide[each], numberOf(each, format)));
  expect(wrong).toEqual([]);
  const back = new Uint16Array(converted(wide, "F32", dtype));
  const isNumber = (each: number) => !Number.isNaN(numberOf(each, format));
  expect([...back].filter((each, i) => each !== i && isNumber(i))).toEqual([]);
  expect([...back].filter((each, i) => !isNumber(i) && (isNumber(each) || (each ^ i) & 0x8000))).toEqual([]);
});

it.each([
  ["F16", "BF16"],
  ["BF16", "F16"],
] as const)("rounds every %s to the nearest %s", (from, to) => {
  const [source, target] = from === "F16" ? [F16, BF16] : [BF16, F16];
  const inputs = Float64Array.from(all16(), (bits) => numberOf(bits, source));
  expectBits(new Uint16Array(converted(all16(), from, to)), inputs, target);
});

it("rounds F64 once, also where F32 between would be a tie", () => {
  const random = seededRandom(12);
  const beside = (value: number) => [value * (1 + 2 ** -40), value * (1 - 2 ** -40), value];
  const ties = [...sample().slice(0, 50_000)].flatMap(beside);
  const inputs = Float64Array.from([...ties, 5e-324, -5e-324, 1e300, -1e300, 2 ** 128, random()]);
  expectBits(new Uint16Array(converted(inputs, "F64", "F16")), inputs, F16);
  expectBits(new Uint16Array(converted(inputs, "F64", "BF16")), inputs, BF16);
  expect(new Float32Array(converted(inputs, "F64", "F32"))).toEqual(Float32Array.from(inputs, Math.fround));
});

it("does not copy what stays as it is", () => {
  const bytes = new Uint8Array(8);
  expect(convertFloats(bytes, "I64", "I64")).toBe(bytes);
});
