import type { Counters } from "../../engines/counters/counters";
import type { IdempotentAnswer, Prisma, PrismaClient } from "../../engines/postgres/generated/client";
import { tryLockNameIn } from "../../engines/postgres/named-lock";
import type { Clock } from "../../kernel/clock";
import { ERROR_STATUS, type ErrorCode, ServiceError } from "../../kernel/errors";
import { deriveSubkey, keyedHash, seal, sha256, unseal } from "../../kernel/secrets";
import { deferPublishing, inSavepoint, joinTransaction } from "./join-transaction";

/** How long a response is replayed ("Limits" of the specification). */
export const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1000;

/** Errors that depend on the content of the request, and not on the caller, the rate or the time. */
const KEPT_REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["not_found", "conflict", "unprocessable"]);

export interface IdempotentRequest {
  tenantId: string;
  /** Method and route. */
  operation: string;
  /** The result of `idempotencyKeyOf`. */
  key: string;
  /** The caller and the input; the same key with another value is rejected. */
  asked: string;
}

interface HashedRequest extends IdempotentRequest {
  /** The hash of tenant, operation and key, which identifies the stored response. */
  hash: string;
}

/** The dependencies of an operation that runs in the transaction of its stored response. */
export interface Within {
  db: PrismaClient;
  counters: Counters;
}

type Outcome =
  | { status: number; body: string }
  | { refusal: { code: ErrorCode; message: string; param?: string; details?: Record<string, unknown> } };

export type Replayable = ({ status: number; body: string } | { refusal: ServiceError }) & { isReplay: boolean };

interface Parts extends Within {
  clock: Clock;
  /** Encrypts stored responses, together with the key of each request. */
  sealingKey: Buffer;
  atStep?: IdempotencySteps | undefined;
}

/** Called when everything is written but not yet committed. */
export type IdempotencySteps = (step: "answer.kept") => void;

/**
 * Runs each creating request once and replays its response for 24 h. The response is stored in the transaction that
 * creates the resource: after a crash both exist or neither, and the next attempt can run immediately.
 */
export class IdempotencyStore {
  readonly #parts: Parts;
  /** The requests that this process is running: many equal concurrent requests need only one query. */
  readonly #running = new Set<string>();
  readonly #reads = new Map<string, Promise<IdempotentAnswer | null>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Returns the response of `run`, or the stored one; `run` receives the result of `prepare`, which runs before its
   * transaction. Throws `conflict` (reason `idempotency_running`) while an equal request is running, `unprocessable`
   * when the key was used for another request, and errors of `run` that are not stored.
   */
  async once<P = undefined>(
    asked: IdempotentRequest,
    run: (within: Within, prepared: P) => Promise<{ status: number; body: string }>,
    prepare: () => Promise<P> = async () => undefined as P,
  ): Promise<Replayable> {
    const request = { ...asked, hash: sha256(JSON.stringify([asked.tenantId, asked.operation, asked.key])) };
    // Most retries arrive after the first request has finished, and need no transaction.
    if (this.#running.has(request.hash)) throw stillRunning();
    const kept = await this.#readTogether(request);
    if (kept) return this.#replay(kept, request);
    if (this.#running.has(request.hash)) throw stillRunning();
    this.#running.add(request.hash);
    try {
      const prepared = await prepare();
      return await this.#run(request, (within) => run(within, prepared));
    } finally {
      this.#running.delete(request.hash);
    }
  }

  async #run(
    request: HashedRequest,
    run: (within: Within) => Promise<{ status: number; body: string }>,
  ): Promise<Replayable> {
    const { db, counters } = this.#parts;
    const held = deferPublishing(counters);
    const answer = await db.$transaction((tx) =>
      this.#inTransaction(tx, request, (joinedDb) => run({ db: joinedDb, counters: held.counters })),
    );
    if (!answer.isReplay && !("refusal" in answer)) await held.send();
    return answer;
  }

  async #inTransaction(
    tx: Prisma.TransactionClient,
    request: HashedRequest,
    run: (db: PrismaClient) => Promise<{ status: number; body: string }>,
  ): Promise<Replayable> {
    if (!(await tryLockNameIn(tx, `idempotency ${request.hash}`))) throw stillRunning();
    const kept = await this.#read(tx, request);
    if (kept) return this.#replay(kept, request);
    const outcome = await inSavepoint(tx, () => run(joinTransaction(tx))).catch(refusalOf);
    await this.#keep(tx, request, outcome);
    this.#parts.atStep?.("answer.kept");
    return { ...replayableOf(outcome), isReplay: false };
  }

