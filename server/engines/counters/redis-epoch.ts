import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { RedisScript } from "./redis-script";
import { unavailableOnFailure } from "./unavailable-on-failure";

/** A rebuild that has not renewed its lock for this long counts as ended. */
const LOCK_MS = 15_000;

/**
 * KEYS: epoch, lock; ARGV: run, token, lock ms. Returns 2 when nothing is lacking, 1 when the lock was taken, else 0.
 * Once the lock is taken, no process can reserve against the counts.
 */
const BEGIN = new RedisScript(`
if redis.call('HGET', KEYS[1], 'run') == ARGV[1] then return 2 end
if not redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) then return 0 end
redis.call('DEL', KEYS[1])
return 1
`);

/** KEYS: lock; ARGV: token, lock ms (0 releases it). */
const RENEW = new RedisScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`);

/** KEYS: epoch, lock; ARGV: token, run, counted through. A server that was emptied meanwhile has lost the lock too. */
const FINISH = new RedisScript(`
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'run', ARGV[2], 'through', ARGV[3])
return redis.call('DEL', KEYS[2])
`);

/** KEYS: epoch; ARGV: counted through. */
const NOTE = new RedisScript(`
local through = redis.call('HGET', KEYS[1], 'through')
if not through or tonumber(through) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'through', ARGV[1])
return 1
`);

/**
 * Whether a Redis server has every count. This is stored in a key without expiry: an emptied server lacks the key, and
 * a server that restarted with an old copy of its memory, or a replica that took over, has another run id (INFO,
 * `run_id`).
 */
export class RedisEpoch {
  /** The hash with the fields epoch, run and through. */
  readonly key: string;
  readonly #lockKey: string;
  readonly #calls: Redis;
  #known: string | undefined;
  #connections = 0;

  constructor(calls: Redis, prefix: string) {
    this.key = `${prefix}caps:epoch`;
    this.#lockKey = `${prefix}caps:rebuilding`;
    this.#calls = calls;
    // The next connection may reach another server, or the same one with other data.
    calls.on("close", () => {
      this.#connections++;
      this.#known = undefined;
    });
  }

  /** What the server must still contain for its counts to be complete; undefined until `countedThrough` has checked. */
  get known(): string | undefined {
    return this.#known;
  }

  forget(): void {
    this.#known = undefined;
  }

  async countedThrough(): Promise<number | undefined> {
    const connection = this.#connections;
    const [run, [epoch, rebuiltOn, through]] = await unavailableOnFailure(
      Promise.all([this.#run(), this.#calls.hmget(this.key, "epoch", "run", "through")]),
    );
    const isWhole = epoch && rebuiltOn === run && connection === this.#connections;
    this.#known = isWhole ? epoch : undefined;
    return isWhole ? Number(through) : undefined;
  }

  async recordCounted(throughMs: number): Promise<void> {
    await unavailableOnFailure(NOTE.run(this.#calls, [this.key], [throughMs]));
  }

  async rebuild(fill: () => Promise<number>): Promise<boolean> {
    const connection = this.#connections;
    const token = randomUUID();
    const run = await unavailableOnFailure(this.#run());
    const [begun] = await unavailableOnFailure(
      BEGIN.run(this.#calls, [this.key, this.#lockKey], [run, token, LOCK_MS]),
    );
    if (begun !== 1) return begun === 2;
    const renew = (ms: number) => RENEW.run(this.#calls, [this.#lockKey], [token, ms]).catch(() => undefined);
    const renewing = setInterval(() => void renew(LOCK_MS), LOCK_MS / 3);
    try {
      const throughMs = await fill();
      if (connection !== this.#connections) return false;
      const finishing = FINISH.run(this.#calls, [this.key, this.#lockKey], [token, run, throughMs]);
      return (await unavailableOnFailure(finishing))[0] === 1;
    } finally {
      clearInterval(renewing);
      await renew(0);
    }
  }

  async #run(): Promise<string> {
    return /^run_id:(\w+)/m.exec(await this.#calls.info("server"))?.[1] ?? "";
  }
}
