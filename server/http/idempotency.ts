import type { Actor } from "../identity/actors/actor";
import { idempotencyKeyOf } from "../identity/idempotency/idempotency-key";
import type { IdempotentAnswers } from "../identity/idempotency/idempotent-answers";
import type { CloudCtx } from "./cloud-ctx";
import type { AnyEndpoint } from "./endpoint";
import { type Answer, errorAnswer } from "./error-response";
import type { Input } from "./read-input";
import type { RequestFacts } from "./request-facts";

export interface IdempotencyParts {
  answers: IdempotentAnswers;
}

export interface IdempotentCall {
  request: Request;
  facts: RequestFacts;
  endpoint: AnyEndpoint<CloudCtx>;
  actor: Actor | undefined;
  ctx: CloudCtx;
  /** The input as it came. */
  sent: Input;
}

/** Runs a call, or repeats its answer when its row creates something and it bears an Idempotency-Key that was used before. */
export async function runIdempotently(
  { answers }: IdempotencyParts,
  { request, facts, endpoint, actor, ctx, sent }: IdempotentCall,
  run: (ctx: CloudCtx) => Promise<Answer>,
): Promise<Answer> {
  const header = request.headers.get("idempotency-key");
  if (header === null || !endpoint.idempotent || !actor) return run(ctx);
  const asked = canonical([actor.kind === "key" ? actor.keyId : actor.userId, sent]);
  const { tenantId } = actor;
  const operation = `${endpoint.method} ${endpoint.path}`;
  const kept = await answers.once({ tenantId, operation, key: idempotencyKeyOf(header), asked }, async (within) => {
    const { status, body } = await run({ ...ctx, ...within });
    return { status, body: body ?? "" };
  });
  if ("refusal" in kept && !kept.isReplay) throw kept.refusal;
  const answer: Answer =
    "refusal" in kept
      ? errorAnswer(kept.refusal, facts.requestId)
      : { status: kept.status, headers: { "content-type": "application/json" }, body: kept.body };
  if (kept.isReplay) answer.headers["idempotency-replayed"] = "true";
  return answer;
}

/** JSON whose objects have their names in order: a client that writes them in another one asks for the same. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
