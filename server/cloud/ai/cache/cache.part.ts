import type { Part } from "../../../identity/part";
import { type CacheParts, createCacheStages } from "./create-cache-stages";
import { forgetCached } from "./forget-cached";

const FORGET_CACHED = "forget_cached_answers";

interface Gives {
  /** The stages of a chat request that look up and store answers. */
  cacheStages: ReturnType<typeof createCacheStages>;
}

export const chatCachePart: Part<CacheParts, Gives> = {
  name: "chat cache",
  start: (needs) => {
    const { sql, clock } = needs;
    return {
      gives: { cacheStages: createCacheStages(needs) },
      tasks: { [FORGET_CACHED]: () => forgetCached({ sql, clock }) },
      crontab: [`*/5 * * * * ${FORGET_CACHED}`],
    };
  },
};
