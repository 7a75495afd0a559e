import { ServiceError } from "../../../kernel/errors";
import { numberOf, relayedText } from "../../../kernel/relayed-json";
import type { RedactedJson } from "./redacted-json";
import { malformed, UpstreamFailure } from "./upstream-failure";

const FLOAT_BYTES = 4;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

interface Ask {
  encoding_format?: "float" | "base64" | null | undefined;
  dimensions?: number | null | undefined;
}

type Entry = Readonly<Record<string, unknown>> | null;

/**
 * The vectors that an upstream returned, in the format that the client asked for: some upstreams know only one, and
 * clients of OpenAI read a list as zeros where they expect base64. Throws an UpstreamFailure for what are no vectors, and
 * for ones of another length than was asked for.
 */
export function inFormat(ask: Ask, { text, value }: RedactedJson): RedactedJson {
  const { data } = (value ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) throw malformed("the response has no vectors");
  const entries = (data as Entry[]).map((entry) => inFormatOf(ask, entry));
  if (entries.every((entry, at) => entry === data[at])) return { text, value };
  const changed = { ...(value as object), data: entries };
  return { text: relayedText(changed), value: changed };
}

function inFormatOf({ encoding_format: format, dimensions }: Ask, entry: Entry): Entry {
  const embedding = entry?.embedding;
  if (typeof embedding === "string") {
    const vector = fromBase64(embedding);
    assertLength(vector.length, dimensions);
    return format === "base64" ? entry : { ...entry, embedding: [...vector] };
  }
  if (!Array.isArray(embedding)) throw malformed("the response has no vectors");
  // Some models return several vectors for a text, which OpenAI's format does not know.
  if (Array.isArray(embedding[0])) return entry;
  assertLength(embedding.length, dimensions);
  if (format !== "base64") return entry;
  return { ...entry, embedding: toBase64(Float32Array.from(embedding, component)) };
}

function component(value: unknown): number {
  const number = numberOf(value);
  if (number === undefined) throw malformed("a vector has components that are no numbers");
  return number;
}

function assertLength(length: number, dimensions: number | null | undefined): void {
  if (dimensions === undefined || dimensions === null || length === dimensions) return;
  const message = `The model returns vectors of ${length} components, and not the ${dimensions} that were asked for; leave dimensions out, or ask for ${length}.`;
  const details = { reason: "upstream_dimensions", dimensions: length };
  const shown = new ServiceError("unavailable", message, { param: "dimensions", details });
  throw new UpstreamFailure(message, { status: 200, shown });
}

/** Little-endian floats of 32 bits, as OpenAI's client reads them. */
export function toBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * FLOAT_BYTES);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * FLOAT_BYTES);
  return bytes.toString("base64");
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  if (!BASE64.test(text) || bytes.length % FLOAT_BYTES !== 0)
    throw malformed("a vector is not base64 of 32-bit floats");
  return Float32Array.from({ length: bytes.length / FLOAT_BYTES }, (_, at) => bytes.readFloatLE(at * FLOAT_BYTES));
}
