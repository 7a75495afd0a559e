import { setImmediate as nextTurn } from "node:timers/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import { RollingWindow } from "../../kernel/rolling-window";
import { estimateTermAffinity, type TermAffinity, type TermCounts } from "./term-affinity";
import { termCountsIn } from "./term-counts.sql";

const DAYS = 30;
const HALF_LIFE_MS = 14 * 24 * 60 * 60 * 1000;
const ROWS_PER_STEP = 500;

interface Part {
  fromMs: number;
  rows: TermCounts[];
}

/**
 * Reads what visitors clicked for which words in the last 30 days; an event has half its weight after 14 days. Each
 * later call reads only the last hours, so late events and reversals of earlier ones are included within a day.
 */
export function termAffinityReader(clickhouse: ClickHouseClient): (now: Date) => Promise<TermAffinity> {
  const window = new RollingWindow<Part>(DAYS, async (span) => ({
    fromMs: span.fromMs,
    rows: await termCountsIn(clickhouse, { span, halfLifeMs: HALF_LIFE_MS }),
  }));
  return async (now) => {
    const sums = new Map<string, TermCounts>();
    for (const { fromMs, rows } of await window.parts(now)) {
      await addRows(sums, rows, 2 ** (-(now.getTime() - fromMs) / HALF_LIFE_MS));
    }
    return estimateTermAffinity([...sums.values()], { pause: nextTurn });
  };
}

/** Offers are served between the steps. */
async function addRows(sums: Map<string, TermCounts>, rows: readonly TermCounts[], weight: number): Promise<void> {
  for (const [i, row] of rows.entries()) {
    if (i % ROWS_PER_STEP === 0) await nextTurn();
    const key = `${row.channelId}\n${row.baseId}\n${row.itemId}\n${row.term}`;
    const before = sums.get(key);
    const impressions = row.impressions.map((count, at) => count * weight + (before?.impressions[at] ?? 0));
    const clicks = row.clicks.map((count, at) => count * weight + (before?.clicks[at] ?? 0));
    sums.set(key, { ...row, impressions, clicks });
  }
}
