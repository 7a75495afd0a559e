/** `query`, `rows` and `out` are positions in the memory, in bytes. */
interface Operands {
  query: number;
  rows: number;
  /** The bytes of a vector, a multiple of `LANES`. */
  stride: number;
  /** The number of rows, at least 1. */
  count: number;
  /** Where the dot products are written, as 32-bit integers. */
  out: number;
}

/** Vectors are padded with zeros to a multiple of this many components, the width of a SIMD register. */
export const LANES = 16;

/**
 * Dot products of one vector of signed bytes with `count` rows of `stride` bytes each, in 128-bit SIMD: about thirty
 * times as fast as the same loop in JavaScript. Components must be within -127 to 127 and at most 4096 per vector, so
 * that no sum overflows.
 */
export function createDotProducts(memory: WebAssembly.Memory): (operands: Operands) => void {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(BINARY), { m: { memory } });
  const dots = instance.exports.dots as (...operands: number[]) => void;
  return ({ query, rows, stride, count, out }) => dots(query, rows, stride, count, out);
}

const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
/** A length as unsigned LEB128, followed by the bytes. */
const sized = (bytes: readonly number[]): number[] => [(bytes.length & 0x7f) | 0x80, bytes.length >> 7, ...bytes];
const section = (id: number, bytes: readonly number[]): number[] => [id, ...sized(bytes)];

const [GET, SET, TEE, I32_CONST, I32_ADD, I32_SUB, I32_LESS] = [0x20, 0x21, 0x22, 0x41, 0x6a, 0x6b, 0x49];
const [LOOP, NO_RESULT, BRANCH_IF, END, I32, V128] = [0x03, 0x40, 0x0d, 0x0b, 0x7f, 0x7b];
const V128_LOAD = [0xfd, 0x00, 0x00, 0x00];
const V128_ZERO = [0xfd, 0x0c, ...new Array<number>(LANES).fill(0)];
const LOW_HALF = [0xfd, 0x87, 0x01];
const HIGH_HALF = [0xfd, 0x88, 0x01];
const DOT = [0xfd, 0xba, 0x01];
const I32X4_ADD = [0xfd, 0xae, 0x01];
const I32_STORE = [0x36, 0x02, 0x00];
const lane = (at: number): number[] => [0xfd, 0x1b, at];
// The parameters, then the local variables.
const [QUERY, ROW, STRIDE, COUNT, OUT, AT, QUERY_END, SUM, A, B] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** `local += by` */
const advance = (local: number, by: number): number[] => [GET, local, I32_CONST, by, I32_ADD, SET, local];
/** `sum += dot(half of a, half of b)`, with `sum` on the stack; the bytes of a half become 16-bit integers. */
const addHalf = (half: readonly number[]): number[] => [GET, A, ...half, GET, B, ...half, ...DOT, ...I32X4_ADD];

// No instruction below needs a longer encoding: every constant and index is under 64.
const BODY = [
  GET,
  QUERY,
  GET,
  STRIDE,
  I32_ADD,
  SET,
  QUERY_END,
  LOOP,
  NO_RESULT,
  ...V128_ZERO,
  SET,
  SUM,
  GET,
  QUERY,
  SET,
  AT,
  LOOP,
  NO_RESULT,
  GET,
  AT,
  ...V128_LOAD,
  SET,
  A,
  GET,
  ROW,
  ...V128_LOAD,
  SET,
  B,
  GET,
  SUM,
  ...addHalf(LOW_HALF),
  ...addHalf(HIGH_HALF),
  SET,
  SUM,
  ...advance(ROW, LANES),
  GET,
  AT,
  I32_CONST,
  LANES,
  I32_ADD,
  TEE,
  AT,
  GET,
  QUERY_END,
  I32_LESS,
  BRANCH_IF,
  0,
  END,
  GET,
  OUT,
  GET,
  SUM,
  ...lane(0),
  ...[1, 2, 3].flatMap((at) => [GET, SUM, ...lane(at), I32_ADD]),
  ...I32_STORE,
  ...advance(OUT, 4),
  GET,
  COUNT,
  I32_CONST,
  1,
  I32_SUB,
  TEE,
  COUNT,
  BRANCH_IF,
  0,
  END,
  END,
];

/** A WebAssembly module that imports the memory `m.memory` and exports the function `dots`. */
const BINARY = Uint8Array.from([
  0x00,
  ...Buffer.from("asm"),
  1,
  0,
  0,
  0,
  ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
  ...section(2, [1, ...name("m"), ...name("memory"), 2, 0, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...name("dots"), 0, 0]),
  ...section(10, [1, ...sized([2, 2, I32, 3, V128, ...BODY])]),
]);
