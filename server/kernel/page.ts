import { z } from "zod";
import { type CursorScope, openCursor, sealCursor } from "./cursor";

export const PAGE_LIMIT_DEFAULT = 100;
export const PAGE_LIMIT_MAX = 1000;

/** The two query parameters of every list; a limit out of range is rejected, never clamped. */
export const PageQuery = z.object({
  cursor: z.string().optional().describe("`next_cursor` of the previous page"),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
});

/** The envelope of every list. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable() });

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** What a list needs to fetch one page: rows whose id comes after `after` in the list's order, at most `take`. */
export type FetchPage<T> = (position: { after: string | undefined; take: number }) => Promise<T[]>;

/** One page by keyset: stable under inserts, with an encrypted cursor if more rows follow. */
export async function fetchPage<T extends { id: string }>(
  scope: CursorScope,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  fetch: FetchPage<T>,
): Promise<Page<T>> {
  const after = cursor === undefined ? undefined : openCursor(scope, cursor);
  const rows = await fetch({ after, take: limit + 1 });
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, next_cursor: rows.length > limit && last ? sealCursor(scope, last.id) : null };
}
