import type { Counters } from "../engines/counters/counters";
import type { Prisma, PrismaClient } from "../engines/postgres/generated/client";
import { canonicalJson } from "../kernel/canonical-json";
import { ERROR_STATUS, ServiceError } from "../kernel/errors";
import { parseExact } from "../kernel/exact-number";
import type { Actor } from "./actor";
import { asServiceError } from "./as-service-error";
import { authorize, type Caller } from "./authorize";
import type { CallPlaces } from "./call-places";
import { idempotencyKeyOf } from "./idempotency/idempotency-key";
import type { IdempotencyStore, Replayable } from "./idempotency/idempotency-store";
import { deferPublishing, joinTransaction } from "./idempotency/join-transaction";
import type { AnyOperation, CallOptions } from "./operation";
import type { CountedQuota } from "./quota";
import { assertWithinLimits, type RateLimitStatus } from "./rate-limit";
import type { RequestMeta } from "./request-meta";
import { requestsOf } from "./request-rates";

export type Input = Record<string, unknown>;

/** The input of a call, as sent and as parsed. */
export interface ReadInput {
  sent: Input;
  input: Input;
  /** It is so long that working on it keeps others waiting. */
  isLarge?: boolean;
}

/** The dependencies of the pipeline; created once per kind of credentials. */
export interface PipelineParts<C extends Caller> {
  /** Counts a call and returns every limit that applies to it; `operation` is undefined for 404 and 405. */
  countCall: (caller: C, meta: RequestMeta, operation: AnyOperation | undefined) => Promise<readonly RateLimitStatus[]>;
  /** Counts a call as so many requests more, once its input has said how many elements it has. */
  countMore?: (caller: C, meta: RequestMeta, requests: number) => Promise<readonly RateLimitStatus[]>;
  /** The context of the operation. */
  contextOf: (operation: AnyOperation, caller: C, meta: RequestMeta) => object;
  /** Throws `quota_exceeded` when the tenant has reached the limit; locks the quota until `tx` ends. */
  assertQuota?: (tx: Prisma.TransactionClient, actor: Actor, quota: CountedQuota) => Promise<void>;
  answers?: IdempotencyStore;
  /** Throws `unavailable` while nothing new can be stored. */
  assertRoom?: () => void;
  /** Calls of one tenant wait here while they would delay those of others. */
  places?: CallPlaces;
  /**
   * Receives the HTTP status of each call that got past `authenticate`, once. It must neither wait nor throw: every
   * request passes through it.
   */
  countResponse?: (caller: C, status: number) => void;
}

/** One call, as a surface received it. `R` is the surface's form of a result. */
export interface Call<C extends Caller, R> {
  meta: RequestMeta;
  /** Returns the caller; if it throws, the call ends without being counted. */
  authenticate: () => Promise<C> | C;
  /** The called operation, or the error if there is none; such calls are counted too. */
  target: AnyOperation | ServiceError;
  /** Throws `invalid_request` or a related error. */
  readInput: (operation: AnyOperation) => Promise<ReadInput>;
  options?: CallOptions | undefined;
  /** Receives the limits before an exceeded one rejects the call. */
  onCounted?: (limits: readonly RateLimitStatus[]) => void;
  respond: (result: unknown, input: Input) => R;
  /** Absent for surfaces without an Idempotency-Key. */
  idempotency?: { header: string | null; route: string; replay: (kept: Replayable) => R } | undefined;
}

/**
 * Runs a call of any surface through these steps; the first error ends it: authenticate, rate limit, authorize, parse,
 * the tenant's turn, idempotency, quota, run. Idempotency comes before the quota, so that a retry returns the first
 * result even if the quota has been used up since.
 */
export async function runCall<C extends Caller, R>(parts: PipelineParts<C>, call: Call<C, R>): Promise<R> {
  const caller = await call.authenticate();
  let result: R;
  try {
    result = await runFor(caller, parts, call);
  } catch (failure) {
    parts.countResponse?.(caller, ERROR_STATUS[asServiceError(failure).code]);
    throw failure;
  }
  parts.countResponse?.(caller, statusOf(result));
  return result;
}

/** A result without a status is a success of a surface other than HTTP. */
function statusOf(result: unknown): number {
  const { status } = (result ?? {}) as { status?: unknown };
  return typeof status === "number" ? status : 200;
}

async function runFor<C extends Caller, R>(caller: C, parts: PipelineParts<C>, call: Call<C, R>): Promise<R> {
  const { target } = call;
  const limits = await parts.countCall(caller, call.meta, target instanceof ServiceError ? undefined : target);
  call.onCounted?.(limits);
  assertWithinLimits(limits);
  if (target instanceof ServiceError) throw target;
  authorize(target.access, caller);
  if (target.stores) parts.assertRoom?.();
  const read = await call.readInput(target);
  if (target.elements)
    await countElements(caller, parts, { call, requests: requestsOf(target.elements(read.input as never)) });
  const run = () => runRead(parts, { call, caller, operation: target, ...read });
  const { places } = parts;
  if (!places || !caller.actor) return run();
  return places.run(caller.actor.tenantId, run, { isLarge: read.isLarge, leaves: () => call.options?.signal });
}

interface ReadCall<C extends Caller, R> extends ReadInput {
  call: Call<C, R>;
  caller: C;
  operation: AnyOperation;
}

