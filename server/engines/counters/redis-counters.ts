import { Redis, type RedisOptions } from "ioredis";
import { backoffMs } from "../../kernel/backoff";
import { ServiceError } from "../../kernel/errors";
import { CONFIRM_LUA, RELEASE_LUA, RESERVE_LUA } from "./caps.lua";
import { capKey, checkCount, checkLook, checkReserve, checkTake, checkTakeWindow, countsLost } from "./check-counters";
import type {
  CapsToLookUp,
  CapVerdicts,
  CapWindow,
  ConfirmCaps,
  Counters,
  Rate,
  RateVerdict,
  RateWindow,
  ReserveCaps,
  Tally,
} from "./counters";
import { GCRA_LUA } from "./gcra.lua";
import { plainError } from "./plain-error";
import { RATE_WINDOW_LUA } from "./rate-window.lua";
import { RedisEpoch } from "./redis-epoch";
import { RedisScript } from "./redis-script";
import { TALLY_LUA } from "./tally.lua";
import { Topics } from "./topics";
import { unavailableOnFailure } from "./unavailable-on-failure";

interface RedisCountersOptions {
  /** Prefix of every key and topic, so that installations can share a server (default `svc:`). */
  prefix?: string | undefined;
  /** How long one call may take (default 500). */
  callTimeoutMs?: number | undefined;
  /** How long the first connection may take (default 5000). */
  connectTimeoutMs?: number | undefined;
  /** Receives connection failures, without the command that failed, and what listeners throw (default: ignored). */
  onError?: ((cause: unknown) => void) | undefined;
}

/**
 * Connects to Redis 6.2+ or Valkey at `url` (`redis:` or `rediss:`), on two connections: one for calls, one for
 * subscriptions. Fails with `unavailable` when the server does not respond or rejects the login; the message names the
 * cause. Later it reconnects by itself.
 */
export async function connectRedisCounters(url: string, options: RedisCountersOptions = {}): Promise<Counters> {
  const { prefix = "svc:", callTimeoutMs = 500, connectTimeoutMs = 5000, onError = () => {} } = options;
  const shared = redisOptions(callTimeoutMs, connectTimeoutMs);
  const calls = new Redis(url, { ...shared, socketTimeout: 10 * callTimeoutMs });
  const events = new Redis(url, shared);
  let last: ReturnType<typeof plainError> | undefined;
  const onFailure = (cause: unknown) => {
    last = plainError(cause);
    onError(last);
  };
  for (const redis of [calls, events]) redis.on("error", onFailure);
  try {
    await Promise.all([calls.connect(), events.connect()]);
    await Promise.all(Object.values(SCRIPTS).map((script) => script.load(calls)));
  } catch (cause) {
    for (const redis of [calls, events]) redis.disconnect();
    // A failed connection rejects with "Connection is closed"; the cause was emitted as an event before.
    const reason = last ?? plainError(cause);
    throw new ServiceError("unavailable", whyNot(url, reason), { cause: reason });
  }
  return new RedisCounters({ calls, events }, prefix, onError);
}

function whyNot(url: string, { code, name, message }: ReturnType<typeof plainError>): string {
  const at = `Redis at ${new URL(url).host}`;
  if (code === "WRONGPASS") return `${at} rejected the user or the password (WRONGPASS); correct them in REDIS_URL.`;
  if (code === "NOAUTH") return `${at} requires a password (NOAUTH); set REDIS_URL=redis://:<password>@<host>:<port>.`;
  if (name === "ReplyError") return `${at} returned an error (${message}); check its settings and its version (6.2+).`;
  return `${at} did not respond${code === undefined ? "" : ` (${code})`}; check REDIS_URL and the server.`;
}

const SCRIPTS = {
  take: new RedisScript(GCRA_LUA),
  takeWindow: new RedisScript(RATE_WINDOW_LUA),
  count: new RedisScript(TALLY_LUA),
  reserve: new RedisScript(RESERVE_LUA),
  confirm: new RedisScript(CONFIRM_LUA),
  release: new RedisScript(RELEASE_LUA),
};

function redisOptions(callTimeoutMs: number, connectTimeoutMs: number) {
  return {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    commandTimeout: callTimeoutMs,
    // A call that cannot be sent at once must fail now: sent later, it would count a request that has already failed.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt: number) => backoffMs(attempt, { baseMs: 50, maxMs: 1000 }),
    reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
  } satisfies RedisOptions;
}

class RedisCounters implements Counters {
  readonly engine = "redis";
  readonly #calls: Redis;
  readonly #events: Redis;
  readonly #prefix: string;
  readonly #topics: Topics;
  readonly #epoch: RedisEpoch;

  constructor({ calls, events }: { calls: Redis; events: Redis }, prefix: string, onError: (cause: unknown) => void) {
    this.#calls = calls;
    this.#events = events;
    this.#prefix = prefix;
    this.#topics = new Topics(onError);
    this.#epoch = new RedisEpoch(calls, prefix);
    events.on("message", (channel: string, message: string) =>
      this.#topics.deliver(channel.slice(prefix.length), message),
    );
  }

