import { createHash } from "node:crypto";
import type { Redis } from "ioredis";

/**
 * A Lua script that returns whole numbers. One round trip per call: the script text is sent only when the server lacks
 * it.
 */
export class RedisScript {
  readonly #lua: string;
  readonly #sha: string;

  constructor(lua: string) {
    this.#lua = lua;
    this.#sha = createHash("sha1").update(lua).digest("hex");
  }

  async load(redis: Redis): Promise<void> {
    await redis.script("LOAD", this.#lua);
  }

  async run(redis: Redis, keys: string[], args: (string | number)[]): Promise<number[]> {
    const answer = await redis.evalsha(this.#sha, keys.length, ...keys, ...args).catch((cause: Error) => {
      if (!cause.message.startsWith("NOSCRIPT")) throw cause;
      return redis.eval(this.#lua, keys.length, ...keys, ...args);
    });
    return Array.isArray(answer) ? answer.map(Number) : [Number(answer)];
  }
}
