/** A tensor with its bytes, little-endian. */
export interface MadeTensor {
  name: string;
  dtype: string;
  shape: readonly number[];
  bytes: Uint8Array;
}

/** A safetensors file with its tensors in the given order. */
export function safetensorsFile(tensors: readonly MadeTensor[], metadata?: Record<string, string>): Buffer {
  let end = 0;
  const entries = tensors.map(({ name, dtype, shape, bytes }) => {
    const start = end;
    end += bytes.length;
    return [name, { dtype, shape, data_offsets: [start, end] }] as const;
  });
  const header = { ...(metadata && { __metadata__: metadata }), ...Object.fromEntries(entries) };
  return fileWithHeader(JSON.stringify(header), ...tensors.map(({ bytes }) => bytes));
}

/** A file with any header, also an invalid one. */
export function fileWithHeader(header: string | Uint8Array, ...data: readonly Uint8Array[]): Buffer {
  const json = Buffer.from(header as string);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...data]);
}

/** What a valid file contains, parsed as simply as possible. */
export function readSafetensors(file: Buffer): { metadata?: Record<string, string>; tensors: MadeTensor[] } {
  const start = 8 + Number(file.readBigUInt64LE(0));
  const { __metadata__: metadata, ...entries } = JSON.parse(file.subarray(8, start).toString());
  const tensors = Object.entries(entries as Record<string, { dtype: string; shape: number[]; data_offsets: number[] }>);
  return {
    ...(metadata && { metadata }),
    tensors: tensors.map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [from = 0, to = 0],
        },
      ]) => ({
        name,
        dtype,
        shape,
        bytes: file.subarray(start + from, start + to),
      }),
    ),
  };
}

/** The bytes of floats. */
export const f32Bytes = (values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
