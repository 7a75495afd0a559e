import { z } from "zod";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import { ModeName } from "../wire-text";

/** The classes of HTTP statuses that requests are counted by. */
export const STATUS_CLASSES = ["succeeded", "client_errors", "rate_limited", "server_errors"] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

/** A platform key, or the kind of a channel key. */
export const KeyKind = z.enum(["platform", "server", "browser"]);
export type KeyKind = z.output<typeof KeyKind>;

/** A key that can be counted. */
export interface CountedKey {
  tenantId: string;
  mode: "test" | "live";
  kind: KeyKind;
  keyId: string;
  /** The project of a platform key, the channel of the others. */
  parentId: string;
}

/** A key as people know it. */
export interface KeyRecord {
  id: string;
  mode: "test" | "live";
  kind: KeyKind;
  parentId: string;
  name: string;
  lastFour: string;
  revokedAt: Date | null;
}

/** Finds those of the ids that are keys of one kind and of this tenant, revoked ones included. */
export type FindKeys = (db: PrismaClient, of: { tenantId: string; ids: readonly string[] }) => Promise<KeyRecord[]>;

const Count = z.int().min(0);

export const RequestCount = z.object({
  requests: Count,
  errors: Count.describe("Responses with a status of 400 or above"),
  status_2xx: Count.describe("Successful responses, redirects included"),
  status_4xx: Count.describe("Client errors without 429"),
  status_429: Count.describe("Exceeded rate limits and quotas"),
  status_5xx: Count.describe("Server errors"),
});
export type RequestCount = z.output<typeof RequestCount>;

export const KeyRequestCount = RequestCount.extend({
  id: z.string(),
  kind: KeyKind.describe("`platform` for an API key, otherwise the kind of the channel key"),
  name: z.string().nullable().describe("The name of the API key or of the channel; null if the key no longer exists"),
  project_id: z.string().nullable().describe("For platform keys"),
  channel_id: z.string().nullable().describe("For channel keys"),
  last_four: z.string().nullable().describe("The last four characters of the secret"),
  revoked_at: z.iso.datetime().nullable(),
});
export type KeyRequestCount = z.output<typeof KeyRequestCount>;

export const RequestCounts = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime().describe("Exclusive"),
  interval: z.enum(["hour", "day"]),
  mode: ModeName,
  rows: z
    .array(RequestCount.extend({ start: z.iso.datetime().describe("The start of the hour or day, in UTC") }))
    .describe("One per hour or day of the period, in order, including those without requests"),
  totals: RequestCount,
  keys: z.array(KeyRequestCount).describe("The keys with the most requests in the period, at most 100"),
  keys_total: Count.describe("How many keys made requests in the period"),
});
export type RequestCounts = z.output<typeof RequestCounts>;

export type Sums = Record<StatusClass, number>;

export const NO_REQUESTS: Sums = { succeeded: 0, client_errors: 0, rate_limited: 0, server_errors: 0 };

export const toRequestCount = ({ succeeded, client_errors, rate_limited, server_errors }: Sums): RequestCount => {
  const errors = client_errors + rate_limited + server_errors;
  return {
    requests: succeeded + errors,
    errors,
    status_2xx: succeeded,
    status_4xx: client_errors,
    status_429: rate_limited,
    status_5xx: server_errors,
  };
};

/** The class of an HTTP status. */
export function statusClassOf(status: number): StatusClass {
  if (status < 400) return "succeeded";
  if (status >= 500) return "server_errors";
  return status === 429 ? "rate_limited" : "client_errors";
}
