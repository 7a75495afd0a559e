import type { Clock } from "./clock";
import { ServiceError } from "./errors";
import { seal, unseal } from "./secrets";

const PREFIX = "cur_";
const LIFE_MS = 24 * 60 * 60 * 1000;

/** What a cursor is bound to: it is valid only for the tenant and the filter that it was created for. */
export interface CursorScope {
  key: Buffer;
  clock: Clock;
  tenantId: string;
  /** The list's name and its filters, as one stable text. */
  filter: string;
}

/** An opaque `cur_` token that contains the position after which the next page begins. */
export function sealCursor(scope: CursorScope, position: string): string {
  const body = JSON.stringify([position, scope.clock.now().getTime()]);
  return PREFIX + seal(scope.key, body, contextOf(scope));
}

/**
 * The position in a cursor. Throws `invalid_request` if it belongs to another list, is forged, or is older than 24 h.
 */
export function openCursor(scope: CursorScope, cursor: string): string {
  const body = cursor.startsWith(PREFIX) ? unseal(scope.key, cursor.slice(PREFIX.length), contextOf(scope)) : undefined;
  if (body === undefined) {
    throw new ServiceError("invalid_request", "This cursor does not belong to this list; start again without it.", {
      param: "cursor",
      details: { reason: "cursor_invalid" },
    });
  }
  const [position, madeAt] = JSON.parse(body) as [string, number];
  if (scope.clock.now().getTime() - madeAt > LIFE_MS) {
    throw new ServiceError("invalid_request", "This cursor is older than 24 h; start again without it.", {
      param: "cursor",
      details: { reason: "cursor_expired" },
    });
  }
  return position;
}

const contextOf = ({ tenantId, filter }: CursorScope): string => JSON.stringify([tenantId, filter]);
