import { newId } from "../../../kernel/ids";
import type { Draft, SendCall } from "./queue-calls";
import type { SentMessage } from "./queue-engine";
import { type NewMessageRow, readDuplicates } from "./queue-log.sql";
import type { Sql } from "./sql";

/** As with SQS. */
const DEDUPLICATION_MS = 5 * 60_000;

export interface PlannedSend {
  /** Of all calls, without duplicates, in their order. */
  drafts: Draft[];
  rows: NewMessageRow[];
  /** One per draft of all calls. */
  results: SentMessage[];
}

/**
 * Gives ids to the messages of all calls. The lookup of duplicates is right if the entry of the turn is appended: then
 * no other process has stored a message since the state was read.
 */
export async function planSends(
  sql: Sql,
  { queueId, calls, at }: { queueId: string; calls: readonly SendCall[]; at: number },
): Promise<PlannedSend> {
  const all = calls.flatMap(({ drafts }) => drafts);
  const ids = all.flatMap(({ deduplicationId }) => deduplicationId ?? []);
  const known =
    ids.length > 0
      ? await readDuplicates(sql, queueId, { ids, after: at - DEDUPLICATION_MS })
      : new Map<string, string>();
  const planned: PlannedSend = { drafts: [], rows: [], results: [] };
  for (const draft of all) {
    const { deduplicationId, delayMs, groupId, body, form, bytes } = draft;
    const first = deduplicationId === undefined ? undefined : known.get(deduplicationId);
    const id = first ?? newId("msg", at);
    planned.results.push({ id, isDuplicate: first !== undefined });
    if (first !== undefined) continue;
    if (deduplicationId !== undefined) known.set(deduplicationId, id);
    planned.drafts.push(draft);
    const visibleFrom = delayMs > 0 ? at + delayMs : 0;
    planned.rows.push({ id, groupId, body, form, bytes, visibleFrom, deduplicationId });
  }
  return planned;
}

export function resolveSends(calls: readonly SendCall[], { results }: PlannedSend): void {
  let next = 0;
  for (const { drafts, resolve } of calls) {
    resolve(results.slice(next, next + drafts.length));
    next += drafts.length;
  }
}
