import { ServiceError } from "../../../kernel/errors";

const NAME_LENGTH_MAX = 80;

const ofSource =
  (code: "unprocessable" | "unavailable" | "conflict", reason: string) =>
  (message: string, cause?: unknown): ServiceError =>
    new ServiceError(code, `source_model: ${message}`, { param: "source_model", details: { reason }, cause });

/** The file is no safetensors file, or one that this version does not read. */
export const invalidModel = ofSource("unprocessable", "invalid_model");

/** The file cannot be read now, but perhaps later. */
export const unreadableSource = ofSource("unavailable", "source_unreadable");

/** The file cannot be read with this URL. */
export const refusedSource = ofSource("unprocessable", "source_refused");

/** The file is not the one that an earlier part of the conversion has read. */
export const sourceChanged = (): ServiceError =>
  ofSource("conflict", "source_changed")("the file has changed since the conversion began; create a new conversion.");

export const wrongChecksum = ({ expected, found }: { expected: string; found: string }): ServiceError =>
  new ServiceError(
    "unprocessable",
    `sha256: expected ${expected}, but the source has ${found}; no index was written.`,
    {
      param: "sha256",
      details: { reason: "checksum_mismatch" },
    },
  );

export const wrongSize = ({ expected, found }: { expected: number; found: number }): ServiceError =>
  new ServiceError("unprocessable", `bytes_total: expected ${expected} bytes, but the source has ${found}.`, {
    param: "bytes_total",
    details: { reason: "size_mismatch" },
  });

/** A tensor's name in quotes, without line breaks and cut to a length that fits a message. */
export const quoted = (name: string): string =>
  JSON.stringify(name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name);
