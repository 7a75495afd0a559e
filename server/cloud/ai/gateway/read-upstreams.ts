import { readFileSync } from "node:fs";
import { z } from "zod";
import { isBaseUrl, PriceText, tokenPrice } from "./prices";
import { DEFAULT_TIMES, type OperatorUpstream, type Upstream } from "./upstream";

const IDS_MAX = 100;
const OPENAI_HOST = "api.openai.com";

const baseUrl = z
  .string()
  .max(2000)
  .refine(isBaseUrl, 'expected a URL such as "https://api.openai.com/v1", without user name, query and fragment');

const ms = (max: number) => z.int().min(100).max(max);

const FileModel = z.strictObject({
  name: z.string().min(1).max(200),
  upstream_name: z.string().min(1).max(200).optional(),
  kind: z.enum(["chat", "embeddings"]).default("chat"),
  input_price: PriceText,
  output_price: PriceText.default("0"),
  context: z.int().min(1).optional(),
});

const FileUpstream = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, "expected 1 to 40 characters of a-z 0-9 _ -, the first of them a-z or 0-9")
    .refine((id) => !id.startsWith("ups_"), 'must not begin with "ups_", as ids of tenants\' upstreams do'),
  base_url: baseUrl,
  api_key_env: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/i, "expected the name of an environment variable")
    .optional(),
  models: z.array(FileModel).min(1).max(1000),
  weight: z.number().positive().max(1000).default(1),
  priority: z.int().min(0).max(1000).default(0),
  first_byte_timeout_ms: ms(3_600_000).default(DEFAULT_TIMES.firstByteMs),
  idle_timeout_ms: ms(3_600_000).default(DEFAULT_TIMES.idleMs),
  prompt_cache_field: z.enum(["cache_salt", "prompt_cache_key", "none"]).optional(),
});

const File = z.strictObject({ upstreams: z.array(FileUpstream).max(IDS_MAX) });

/**
 * Reads the operators' file of upstreams. Throws one message that names the file, the place in it and what was expected,
 * and never a key.
 */
export function readUpstreams(file: string, env: Readonly<Record<string, string | undefined>>): OperatorUpstream[] {
  const fail = (problem: string): never => {
    throw new Error(`Wrong configuration. CHAT_UPSTREAMS (${file}): ${problem}`);
  };
  const parsed = File.safeParse(jsonOf(file, fail));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return fail(`${issue?.path.join(".") || "the file"}: ${issue?.message ?? "not valid"}.`);
  }
  const { upstreams } = parsed.data;
  const ids = new Set<string>();
  for (const { id } of upstreams) {
    if (ids.has(id)) fail(`two upstreams have the id "${id}"; give each its own.`);
    ids.add(id);
  }
  return upstreams.map((upstream) => toUpstream(upstream, env, fail));
}

function jsonOf(file: string, fail: (problem: string) => never): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return fail("the file cannot be read; check the path and that the user of svc may read it.");
  }
  try {
    return JSON.parse(text);
  } catch {
    return fail('the file is not valid JSON; it has the form { "upstreams": [ … ] }.');
  }
}

function toUpstream(
  given: z.output<typeof FileUpstream>,
  env: Readonly<Record<string, string | undefined>>,
  fail: (problem: string) => never,
): OperatorUpstream {
  const { id, api_key_env: variable } = given;
  const key = variable === undefined ? undefined : env[variable];
  if (variable !== undefined && !key) {
    fail(`the upstream "${id}" takes its key from ${variable}, which is not set; set it, or leave api_key_env out.`);
  }
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    fail(`the key in ${variable} has spaces or other characters that a header cannot have.`);
  }
  const names = given.models.map(({ kind, name }) => `${kind} ${name}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) fail(`the upstream "${id}" has the model "${twice.replace(/^\w+ /, "")}" twice.`);
  return {
    id,
    owner: "operator",
    weight: given.weight,
    priority: given.priority,
    baseUrl: given.base_url.replace(/\/+$/, ""),
    models: given.models.map(({ name, upstream_name: upstreamName = name, kind, context, ...prices }) => ({
      name,
      upstreamName,
      kind,
      contextTokens: context,
      price: tokenPrice(prices.input_price, prices.output_price),
    })),
    firstByteMs: given.first_byte_timeout_ms,
    idleMs: given.idle_timeout_ms,
    cacheField: cacheFieldOf(given),
    apiKey: key,
  };
}

/** Other servers may refuse a field that they do not know. */
function cacheFieldOf({ base_url, prompt_cache_field: named }: z.output<typeof FileUpstream>): Upstream["cacheField"] {
  if (named !== undefined) return named === "none" ? undefined : named;
  return new URL(base_url).hostname === OPENAI_HOST ? "prompt_cache_key" : undefined;
}