async function runRead<C extends Caller, R>(
  parts: PipelineParts<C>,
  { call, caller, operation: target, sent, input }: ReadCall<C, R>,
): Promise<R> {
  const ctx = parts.contextOf(target, caller, call.meta);
  const run: Run = (within, prepared) => {
    const options = prepared === undefined ? call.options : { ...call.options, prepared };
    return target.run(within as never, input as never, options);
  };
  const prepare = async () => target.prepare?.(ctx as never, input as never, call.options);
  if (!target.idempotent && target.quota === undefined) return call.respond(await run(ctx, await prepare()), input);
  const afterCommit = async (created: unknown): Promise<R> => {
    const result = target.afterCommit
      ? await target.afterCommit(ctx as never, created as never, call.options)
      : created;
    return call.respond(result, input);
  };
  const once = { call, operation: target, actor: caller.actor, sent, input, prepare, afterCommit };
  return runOnce(parts, once, (within, prepared) => {
    const counted = { operation: target, actor: caller.actor, ctx: within ? { ...ctx, ...within } : ctx };
    return runWithinQuota(parts, counted, (joined) => run(joined, prepared));
  });
}

/** Throws `rate_limited` for a batch whose elements are too many for now. */
async function countElements<C extends Caller, R>(
  caller: C,
  parts: PipelineParts<C>,
  { call, requests }: { call: Call<C, R>; requests: number },
): Promise<void> {
  if (requests === 1 || !parts.countMore) return;
  // The call itself is counted already.
  const limits = await parts.countMore(caller, call.meta, requests - 1);
  call.onCounted?.(limits);
  assertWithinLimits(limits);
}

type Run = (within: object, prepared: unknown) => Promise<unknown>;

interface Once<C extends Caller, R> {
  call: Call<C, R>;
  operation: AnyOperation;
  actor: Actor | undefined;
  sent: Input;
  input: Input;
  /** What comes before any transaction. */
  prepare: () => Promise<unknown>;
  /** The response to the result of `run`, once its transaction was committed. */
  afterCommit: (created: unknown) => Promise<R>;
}

/**
 * Runs the call. A creating call with an Idempotency-Key that was already used returns the result of the first equal
 * call.
 */
async function runOnce<C extends Caller, R>(
  { answers }: PipelineParts<C>,
  { call: { idempotency, respond }, operation, actor, sent, input, prepare, afterCommit }: Once<C, R>,
  run: (within: object | undefined, prepared: unknown) => Promise<unknown>,
): Promise<R> {
  if (!answers || !idempotency || idempotency.header === null || !operation.idempotent || !actor) {
    return afterCommit(await run(undefined, await prepare()));
  }
  const asked = canonicalJson([actor.kind === "key" ? actor.keyId : actor.userId, sent], operation.inputLimits);
  const { tenantId } = actor;
  const key = idempotencyKeyOf(idempotency.header);
  const respondOnce = async (within: object, prepared: unknown) =>
    storedOf(respond(await run(within, prepared), input));
  const kept = await answers.once({ tenantId, operation: idempotency.route, key, asked }, respondOnce, prepare);
  if ("refusal" in kept && !kept.isReplay) throw kept.refusal;
  if ("refusal" in kept || !operation.afterCommit) return idempotency.replay(kept);
  return idempotency.replay({ ...storedOf(await afterCommit(parseExact(kept.body))), isReplay: kept.isReplay });
}

/** Of a surface that takes an Idempotency-Key, whose results have both. */
function storedOf(result: unknown): { status: number; body: string } {
  const { status, body } = result as { status: number; body: string | null };
  return { status, body: body ?? "" };
}

interface InnerCall<O extends AnyOperation> {
  operation: O;
  actor: Actor;
  ctx: object;
  /** As a client would send it. */
  sent: Input;
}

/**
 * Runs an operation for another one, as the pipeline does: the actor must be allowed to call it, the input is checked, and
 * the quota counts. No rate limit applies. Throws what a client would receive.
 */
export async function runInner<O extends AnyOperation>(
  parts: Pick<PipelineParts<Caller>, "assertQuota">,
  { operation, actor, ctx, sent }: InnerCall<O>,
): Promise<Awaited<ReturnType<O["run"]>>> {
  authorize(operation.access, { actor });
  const input = operation.input.parse(sent);
  const created = await runWithinQuota(parts, { operation, actor, ctx }, (within) =>
    operation.run(within as never, input as never),
  );
  const result = operation.afterCommit ? await operation.afterCommit(ctx as never, created as never) : created;
  return result as Awaited<ReturnType<O["run"]>>;
}

interface Transactional {
  db: PrismaClient;
  counters: Counters;
}

interface Counted {
  operation: AnyOperation;
  actor: Actor | undefined;
  ctx: object;
}

/** Checks the quota in the transaction that adds one: concurrent creations of one tenant wait for its lock. */
async function runWithinQuota<C extends Caller>(
  { assertQuota }: Pick<PipelineParts<C>, "assertQuota">,
  { operation: { quota }, actor, ctx }: Counted,
  run: (ctx: object) => Promise<unknown>,
): Promise<unknown> {
  if (quota === undefined || !actor || !assertQuota) return run(ctx);
  const { db, counters } = ctx as Transactional;
  const held = deferPublishing(counters);
  const result = await db.$transaction(async (tx) => {
    await assertQuota(tx, actor, quota);
    return run({ ...ctx, db: joinTransaction(tx), counters: held.counters });
  });
  await held.send();
  return result;
}
