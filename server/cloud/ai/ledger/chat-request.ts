import { z } from "zod";
import { ModeName } from "../../../identity/wire-text";
import type { Mode } from "../../../operation/actor";
import { microsOf } from "./chat-budget";
import { STATUSES } from "./chat-fields";

/** A chat or embeddings request in the log. */
export const ChatRequest = z
  .object({
    id: z.string().meta({ examples: ["chr_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    request_id: z.string().describe("The X-Request-ID of the request, which a client may have chosen"),
    project_id: z.string(),
    mode: ModeName,
    key_id: z.string().nullable().describe("null: a person in the playground"),
    endpoint: z.enum(["chat", "embeddings"]),
    model: z.string(),
    upstream: z.string().nullable(),
    stream: z.boolean(),
    status: z.enum(STATUSES).describe("`cancelled`: the client disconnected, or the process of svc ended"),
    http_status: z.int().nullable(),
    error_code: z.string().nullable(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    cost_micros: z.number().describe("In micros of the currency, exact to a thousandth; 0 until the request has ended"),
    estimated: z
      .boolean()
      .describe("svc counted the tokens, because the upstream reported none or the request broke off"),
    cached: z.boolean(),
    simulated: z.boolean().describe("true in test mode, in which nothing is charged"),
    tries: z.int().describe("Tries at any upstream, fallbacks included"),
    first_byte_ms: z.int().nullable().describe("From the request to the first byte of the answer"),
    total_ms: z.int().nullable(),
    has_bodies: z.boolean().describe("Request and answer are stored"),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "ChatRequest" });
export type ChatRequest = z.infer<typeof ChatRequest>;

const Body = z.object({
  text: z.string(),
  is_cut: z.boolean().describe("The rest beyond 65,536 characters is missing"),
});

export const ChatRequestWithBodies = ChatRequest.extend({
  bodies: z
    .object({ request: Body, response: Body })
    .nullable()
    .describe("What the request and its answer said; null unless the project stores bodies"),
}).meta({ id: "ChatRequestWithBodies" });

export interface ChatRequestRow {
  id: string;
  request_id: string;
  project_id: string;
  mode: Mode;
  key_id: string | null;
  endpoint: "chat" | "embeddings";
  model: string;
  upstream: string | null;
  is_stream: boolean;
  status: "succeeded" | "failed" | "cancelled" | null;
  http_status: number | null;
  error_code: string | null;
  prompt_tokens: bigint;
  completion_tokens: bigint;
  cost_nanos: bigint;
  is_estimated: boolean;
  is_cached: boolean;
  is_simulated: boolean;
  tries: number;
  first_byte_ms: number | null;
  total_ms: number | null;
  has_bodies: boolean;
  created_at: Date;
  finished_at: Date | null;
}

export const toChatRequest = (row: ChatRequestRow): ChatRequest => ({
  id: row.id,
  request_id: row.request_id,
  project_id: row.project_id,
  mode: row.mode,
  key_id: row.key_id,
  endpoint: row.endpoint,
  model: row.model,
  upstream: row.upstream,
  stream: row.is_stream,
  status: row.status ?? "pending",
  http_status: row.http_status,
  error_code: row.error_code,
  prompt_tokens: Number(row.prompt_tokens),
  completion_tokens: Number(row.completion_tokens),
  cost_micros: microsOf(row.cost_nanos),
  estimated: row.is_estimated,
  cached: row.is_cached,
  simulated: row.is_simulated,
  tries: row.tries,
  first_byte_ms: row.first_byte_ms,
  total_ms: row.total_ms,
  has_bodies: row.has_bodies,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});
