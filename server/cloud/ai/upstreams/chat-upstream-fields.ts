import { z } from "zod";
import { type AddressPolicy, GuardedFetchError, refuseUrl } from "../../../engines/address-policy";
import { NameText } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import { SecretRef } from "../../data/secrets/resolve-secret";
import { isBaseUrl, PriceText } from "../gateway/prices";
import type { StoredModel } from "./chat-upstream";

const MODELS_MAX = 200;

const ModelName = z.string().regex(/^[!-~]{1,200}$/, "expected 1 to 200 ASCII characters without spaces");

const Model = z.strictObject({
  name: ModelName.describe("The name in requests to svc"),
  upstream_name: ModelName.optional().describe("The name of the model at the upstream; default: the same"),
  kind: z.enum(["chat", "embeddings"]).default("chat"),
  input_price: PriceText.default("0").describe("For a million tokens of the prompt, such as `2.50`"),
  output_price: PriceText.default("0").describe("For a million tokens of the answer"),
  context: z.int().min(1).max(100_000_000).nullish().describe("The context window in tokens, if it is to be checked"),
});

/** The settings that a client sends, without defaults. */
export const upstreamFields = {
  name: NameText.describe("Unique within the project and mode"),
  base_url: z
    .string()
    .trim()
    .max(2000)
    .refine(
      (text) => isBaseUrl(text) && !/[\0\p{Surrogate}]/u.test(text),
      'expected a URL such as "https://api.openai.com/v1"',
    )
    .describe("`/chat/completions` and `/embeddings` are appended to it; an https URL on a public host"),
  api_key: SecretRef.nullable().describe(
    "The secret that is sent as the bearer token. Its value is sent to `base_url`, so this needs the scope `secrets:reveal` too",
  ),
  models: z.array(Model).min(1).max(MODELS_MAX).refine(areDistinct, "expected each name once per kind"),
  weight: z.number().positive().max(1000).describe("The share of requests among upstreams of equal priority"),
  priority: z.int().min(0).max(1000).describe("Upstreams with lower numbers are used first"),
};

function areDistinct(models: readonly { name: string; kind: string }[]): boolean {
  return new Set(models.map(({ name, kind }) => `${kind} ${name}`)).size === models.length;
}

export const toModels = (models: z.output<typeof upstreamFields.models>): StoredModel[] =>
  models.map(({ upstream_name, context, ...model }) => ({
    ...model,
    upstream_name: upstream_name ?? model.name,
    context: context ?? null,
  }));

/** Throws `invalid_request` for a URL that is never requested, as far as that is known without DNS. */
export function assertBaseUrl(url: string, policy: AddressPolicy): void {
  try {
    refuseUrl(new URL(url), policy);
  } catch (cause) {
    if (!(cause instanceof GuardedFetchError)) throw cause;
    throw new ServiceError("invalid_request", cause.message, { param: "base_url", details: { reason: cause.reason } });
  }
}

/**
 * Throws `forbidden` for callers who may not read secrets: the owner of the address that they choose receives the value.
 */
export function assertMaySendSecret({ scopes }: Pick<Actor, "scopes">): void {
  if (scopes.has("secrets:reveal")) return;
  throw new ServiceError("forbidden", "To send a secret to an address, the caller needs the scope secrets:reveal.", {
    param: "api_key",
    details: { reason: "scope_missing", scope: "secrets:reveal" },
  });
}
