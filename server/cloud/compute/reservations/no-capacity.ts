import { ServiceError } from "../../../kernel/errors";

const SECOND_MS = 1000;

/** How far ahead a term can begin. */
export const AHEAD_MS = 90 * 24 * 3600 * SECOND_MS;

/** A start that a request can name: the next whole second. */
export const startText = (ms: number): string => new Date(Math.ceil(ms / SECOND_MS) * SECOND_MS).toISOString();

interface Missing {
  pool: string;
  count: number;
  /** What is free for the whole term. */
  free: number;
  /** undefined: there is no start within 90 days. */
  earliest: number | undefined;
}

export function noCapacity({ pool, count, free, earliest }: Missing): ServiceError {
  const start = earliest === undefined ? null : startText(earliest);
  const possible =
    start === null
      ? "no start within 90 days is possible; reserve fewer"
      : `the earliest start for ${count} is ${start}`;
  return new ServiceError("conflict", `${pool} has ${free} GPUs free for this whole term; ${possible}.`, {
    param: "starts_at",
    details: { reason: "no_capacity", free, earliest_start: start },
  });
}
