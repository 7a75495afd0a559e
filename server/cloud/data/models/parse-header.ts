import { DTYPE_BITS, type Dtype, isDtype } from "./dtypes";
import { findJsonFault } from "./find-json-fault";
import { invalidModel, quoted } from "./model-errors";

/** The 8 bytes before the header. */
export const LENGTH_BYTES = 8;
/** The format allows 100 MB; a header is parsed in memory, and those of the largest published models have 10 MB. */
const HEADER_BYTES_MAX = 16 * 1024 ** 2;
const TENSORS_MAX = 100_000;
const METADATA = "__metadata__";

export interface Tensor {
  name: string;
  dtype: Dtype;
  shape: readonly number[];
  /** In the file. */
  bytes: number;
}

export interface ModelHeader {
  /** In the order of their data, which has no gaps. */
  tensors: readonly Tensor[];
  metadata: Readonly<Record<string, string>> | undefined;
}

/** The length of the header from the first 8 bytes of a file of `fileSize` bytes. Throws `unprocessable`. */
export function headerLengthOf(first: Uint8Array, fileSize: number): number {
  const length = new DataView(first.buffer, first.byteOffset, LENGTH_BYTES).getBigUint64(0, true);
  if (length > HEADER_BYTES_MAX) {
    throw invalidModel(
      `its first 8 bytes announce a header of ${length} bytes; expected a safetensors file with a header of at most ${HEADER_BYTES_MAX} bytes.`,
    );
  }
  if (LENGTH_BYTES + Number(length) > fileSize) {
    throw invalidModel(`the header has ${length} bytes, which the file of ${fileSize} bytes does not contain.`);
  }
  return Number(length);
}

/** Parses the header of a file with `dataBytes` bytes after it. Throws `unprocessable` with the tensor and the fault. */
export function parseHeader(bytes: Uint8Array, dataBytes: number): ModelHeader {
  const root = objectOf(textOf(bytes));
  const { [METADATA]: metadata, ...entries } = root;
  const names = Object.keys(entries);
  if (names.length > TENSORS_MAX) {
    throw invalidModel(`the file has ${names.length} tensors; expected at most ${TENSORS_MAX}.`);
  }
  const tensors = names.map((name) => parseTensor(name, entries[name]));
  // The sort is stable, so that tensors without bytes keep their order.
  tensors.sort((a, b) => a.start - b.start || a.end - b.end);
  assertContiguous(tensors, dataBytes);
  return {
    tensors: tensors.map(({ name, dtype, shape, start, end }) => ({ name, dtype, shape, bytes: end - start })),
    metadata: metadata === undefined ? undefined : parseMetadata(metadata),
  };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidModel("the header is not valid UTF-8.", cause);
  }
}

function objectOf(json: string): Record<string, unknown> {
  if (!json.startsWith("{")) throw invalidModel('the header does not begin with "{".');
  const fault = findJsonFault(json);
  if (fault !== undefined) throw invalidModel(`the header ${fault}.`);
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch (cause) {
    throw invalidModel("the header is not valid JSON.", cause);
  }
}

interface PlacedTensor extends Omit<Tensor, "bytes"> {
  start: number;
  end: number;
}

function parseTensor(name: string, entry: unknown): PlacedTensor {
  const fault = (message: string) => invalidModel(`tensor ${quoted(name)}: ${message}`);
  if (!isRecord(entry)) throw fault("expected an object with dtype, shape and data_offsets.");
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== "string") throw fault("dtype: expected a string.");
  if (!isDtype(dtype)) throw fault(`dtype ${quoted(dtype)} is not one of ${Object.keys(DTYPE_BITS).join(", ")}.`);
  if (!isCounts(shape)) throw fault("shape: expected an array of whole numbers from 0.");
  if (!isCounts(offsets) || offsets.length !== 2) throw fault("data_offsets: expected an array of two whole numbers.");
  const [start = 0, end = 0] = offsets;
  if (end < start) throw fault(`data_offsets: the end ${end} is before the start ${start}.`);
  const bits = shape.reduce((product, length) => product * length, 1) * DTYPE_BITS[dtype];
  if (!Number.isSafeInteger(bits)) throw fault("shape: has more elements than a file can contain.");
  if (bits % 8 !== 0) throw fault(`shape: ${bits} bits of ${dtype} are not a whole number of bytes.`);
  if (bits / 8 !== end - start) {
    throw fault(`data_offsets: contain ${end - start} bytes, but its dtype and shape need ${bits / 8}.`);
  }
  return { name, dtype, shape, start, end };
}

function assertContiguous(tensors: readonly PlacedTensor[], dataBytes: number): void {
  let position = 0;
  for (const { name, start, end } of tensors) {
    if (start !== position) {
      const what = start < position ? "overlaps the tensor before it" : "leaves a gap after the tensor before it";
      throw invalidModel(`tensor ${quoted(name)}: ${what}; expected its data to begin at ${position}, not ${start}.`);
    }
    position = end;
  }
  if (position !== dataBytes) {
    const last = tensors.at(-1);
    const where = last ? `the last tensor, ${quoted(last.name)}, ends at ${position}` : "it has no tensors";
    throw invalidModel(`the file has ${dataBytes} bytes after the header, but ${where}.`);
  }
}

function parseMetadata(value: unknown): Record<string, string> {
  if (!isRecord(value)) throw invalidModel(`${METADATA}: expected an object of strings.`);
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") throw invalidModel(`${METADATA} / ${quoted(key)}: expected a string.`);
  }
  return value as Record<string, string>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isCounts = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && one >= 0);
