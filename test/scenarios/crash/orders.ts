import type { Step } from "../../../server/ads/events/steps";

/** What a test tells its server over the pipe between them. */
export type Order = { id: number } & (
  | { kind: "trap"; step: Step; passes: number }
  | { kind: "clickhouse" | "postgres" | "wal"; query: string }
);

export interface Answer {
  ready?: true;
  id?: number;
  rows?: Record<string, unknown>[];
  failure?: string;
}
