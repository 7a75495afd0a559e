import type { Step } from "../../../server/ads/events/steps";
import type { ChatStep } from "../../../server/cloud/ai/ledger/steps";
import type { ResourceStep } from "../../../server/cloud/core/reconciler/steps";
import type { WebhookStep } from "../../../server/cloud/events/webhooks/steps";

/** Where a server can be told to kill itself. */
export type AnyStep = Step | ChatStep | WebhookStep;

/** What a test tells its server over the pipe between them. */
export type Order = { id: number } & (
  | { kind: "trap"; step: AnyStep; passes: number }
  | { kind: "hold"; step: ResourceStep }
  | { kind: "clickhouse" | "postgres" | "wal" | "held"; query: string }
);

export interface Answer {
  ready?: true;
  id?: number;
  rows?: Record<string, unknown>[];
  failure?: string;
}
