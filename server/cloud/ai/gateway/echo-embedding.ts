import { createHash } from "node:crypto";
import { countTokens } from "./count-tokens";
import { toBase64 } from "./embedding-format";

export const ECHO_EMBEDDING_MODEL = "svc-echo-embedding";
const COMPONENTS = 1536;

export interface EmbeddingAsk {
  model: string;
  input: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
  dimensions?: number | null | undefined;
  encoding_format?: "float" | "base64" | null | undefined;
}

/** Unit vectors that depend only on each input and the number of components; close inputs are not close in them. */
export async function echoEmbedding(ask: EmbeddingAsk) {
  const { model, dimensions, encoding_format: format } = ask;
  const inputs = inputsOf(ask.input);
  const data = inputs.map((input, index) => {
    const vector = unitVector(typeof input === "string" ? input : JSON.stringify(input), dimensions ?? COMPONENTS);
    return { object: "embedding", index, embedding: format === "base64" ? toBase64(vector) : [...vector] };
  });
  let tokens = 0;
  for (const input of inputs) tokens += typeof input === "string" ? await countTokens(input) : input.length;
  return { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens }, simulated: true };
}

/** One text or list of tokens is one input. */
export function inputsOf(input: EmbeddingAsk["input"]): (string | readonly number[])[] {
  if (typeof input === "string") return [input];
  return typeof input[0] === "number" ? [input as readonly number[]] : [...(input as readonly (string | number[])[])];
}

function unitVector(text: string, components: number): Float32Array {
  const vector = new Float32Array(components);
  for (let block = 0, at = 0; at < components; block++) {
    for (const byte of createHash("sha256").update(`${block} ${text}`).digest()) {
      if (at < components) vector[at++] = byte / 127.5 - 1;
    }
  }
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}
