import { RuntimeError } from "../runtime";

/** A layer that cannot be unpacked because of what it contains; `why` continues the sentence "A layer is invalid: ". */
export const invalidLayer = (why: string, cause?: unknown): RuntimeError =>
  new RuntimeError("image_invalid", `A layer is invalid: ${why}.`, { cause });

export const layerTooLarge = (why: string): RuntimeError =>
  new RuntimeError("image_too_large", `A layer is too large: ${why}.`);
