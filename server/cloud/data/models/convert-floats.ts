import { DTYPE_BITS, type Dtype } from "./dtypes";
import { bf16OfF32, f16OfF32, f32OfBf16, f32OfF16 } from "./round-floats";

/** Converts a whole number of elements; `bytes` begin at a multiple of 8 in their memory. Little-endian machines only. */
export function convertFloats(bytes: Uint8Array<ArrayBuffer>, from: Dtype, to: Dtype): Uint8Array<ArrayBuffer> {
  const convert = CONVERSIONS[`${from} ${to}`];
  if (!convert) return bytes;
  const count = bytes.length / (DTYPE_BITS[from] / 8);
  const output = new Uint8Array(count * (DTYPE_BITS[to] / 8));
  convert(bytes, output);
  return output;
}

type Conversion = (input: Uint8Array<ArrayBuffer>, output: Uint8Array<ArrayBuffer>) => void;

/** Without an entry: the bytes stay as they are. */
const CONVERSIONS: Readonly<Partial<Record<string, Conversion>>> = {
  "F32 F16": (input, output) => {
    const [from, to] = [int32(input), uint16(output)];
    for (let i = 0; i < to.length; i++) to[i] = f16OfF32(from[i] ?? 0);
  },
  "F32 BF16": (input, output) => {
    const [from, to] = [int32(input), uint16(output)];
    for (let i = 0; i < to.length; i++) to[i] = bf16OfF32(from[i] ?? 0);
  },
  "F16 F32": (input, output) => {
    const [from, to, values] = [uint16(input), uint32(output), f16Table()];
    for (let i = 0; i < to.length; i++) to[i] = values[from[i] ?? 0] ?? 0;
  },
  "BF16 F32": (input, output) => {
    const [from, to] = [uint16(input), uint32(output)];
    for (let i = 0; i < to.length; i++) to[i] = f32OfBf16(from[i] ?? 0);
  },
  "F16 BF16": (input, output) => lookUp(input, output, f16ToBf16Table()),
  "BF16 F16": (input, output) => lookUp(input, output, bf16ToF16Table()),
  "F64 F32": (input, output) => float32(output).set(float64(input)),
  "F64 F16": (input, output) => fromF64(input, uint16(output), f16OfF32),
  "F64 BF16": (input, output) => fromF64(input, uint16(output), bf16OfF32),
};

function lookUp(input: Uint8Array<ArrayBuffer>, output: Uint8Array<ArrayBuffer>, values: Uint16Array): void {
  const [from, to] = [uint16(input), uint16(output)];
  for (let i = 0; i < to.length; i++) to[i] = values[from[i] ?? 0] ?? 0;
}

/** Rounds to F32 by making the last bit odd where anything was cut off, so that the second rounding is the only one. */
function fromF64(input: Uint8Array<ArrayBuffer>, to: Uint16Array, round: (bits: number) => number): void {
  const from = float64(input);
  const near = new Float32Array(1);
  const bits = new Uint32Array(near.buffer);
  for (let i = 0; i < to.length; i++) {
    const value = from[i] ?? 0;
    near[0] = value;
    const nearest = near[0];
    let odd = bits[0] ?? 0;
    if (nearest !== value && !Number.isNaN(value)) odd = (Math.abs(nearest) > Math.abs(value) ? odd - 1 : odd) | 1;
    to[i] = round(odd);
  }
}

/** The values of a function of 16 bits, computed once. */
function tableOf<T extends Uint16Array | Uint32Array>(table: T, value: (bits: number) => number): () => T {
  let isFilled = false;
  return () => {
    if (!isFilled) for (let bits = 0; bits < table.length; bits++) table[bits] = value(bits);
    isFilled = true;
    return table;
  };
}

const f16Table = tableOf(new Uint32Array(2 ** 16), f32OfF16);
const f16ToBf16Table = tableOf(new Uint16Array(2 ** 16), (bits) => bf16OfF32(f32OfF16(bits)));
const bf16ToF16Table = tableOf(new Uint16Array(2 ** 16), (bits) => f16OfF32(f32OfBf16(bits)));

const uint16 = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>) =>
  new Uint16Array(buffer, byteOffset, length / 2);
const uint32 = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>) =>
  new Uint32Array(buffer, byteOffset, length / 4);
const int32 = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>) =>
  new Int32Array(buffer, byteOffset, length / 4);
const float32 = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>) =>
  new Float32Array(buffer, byteOffset, length / 4);
const float64 = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>) =>
  new Float64Array(buffer, byteOffset, length / 8);
