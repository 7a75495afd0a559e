/** Bits per element of every dtype of the safetensors format (its tensor.rs). */
export const DTYPE_BITS = {
  BOOL: 8,
  U8: 8,
  I8: 8,
  U16: 16,
  I16: 16,
  U32: 32,
  I32: 32,
  U64: 64,
  I64: 64,
  F4: 4,
  F6_E2M3: 6,
  F6_E3M2: 6,
  F8_E4M3: 8,
  F8_E5M2: 8,
  F8_E8M0: 8,
  F16: 16,
  BF16: 16,
  F32: 32,
  F64: 64,
  C64: 64,
} as const;

export type Dtype = keyof typeof DTYPE_BITS;

/** Dtypes that a conversion can produce, by their names in a request. */
export const TARGET_DTYPES = { f32: "F32", f16: "F16", bf16: "BF16" } as const;
export type TargetDtype = keyof typeof TARGET_DTYPES;

const CONVERTED: ReadonlySet<Dtype> = new Set<Dtype>(["F64", "F32", "F16", "BF16"]);

export const isDtype = (name: string): name is Dtype => Object.hasOwn(DTYPE_BITS, name);

/** The dtype of a tensor after a conversion: floats of 16 bits and more are converted, all others stay as they are. */
export const convertedDtype = (from: Dtype, target: TargetDtype | undefined): Dtype =>
  target !== undefined && CONVERTED.has(from) ? TARGET_DTYPES[target] : from;
