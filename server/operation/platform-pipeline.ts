import type { Actor } from "./actor";
import type { Caller } from "./authorize";
import { CallPlaces } from "./call-places";
import type { PipelineParts } from "./pipeline";
import { countRequest, countToolCall, type RateLimitParts } from "./rate-limit";
import { REQUESTS_PER_MINUTE } from "./request-rates";

type Limits = { requestsPerMinute: number };

export interface PlatformParts
  extends RateLimitParts,
    Pick<PipelineParts<Caller>, "answers" | "assertQuota" | "assertRoom" | "countResponse"> {
  limitsOf: (actor: Actor) => Promise<Limits> | Limits;
  /** The context of each product's operations, without the actor and the request. */
  contexts: Readonly<Record<string, object>>;
}

/**
 * Creates the pipeline of platform keys, session tokens and sessions; a person or key has one rate on every surface.
 */
export function createPlatformPipeline({ contexts, limitsOf, ...parts }: PlatformParts): PipelineParts<Caller> {
  // The keys that each call sets already exist: V8 copies such an object a hundred times faster than it adds keys.
  const prepared = new Map(
    Object.entries(contexts).map(([product, ctx]) => [product, { ...ctx, request: undefined, actor: undefined }]),
  );
  const rateLimitOf = async (actor: Actor | undefined) =>
    actor ? limitsOf(actor) : { requestsPerMinute: REQUESTS_PER_MINUTE };
  return {
    ...parts,
    places: new CallPlaces(),
    countCall: async ({ actor }, { address }, operation) => {
      const { requestsPerMinute } = await rateLimitOf(actor);
      return countRequest(parts, { actor, address, requestsPerMinute }, operation?.cost);
    },
    countMore: async ({ actor }, { address }, requests) => {
      const { requestsPerMinute } = await rateLimitOf(actor);
      return countRequest(parts, { actor, address, requestsPerMinute, requests });
    },
    contextOf: ({ product }, { actor, context }, request) => ({ ...prepared.get(product), request, actor, ...context }),
  };
}

/** The same pipeline for tools, whose calls are counted by scope instead of with the other requests. */
export const toolPipelineOf = (
  pipeline: PipelineParts<Caller>,
  { limitsOf, counters }: Pick<PlatformParts, "limitsOf" | "counters">,
): PipelineParts<Caller> => ({
  ...pipeline,
  countCall: async (caller, meta, operation) => {
    const { actor } = caller;
    if (!actor || !operation) return pipeline.countCall(caller, meta, operation);
    const { requestsPerMinute } = await limitsOf(actor);
    return countToolCall({ counters }, { actor, requestsPerMinute }, operation);
  },
});