  async take(key: string, rate: Rate, cost = 1): Promise<RateVerdict> {
    const { intervalUs, burstUs, costUs } = checkTake(rate, cost);
    return rateVerdictOf(await this.#run("take", [`${this.#prefix}rate:${key}`], [intervalUs, burstUs, costUs]));
  }

  async takeWindow(key: string, window: RateWindow): Promise<RateVerdict> {
    const stored = checkTakeWindow(key, window);
    return rateVerdictOf(await this.#run("takeWindow", [this.#prefix + stored], [window.count, window.windowMs]));
  }

  async count(tallies: readonly Tally[]): Promise<number[]> {
    const keys = checkCount(tallies).map((key) => this.#prefix + key);
    return this.#run(
      "count",
      keys,
      tallies.flatMap(({ by, lifeMs }) => [by, lifeMs]),
    );
  }

  async reserve(request: ReserveCaps): Promise<CapVerdicts> {
    const keys = checkReserve(request);
    const [reservedAtMs = 0, ...verdicts] = await this.#ask(request, keys, request.holdMs);
    return { reservedAtMs, verdicts: verdicts.map(verdictOf) };
  }

  async look(request: CapsToLookUp): Promise<CapVerdicts["verdicts"]> {
    const [, ...verdicts] = await this.#ask(request, checkLook(request), 0);
    return verdicts.map(verdictOf);
  }

  async confirm({ user, id, reservedAtMs, windows, holdMs }: ConfirmCaps): Promise<void> {
    if (windows.length === 0) return;
    const countsMs = windows.map(({ windowMs }) => Math.min(windowMs, holdMs ?? windowMs));
    await this.#run("confirm", this.#keys(user, windows), [id, reservedAtMs, ...countsMs]);
  }

  async release({ user, id, windows }: Pick<ConfirmCaps, "user" | "id" | "windows">): Promise<void> {
    if (windows.length > 0) await this.#run("release", this.#keys(user, windows), [id]);
  }

  countedThrough(): Promise<number | undefined> {
    return this.#epoch.countedThrough();
  }

  recordCounted(throughMs: number): Promise<void> {
    return this.#epoch.recordCounted(throughMs);
  }

  rebuild(fill: () => Promise<number>): Promise<boolean> {
    return this.#epoch.rebuild(fill);
  }

  async publish(topic: string, message: string): Promise<void> {
    await unavailableOnFailure(this.#calls.publish(this.#prefix + topic, message));
  }

  async subscribe(topic: string, onMessage: (message: string) => void): Promise<() => Promise<void>> {
    const remove = this.#topics.add(topic, onMessage);
    try {
      await unavailableOnFailure(this.#events.subscribe(this.#prefix + topic));
    } catch (cause) {
      remove();
      throw cause;
    }
    return async () => {
      remove();
      if (this.#topics.has(topic)) return;
      // After a lost connection the server has no subscription any more, so nothing is delivered.
      await this.#events.unsubscribe(this.#prefix + topic).catch(() => {});
    };
  }

  async ping(): Promise<void> {
    await unavailableOnFailure(Promise.all([this.#calls.ping(), this.#events.ping()]));
  }

  async close(): Promise<void> {
    this.#topics.clear();
    for (const redis of [this.#calls, this.#events]) redis.disconnect();
  }

  async #ask(request: CapsToLookUp, capKeys: string[], holdMs: number): Promise<number[]> {
    const { windows, candidates, wanted, whole = false } = request;
    const epoch = whole ? this.#epoch.known : "";
    if (epoch === undefined) throw countsLost();
    const keys = capKeys.map((key) => this.#prefix + key);
    const args: (string | number)[] = [holdMs, wanted, windows.length, epoch];
    for (const { count, windowMs } of windows) args.push(count, windowMs);
    // Lua indexes start at 1.
    for (const { id, windows: indexes } of candidates) args.push(id, indexes.length, ...indexes.map((i) => i + 1));
    const answer = await this.#run("reserve", whole ? [...keys, this.#epoch.key] : keys, args);
    if (answer[0] !== -1) return answer;
    this.#epoch.forget();
    throw countsLost();
  }

  #keys(user: string, windows: Pick<CapWindow, "key" | "windowMs">[]): string[] {
    return windows.map((window) => this.#prefix + capKey(user, window));
  }

  #run(script: keyof typeof SCRIPTS, keys: string[], args: (string | number)[]): Promise<number[]> {
    return unavailableOnFailure(SCRIPTS[script].run(this.#calls, keys, args));
  }
}

const rateVerdictOf = ([allowed, remaining = 0, retryAfterMs = 0, resetMs = 0]: number[]): RateVerdict => ({
  allowed: allowed === 1,
  remaining,
  retryAfterMs,
  resetMs,
});

function verdictOf(code: number): CapVerdicts["verdicts"][number] {
  if (code === 0) return "reserved";
  return code < 0 ? "not_needed" : { blockedBy: code - 1 };
}