  #readTogether(request: HashedRequest): Promise<IdempotentAnswer | null> {
    const { hash } = request;
    const read = this.#reads.get(hash) ?? this.#read(this.#parts.db, request).finally(() => this.#reads.delete(hash));
    this.#reads.set(hash, read);
    return read;
  }

  #read(db: Prisma.TransactionClient, { tenantId, hash }: HashedRequest): Promise<IdempotentAnswer | null> {
    const since = new Date(this.#parts.clock.now().getTime() - ANSWERS_KEPT_MS);
    return db.idempotentAnswer.findUnique({ where: { tenantId_hash: { tenantId, hash }, createdAt: { gt: since } } });
  }

  #replay({ fingerprint, sealedBody }: IdempotentAnswer, { hash, key, asked }: HashedRequest): Replayable {
    const answerKey = this.#keyOf(key);
    if (fingerprint !== keyedHash(answerKey, asked)) throw usedOtherwise();
    const text = unseal(answerKey, sealedBody, hash);
    if (text === undefined) throw new Error("A stored response cannot be decrypted.");
    return { ...replayableOf(JSON.parse(text) as Outcome), isReplay: true };
  }

  async #keep(
    tx: Prisma.TransactionClient,
    { tenantId, hash, key, asked }: HashedRequest,
    outcome: Outcome,
  ): Promise<void> {
    const answerKey = this.#keyOf(key);
    const kept = {
      fingerprint: keyedHash(answerKey, asked),
      status: "refusal" in outcome ? ERROR_STATUS[outcome.refusal.code] : outcome.status,
      sealedBody: seal(answerKey, JSON.stringify(outcome), hash),
      createdAt: this.#parts.clock.now(),
    };
    // A row older than 24 h may still exist.
    await tx.idempotentAnswer.upsert({
      where: { tenantId_hash: { tenantId, hash } },
      create: { tenantId, hash, ...kept },
      update: kept,
    });
  }

  #keyOf(key: string): Buffer {
    return deriveSubkey(this.#parts.sealingKey, key);
  }
}

function refusalOf(failure: unknown): Outcome {
  if (!(failure instanceof ServiceError) || !KEPT_REFUSALS.has(failure.code)) throw failure;
  const { code, message, param, details } = failure;
  return { refusal: { code, message, ...(param === undefined ? {} : { param }), ...(details ? { details } : {}) } };
}

function replayableOf(outcome: Outcome): { status: number; body: string } | { refusal: ServiceError } {
  if (!("refusal" in outcome)) return outcome;
  const { code, message, ...extras } = outcome.refusal;
  return { refusal: new ServiceError(code, message, extras) };
}

const stillRunning = (): ServiceError =>
  new ServiceError("conflict", "A request with this Idempotency-Key is still running; retry shortly.", {
    retryAfterSeconds: 1,
    param: "Idempotency-Key",
    details: { reason: "idempotency_running" },
  });

const usedOtherwise = (): ServiceError =>
  new ServiceError(
    "unprocessable",
    "This Idempotency-Key was used for another request in the last 24 h; send a new one with each new request.",
    { param: "Idempotency-Key", details: { reason: "idempotency_key_reused" } },
  );
