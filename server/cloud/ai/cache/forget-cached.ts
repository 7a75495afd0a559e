import type { Pool } from "pg";
import type { Clock } from "../../../kernel/clock";
import { deleteCached } from "./chat-cache.sql";

/** Of the whole installation; between two runs it can be exceeded by what is stored meanwhile. */
const TOTAL_BYTES_MAX = 1024 * 1024 * 1024;

/** Deletes expired answers, and the least recently used beyond 1 GiB. */
export const forgetCached = ({ sql, clock }: { sql: Pool; clock: Clock }, bytesMax = TOTAL_BYTES_MAX): Promise<void> =>
  deleteCached(sql, clock.now(), bytesMax);
