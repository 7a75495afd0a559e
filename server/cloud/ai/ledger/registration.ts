import type { Pool } from "pg";
import { forgetProcess, recordHeartbeat } from "./chat-requests.sql";
import type { PlainPlaces } from "./plain-places";

/** So long after its last request began, a process without requests ends its registration. */
const REGISTERED_FOR_MS = 15_000;

export interface RegistrationParts {
  sql: Pool;
  processId: string;
  plainPlaces?: Pick<PlainPlaces, "registered" | "unregistered"> | undefined;
  /** How long after its last request a process stays registered; default: 15 s. */
  registeredForMs?: number;
  /** Whether requests of this process run, or are not billed yet. */
  isBusy(): boolean;
}

/** The lease of this process in `chat_processes`: other processes finish the requests of one that does not renew it. */
export class Registration {
  readonly #parts: RegistrationParts;
  /** When a request last began, in `performance.now()`. */
  #usedMs = Number.NEGATIVE_INFINITY;
  #isRegistered = false;
  #renewing: Promise<void> | undefined;
  #leaving: Promise<void> = Promise.resolve();

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  /** Call it when a request begins. */
  use(): void {
    this.#usedMs = performance.now();
    // `keep` repeats it, if it fails.
    if (!this.#isRegistered) this.#renew().catch(() => undefined);
  }

  /** Renews the registration, or ends it if this process has had no requests for a while; call it every few seconds. */
  async keep(): Promise<void> {
    const { plainPlaces, sql, processId, isBusy, registeredForMs = REGISTERED_FOR_MS } = this.#parts;
    const isIdle = performance.now() > this.#usedMs + registeredForMs;
    if (!isIdle || isBusy()) return this.#renew();
    if (!this.#isRegistered) return;
    plainPlaces?.unregistered();
    this.#isRegistered = false;
    this.#leaving = forgetProcess(sql, processId);
    await this.#leaving;
  }

  /** Ends it after a renewal that is under way; with running requests it is left, so that others finish them after its lease. */
  async end({ isRunning }: { isRunning: boolean }): Promise<void> {
    await this.#renewing?.catch(() => undefined);
    if (!isRunning) await forgetProcess(this.#parts.sql, this.#parts.processId).catch(() => undefined);
  }

  #renew(): Promise<void> {
    const { sql, processId, plainPlaces } = this.#parts;
    const sentMs = performance.now();
    this.#renewing ??= this.#leaving
      .catch(() => undefined)
      .then(() => recordHeartbeat(sql, processId))
      .then(() => {
        this.#isRegistered = true;
        plainPlaces?.registered(sentMs);
      })
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }
}
