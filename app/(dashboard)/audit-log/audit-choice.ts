import type { ReadonlyURLSearchParams } from "next/navigation";
import { daysBefore } from "../../format/dates";

/** What the page shows; it lives in the address, so that it can be shared. Empty texts leave a filter out. */
export interface AuditChoice {
  /** An action, or all of a kind: `campaign.*`. */
  action: string;
  actor: string;
  target: string;
  /** Calendar days in the reader's own time zone, both included. */
  from: string;
  to: string;
}

const ACTION = /^[a-z_]+\.(?:[a-z_]+|\*)$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The choice in an address; what is malformed does not count. */
export function choiceOf(params: URLSearchParams | ReadonlyURLSearchParams): AuditChoice {
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

export const isFiltered = (choice: AuditChoice): boolean => Object.values(choice).some((value) => value !== "");

/** The choice as the API is asked for it: days become moments. */
export function askedOf({ action, actor, target, from, to }: AuditChoice) {
  return {
    ...(action && { action }),
    ...(actor && { actor_id: actor }),
    ...(target && { target_id: target }),
    ...(from && { from: startOf(from) }),
    ...(to && { to: startOf(daysBefore(to, -1)) }),
  };
}

const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString();
