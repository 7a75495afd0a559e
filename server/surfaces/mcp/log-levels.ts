import type { ServerContext } from "@modelcontextprotocol/server";
import type { Counters } from "../../engines/counters/counters";
import type { Actor } from "../../operation/actor";

/** From the least to the most important. */
const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
export type LogLevel = (typeof LEVELS)[number];

/** The topic that carries the level of a caller to every process. */
const LEVEL_SET = "mcp:log_level_set";
/** Callers with a level; the one that set it first is dropped first. */
const CALLERS_MAX = 10_000;

/**
 * The least level of the log messages that callers asked for with `logging/setLevel`. Without sessions it belongs to the key
 * or the person, in every process, until the process ends. Requests of the revision 2026-07-28 name their level themselves.
 */
export class LogLevels {
  readonly #levels = new Map<string, LogLevel>();
  readonly #counters: Pick<Counters, "publish" | "subscribe">;
  readonly #subscribed: Promise<() => Promise<void>>;

  constructor(counters: Pick<Counters, "publish" | "subscribe">) {
    this.#counters = counters;
    this.#subscribed = counters.subscribe(LEVEL_SET, (message) => {
      const [caller, level] = JSON.parse(message) as [string, LogLevel];
      this.#keep(caller, level);
    });
    this.#subscribed.catch(() => undefined);
  }

  set(actor: Actor, level: LogLevel): void {
    const caller = callerOf(actor);
    this.#keep(caller, level);
    this.#counters.publish(LEVEL_SET, JSON.stringify([caller, level])).catch(() => undefined);
  }

  /** What sends log messages of a request to its client, if the client asked for messages of their level. */
  loggerFor(actor: Actor, { mcpReq }: ServerContext): (level: LogLevel, data: object) => Promise<void> {
    const isModern = mcpReq.envelope !== undefined;
    const asked = this.#levels.get(callerOf(actor));
    return async (level, data) => {
      if (!isModern && (asked === undefined || LEVELS.indexOf(level) < LEVELS.indexOf(asked))) return;
      await mcpReq.log(level, data, "svc").catch(() => undefined);
    };
  }

  async close(): Promise<void> {
    const unsubscribe = await this.#subscribed.catch(() => undefined);
    await unsubscribe?.();
  }

  #keep(caller: string, level: LogLevel): void {
    const oldest = this.#levels.size >= CALLERS_MAX ? this.#levels.keys().next().value : undefined;
    if (oldest !== undefined) this.#levels.delete(oldest);
    this.#levels.set(caller, level);
  }
}

const callerOf = (actor: Actor): string => (actor.kind === "key" ? actor.keyId : actor.userId);
