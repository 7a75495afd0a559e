import { ServiceError } from "../../kernel/errors";

/** SQLSTATE classes that say "not now": connection (08), resources (53), operator intervention (57); lock timeouts and rollbacks. */
const AWAY_STATES = /^(08|53|57|55P03|40)/;
const AWAY_SOCKET = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET)/;
/** Prisma's codes for the same: unreachable, timed out, closed, no connection or transaction to be had. */
const AWAY_PRISMA = /^(P1001|P1002|P1008|P1017|P2024|P2028|P2037)$/;
const AWAY_TEXT =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|pool after calling end/i;

/** True when Postgres could not be asked, as opposed to having refused the question. */
export function isAway(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const code = (failure as { code?: unknown }).code;
  if (typeof code === "string" && [AWAY_STATES, AWAY_SOCKET, AWAY_PRISMA].some((known) => known.test(code)))
    return true;
  return AWAY_TEXT.test(failure.message) || isAway(failure.cause);
}

/** The failure to hand on: `unavailable` when Postgres is away, the failure itself otherwise. */
export const unavailableIfAway = (failure: unknown): unknown =>
  isAway(failure)
    ? new ServiceError("unavailable", "The database is away; retry shortly.", {
        retryAfterSeconds: 1,
        details: { reason: "database_away" },
        cause: failure,
      })
    : failure;
