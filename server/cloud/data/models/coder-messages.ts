import type { Bytes, Digests } from "./coder";
import type { Dtype } from "./dtypes";

/** To the thread: the calls of a Coder in their order. */
export type ToCoderThread =
  | { call: "skip" | "add"; bytes: Bytes }
  | { call: "convert"; bytes: Bytes; from: Dtype; to: Dtype }
  | { call: "endShard" };

/** From the thread: the result of each call, in the same order. */
export type FromCoderThread = undefined | Bytes | Digests;
