import type { ReadonlyURLSearchParams } from "next/navigation";
import { daysBefore } from "../../../format/dates";

/** The page's filters, kept in the URL so that they can be shared. An empty text means no filter. */
export interface AuditFilter {
  /** An action, or all of a kind: `campaign.*`. */
  action: string;
  actor: string;
  target: string;
  /** Calendar days in the user's time zone, inclusive. */
  from: string;
  to: string;
}

const ACTION = /^[a-z_]+\.(?:[a-z_]+|\*)$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Parses the filters in a URL; malformed values are ignored. */
export function parseFilter(params: URLSearchParams | ReadonlyURLSearchParams): AuditFilter {
  const text = (name: string, pattern = /./) => {
    const value = params.get(name)?.trim() ?? "";
    return pattern.test(value) ? value : "";
  };
  return {
    action: text("action", ACTION),
    actor: text("actor"),
    target: text("target"),
    from: text("from", DAY),
    to: text("to", DAY),
  };
}

export const isFiltered = (choice: AuditFilter): boolean => Object.values(choice).some((value) => value !== "");

/** The filters as the API's input: days become timestamps. */
export function toListInput({ action, actor, target, from, to }: AuditFilter) {
  return {
    ...(action && { action }),
    ...(actor && { actor_id: actor }),
    ...(target && { target_id: target }),
    ...(from && { from: startOf(from) }),
    ...(to && { to: startOf(daysBefore(to, -1)) }),
  };
}

const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString();
