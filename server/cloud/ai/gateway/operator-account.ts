import { ServiceError } from "../../../kernel/errors";
import { keyedHash } from "../../../kernel/secrets";
import type { GatewayParts } from "./gateway-parts";
import type { Candidate, Upstream } from "./upstream";
import { UpstreamFailure } from "./upstream-failure";

type Body = Readonly<Record<string, unknown>>;
type Owned = Pick<Upstream, "owner">;

/**
 * Fields of OpenAI's chat completions (and `top_k`, `min_p` and `repetition_penalty` of vLLM) that change neither what
 * a token costs nor what is kept on the account, and fetch nothing. `store`, `service_tier`, `web_search_options`,
 * `prompt_cache_key` and the like are not among them, nor is what no version of svc knows.
 */
const REQUEST_FIELDS = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
  "n",
  "stop",
  "seed",
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "presence_penalty",
  "frequency_penalty",
  "repetition_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "response_format",
  "reasoning_effort",
  "verbosity",
  "user",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "functions",
  "function_call",
  "input",
  "dimensions",
  "encoding_format",
]);
const MESSAGE_FIELDS = new Set([
  "role",
  "content",
  "name",
  "refusal",
  "reasoning_content",
  "tool_calls",
  "tool_call_id",
  "function_call",
]);
/** The parts of a message, and the fields that each has. */
const PART_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  refusal: ["refusal"],
  image_url: ["image_url"],
  input_audio: ["input_audio"],
  file: ["file"],
};
const RESPONSE_FIELDS = new Set([
  "id",
  "object",
  "created",
  "model",
  "choices",
  "data",
  "usage",
  "error",
  "system_fingerprint",
  "service_tier",
  "obfuscation",
]);
/** Not `prompt_tokens_details`: how much of a prompt was in the account's cache tells what others asked. */
const USAGE_FIELDS = new Set(["prompt_tokens", "completion_tokens", "total_tokens", "completion_tokens_details"]);

interface TenantBody {
  tenantId: string;
  /** As the client sent it. */
  body: object;
}

/**
 * The request of a tenant that a candidate gets. All tenants share an operator's upstream, which must neither find a prompt of
 * one in what it cached for another, nor take users of two tenants for one: both are named by keyed hashes, which no other
 * tenant can send.
 */
export function requestOf(
  { pseudonymKey }: Pick<GatewayParts, "pseudonymKey">,
  { upstream, model }: Candidate,
  { tenantId, body }: TenantBody,
): Body {
  const sent: Body = { ...bodyFor(upstream, body), model: model.upstreamName };
  if (upstream.owner === "tenant") return sent;
  const pseudonym = (of: string) => keyedHash(pseudonymKey, `${tenantId} ${of}`);
  return {
    ...sent,
    ...(typeof sent.user === "string" && { user: pseudonym(`user ${sent.user}`) }),
    ...(upstream.cacheField && model.kind === "chat" && { [upstream.cacheField]: pseudonym("cache") }),
  };
}

/**
 * The request that an upstream gets: a tenant's own as the client sent it, the operator's what only makes an answer of
 * its own. Throws UpstreamFailure with an `invalid_request` for what has the operator's account fetch an address, read
 * a stored file or run a tool of the upstream.
 */
export function bodyFor<B extends object>({ owner }: Owned, body: B): B {
  if (owner === "tenant") return body;
  const kept = only(body as Body, REQUEST_FIELDS);
  return {
    ...kept,
    ...(Array.isArray(kept.messages) && { messages: kept.messages.map(messageOf) }),
    ...("stream_options" in kept && { stream_options: only(objectOf(kept.stream_options), STREAM_OPTIONS) }),
    ...(Array.isArray(kept.tools) && { tools: kept.tools.map(toolOf) }),
  } as B;
}

const STREAM_OPTIONS = new Set(["include_usage"]);

/** What an upstream responded, or an event of its stream; the same object if nothing of it is left out. */
export function shownFrom<V>({ owner }: Owned, value: V): V {
  if (owner === "tenant" || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { usage } = value as { usage?: unknown };
  const hasUsage = typeof usage === "object" && usage !== null;
  const isWhole = Object.keys(value).every((name) => RESPONSE_FIELDS.has(name));
  if (isWhole && (!hasUsage || Object.keys(usage).every((name) => USAGE_FIELDS.has(name)))) return value;
  const shown = only(value as Body, RESPONSE_FIELDS);
  return { ...shown, ...(hasUsage && { usage: only(usage as Body, USAGE_FIELDS) }) } as V;
}

function messageOf(message: Body, at: number): Body {
  const kept = only(message, MESSAGE_FIELDS);
  if (!Array.isArray(kept.content)) return kept;
  return { ...kept, content: kept.content.map((part: Body, i) => partOf(part, `messages[${at}].content[${i}]`)) };
}

function partOf(part: Body, path: string): Body {
  const type = String(part.type);
  const fields = Object.hasOwn(PART_FIELDS, type) ? PART_FIELDS[type] : undefined;
  if (!fields) throw refused(`${path}.type`, `this model takes no parts of the type ${type.slice(0, 40)}`);
  if (type === "image_url") {
    const { url, detail } = objectOf(part.image_url);
    if (typeof url !== "string" || !/^data:/i.test(url))
      throw refused(`${path}.image_url.url`, "send the picture itself, as a data: URL");
    return { type, image_url: { url, ...(detail !== undefined && { detail }) } };
  }
  if (type === "file") {
    const { file_data, filename } = objectOf(part.file);
    if (typeof file_data !== "string" || /^https?:/i.test(file_data))
      throw refused(`${path}.file`, "send the file itself, as file_data");
    return { type, file: { file_data, ...(filename !== undefined && { filename }) } };
  }
  if (type === "input_audio") {
    const { data, format } = objectOf(part.input_audio);
    return { type, input_audio: { data, format } };
  }
  return { type, ...only(part, new Set(fields)) };
}

function toolOf(tool: unknown, at: number): unknown {
  const { type, function: called } = objectOf(tool);
  if (type === "function") return { type, function: called };
  throw refused(`tools[${at}].type`, "this model takes tools of the type function only");
}

const objectOf = (value: unknown): Body => (typeof value === "object" && value !== null ? (value as Body) : {});

const only = (value: Body, names: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));

function refused(param: string, what: string): UpstreamFailure {
  const refusal = new ServiceError("invalid_request", `${param}: ${what}.`, {
    param,
    details: { reason: "upstream_of_operator" },
  });
  return new UpstreamFailure(refusal.message, { status: 400, refusal });
}
