import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { LEASE_OWNER } from "../../../engines/postgres/lease";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import { Copies, type CopiesOf } from "./copies";
import { FOLLOWING, followChanges, forgetProcess } from "./served-changes.sql";

const LEASE_MS = 15_000;
/** Extensions of a lease before it would end: two of them may fail. */
const EXTENSIONS = 3;

interface Topic {
  copies: Pick<Copies<object>, "forget" | "forgetAll">;
  /** Its copies are not used from then on. */
  liveUntil: number;
}

export interface ServedCopiesParts {
  sql: Pool;
  alarms: Pick<StartedAlarms, "add">;
  /** Milliseconds of a clock that only goes forward; default: that of the process. */
  monotonicMs?: () => number;
  /** How long this process counts as alive without a sign of life, in milliseconds; default: 15,000. */
  leaseMs?: number;
}

/**
 * What this process serves from memory, of all topics. It follows the changes that `changeServed` records, forgets the
 * copies of what has changed, and says so; who made a change waits for that. A process that has not reached the database
 * for as long as its lease lasts is not waited for any more: it reads what is stored for each request, and begins again
 * without copies when it is back.
 */
export class ServedCopies {
  readonly #sql: Pool;
  readonly #alarms: ServedCopiesParts["alarms"];
  readonly #now: () => number;
  readonly #leaseMs: number;
  /** No two processes have the same, also where one follows another under its number. */
  readonly #process = `${LEASE_OWNER}:${randomUUID()}`;
  readonly #topics = new Map<string, Topic>();
  /** Copies are not older than this change. */
  #upTo: bigint | undefined;
  #liveUntil = Number.NEGATIVE_INFINITY;
  #turn: Promise<unknown> = Promise.resolve();
  #round: RunningRound | undefined;

  constructor({ sql, alarms, monotonicMs = () => performance.now(), leaseMs = LEASE_MS }: ServedCopiesParts) {
    this.#sql = sql;
    this.#alarms = alarms;
    this.#now = monotonicMs;
    this.#leaseMs = leaseMs;
  }

  /** Begins to serve a topic; changes of it wait for this process when the promise resolves. */
  async of<T extends object>(parts: CopiesOf<T>): Promise<Copies<T>> {
    const copies: Copies<T> = new Copies(parts, () => this.#now() < served.liveUntil);
    const served: Topic = { copies, liveUntil: Number.NEGATIVE_INFINITY };
    this.#topics.set(parts.topic, served);
    await this.#follow();
    this.#round ??= this.#begin();
    return copies;
  }

  /** Stops serving from memory. Changes do not wait for this process any more. */
  async stop(): Promise<void> {
    await this.#round?.stop();
    await this.#turn.catch(() => undefined);
    for (const topic of this.#topics.values()) topic.liveUntil = Number.NEGATIVE_INFINITY;
    if (this.#topics.size > 0) await forgetProcess(this.#sql, this.#process);
  }

  #begin(): RunningRound {
    const everyMs = this.#leaseMs / EXTENSIONS;
    const purpose = "follow what this process serves from memory";
    return this.#alarms.add({ topic: FOLLOWING, purpose, everyMs, run: () => this.#follow() });
  }

  /** One after the other. Returns true when others wait to be told that older copies were forgotten. */
  #follow(): Promise<boolean> {
    const turn = this.#turn.catch(() => undefined).then(() => this.#followOnce());
    this.#turn = turn;
    return turn;
  }

  async #followOnce(): Promise<boolean> {
    const at = this.#now();
    const begins = at >= this.#liveUntil;
    if (begins) this.#beginAgain();
    const topics = new Map(this.#topics);
    const said = { process: this.#process, topics: [...topics.keys()], leaseMs: this.#leaseMs, upTo: this.#upTo };
    const { newest, changed } = await followChanges(this.#sql, said);
    // The lease had ended before it was extended: changes may have been reported without this process.
    if (!begins && this.#now() >= this.#liveUntil) return this.#followOnce();
    if (changed) for (const { topic, key } of changed) topics.get(topic)?.copies.forget(key);
    else for (const { copies } of topics.values()) copies.forgetAll();
    const isBehind = this.#upTo !== undefined && newest > this.#upTo;
    this.#upTo = newest;
    this.#liveUntil = at + this.#leaseMs;
    for (const topic of topics.values()) topic.liveUntil = this.#liveUntil;
    return isBehind;
  }

  #beginAgain(): void {
    this.#upTo = undefined;
    for (const { copies } of this.#topics.values()) copies.forgetAll();
  }
}
