import { ServiceError } from "../../kernel/errors";

/**
 * SQLSTATE classes of temporary failures: connection (08), resources and full disks (53), operator intervention (57),
 * I/O errors (58), a read-only server (25006); lock timeouts and rollbacks.
 */
const CONNECTION_STATES = /^(08|53|57|58|25006|55P03|40)/;
const CONNECTION_SOCKET = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET)/;
/** Prisma's codes for the same: unreachable, timed out, closed, no connection or transaction available. */
const CONNECTION_PRISMA = /^(P1001|P1002|P1008|P1017|P2024|P2028|P2037)$/;
const CONNECTION_TEXT =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|pool after calling end/i;
/** Of Postgres, and of files that svc itself writes. */
const DISK_FULL = /^(53100|ENOSPC|EDQUOT)$/;

/** True if Postgres could not process the query, as opposed to rejecting it. */
export function isConnectionError(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const codes = codesOf(failure);
  if (codes.some((code) => CONNECTION_STATES.test(code) || CONNECTION_PRISMA.test(code))) return true;
  if (codes.some((code) => CONNECTION_SOCKET.test(code))) return !isOfClient(failure);
  return CONNECTION_TEXT.test(failure.message) || isConnectionError(failure.cause);
}

/** The error of Node's HTTP server when a client disconnects during its request, with the code ECONNRESET. */
const isOfClient = ({ message }: Error): boolean => message === "aborted";

/** The error to throw: `unavailable` if Postgres is unavailable or a disk is full, otherwise the failure itself. */
export function unavailableOnConnectionError(failure: unknown): unknown {
  // A failure that already has a code keeps it: its cause may be a client's broken connection.
  if (failure instanceof ServiceError) return failure;
  if (isDiskFull(failure)) {
    return new ServiceError("unavailable", "The disk of the server is full; retry later.", {
      retryAfterSeconds: 5,
      details: { reason: "disk_full" },
      cause: failure,
    });
  }
  if (!isConnectionError(failure)) return failure;
  return new ServiceError("unavailable", "The database is unavailable; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "database_away" },
    cause: failure,
  });
}

function isDiskFull(failure: unknown): boolean {
  if (!(failure instanceof Error) || failure instanceof ServiceError) return false;
  return codesOf(failure).some((code) => DISK_FULL.test(code)) || isDiskFull(failure.cause);
}

/** The failure's own code, and the SQLSTATE that Prisma nests in its errors. */
function codesOf(failure: Error): string[] {
  const { code, meta, cause } = failure as {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
    cause?: { originalCode?: unknown };
  };
  const codes = [code, meta?.driverAdapterError?.cause?.originalCode, cause?.originalCode];
  return codes.filter((one) => typeof one === "string");
}
