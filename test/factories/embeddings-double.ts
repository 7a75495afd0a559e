import { createHash } from "node:crypto";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const COMPONENTS = 128;
/** How much a word's own letters count beside the meaning that a group gives it. */
const LETTERS_SHARE = 0.15;

const Body = z.object({ model: z.string(), input: z.array(z.string()).min(1) });

export interface DoubleOptions {
  /** Words of one group have almost the same vector, as synonyms have in a real model. */
  synonyms?: readonly (readonly string[])[];
  components?: number;
}

/** What the double does with its next requests. */
export type Behaviour = (texts: readonly string[], response: ServerResponse) => boolean | Promise<boolean>;

export interface EmbeddingsDouble {
  /** The base URL, as EMBEDDINGS_URL has it. */
  url: string;
  /** The texts of each request so far. */
  requests: { model: string; texts: string[]; authorization: string | undefined }[];
  /**
   * Called before each request is answered. It may wait, or respond itself and return true; otherwise the double
   * responds with vectors.
   */
  behave(behaviour: Behaviour | undefined): void;
  close(): Promise<void>;
}

/**
 * A test double of an embeddings server, not a model of language: it knows that two texts are related only if they share
 * words, or words of a declared group of synonyms. A text's vector is the sum of a pseudorandom vector of each of its
 * words, so the same text always has the same vector. It speaks `POST /embeddings` of OpenAI's API.
 */
export async function embeddingsDouble({
  synonyms = [],
  components = COMPONENTS,
}: DoubleOptions = {}): Promise<EmbeddingsDouble> {
  const groups = new Map(synonyms.flatMap((group) => group.map((word) => [word, group[0] ?? word])));
  const requests: EmbeddingsDouble["requests"] = [];
  let behaviour: Behaviour | undefined;
  const server = http.createServer(async (request, response) => {
    const body = Body.safeParse(await jsonOf(request));
    if (request.method !== "POST" || request.url !== "/v1/embeddings" || !body.success) {
      response.writeHead(404).end();
      return;
    }
    const { model, input: texts } = body.data;
    requests.push({ model, texts, authorization: request.headers.authorization });
    if (await behaviour?.(texts, response)) return;
    const data = texts.map((text, index) => ({
      object: "embedding",
      index,
      embedding: vectorOf(text, groups, components),
    }));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ object: "list", model, data, usage: { prompt_tokens: 0, total_tokens: 0 } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    behave: (next) => {
      behaviour = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

function vectorOf(text: string, groups: ReadonlyMap<string, string>, components: number): number[] {
  const sum = new Array<number>(components).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const meaning = groups.get(word);
    const parts: [string, number][] =
      meaning === undefined
        ? [[word, 1]]
        : [
            [`group ${meaning}`, 1],
            [word, LETTERS_SHARE],
          ];
    for (const [name, share] of parts) {
      for (const [i, component] of pseudorandom(name, components).entries()) {
        sum[i] = (sum[i] as number) + share * component;
      }
    }
  }
  return sum.some((component) => component !== 0) ? sum : sum.fill(1);
}

/** Components from -1 to 1 that depend only on the name. */
function pseudorandom(name: string, components: number): number[] {
  const numbers: number[] = [];
  for (let block = 0; numbers.length < components; block++) {
    const bytes = createHash("sha256").update(`${block} ${name}`).digest();
    for (const byte of bytes) numbers.push(byte / 127.5 - 1);
  }
  return numbers.slice(0, components);
}
