import { z } from "zod";
import type { TelemetryStore } from "../../../engines/postgres/generated/client";
import { randomBase32 } from "../../../kernel/ids";
import { type Kind, type Observation, SELDOM_SECONDS } from "../../core/kinds/kind";
import { OTLP_PATHS, SIGNALS, type Signal } from "../../obs/ingest/telemetry";
import type { TelemetryParts } from "../../obs/ingest/telemetry-ctx";
import { deleteRows } from "../../obs/ingest/telemetry-rows.sql";

const TOKEN_CHARACTERS = 48;
/** Processes that looked at a store before its removal have inserted what they had by then. */
const LATE_MS = 3000;

const RETENTION_DAYS = 30;
const RETENTION_DAYS_MAX = 400;

const StoreSpec = z.strictObject({
  retention_days: z
    .int()
    .min(1)
    .max(RETENTION_DAYS_MAX)
    .default(RETENTION_DAYS)
    .describe(
      `Records are deleted this many days after they were received: 1 to ${RETENTION_DAYS_MAX}, default ${RETENTION_DAYS}. A change is for records that are received later`,
    ),
});
type StoreSpec = z.output<typeof StoreSpec>;

/** Where records of a store are sent. */
const endpointOf = (publicUrl: string, { rid, signal }: { rid: string; signal: Signal }): string => {
  const [last = ""] = Object.entries(OTLP_PATHS).find(([, one]) => one === signal) ?? [];
  return `${publicUrl}/v1/observe/${rid}/otlp/v1/${last}`;
};

/** A kind of store for each kind of record. */
export const storeKinds = (parts: () => TelemetryParts): Record<string, Kind> =>
  Object.fromEntries(SIGNALS.map((signal) => [signal, storeKind(parts, signal) as Kind]));

const storeKind = (parts: () => TelemetryParts, signal: Signal): Kind<StoreSpec> => ({
  spec: StoreSpec,
  driftSeconds: SELDOM_SECONDS,
  newSecrets: () => ({ ingest_token: `svc_ing_${randomBase32(TOKEN_CHARACTERS)}` }),
  plan: ({ retention_days: days }, name) => [
    {
      step: "create",
      what: `A store of ${signal} records, "${name}", with a token for what sends them`,
      proof: "An OTLP exporter sends to its URL, and GET /v1/observe/{rid}/records returns the records",
    },
    { step: "keep", what: `Records are kept for ${days} days`, proof: "Older ones are not returned" },
  ],
  provision: async ({ rid: id, tenantId, spec, secretHashes }) => {
    const { db } = parts();
    const open = { retentionDays: spec.retention_days, suspended: false };
    const row = await db.telemetryStore.upsert({
      where: { id },
      create: { id, tenantId, signal, tokenHash: secretHashes.ingest_token ?? "", ...open },
      update: open,
    });
    return observationOf(row);
  },
  observe: async (all) => {
    const rows = await parts().db.telemetryStore.findMany({ where: { id: { in: all.map(({ rid }) => rid) } } });
    return new Map(rows.map((row) => [row.id, observationOf(row)]));
  },
  remove: async ({ rid: id, tenantId }) => {
    const { db, clickhouse, clock } = parts();
    const store = await db.telemetryStore.findUnique({ where: { id } });
    if (!store) return true;
    const now = clock.now();
    if (!store.removingSince) await db.telemetryStore.update({ where: { id }, data: { removingSince: now } });
    const left = await deleteRows(clickhouse, { signal, tenantId, rid: id });
    const isLate = store.removingSince !== null && now.getTime() - store.removingSince.getTime() >= LATE_MS;
    if (left > 0 || !isLate) return false;
    await db.telemetryStore.delete({ where: { id } });
    return true;
  },
  suspend: async ({ rid: id }) => {
    await parts().db.telemetryStore.updateMany({ where: { id }, data: { suspended: true } });
    return true;
  },
  endpoints: ({ rid }) => [{ protocol: "otlp", url: endpointOf(parts().publicUrl, { rid, signal }) }],
  tryIt: ({ rid }) => [
    { title: "Read its newest records", command: `svc telemetry-records list ${rid}` },
    {
      title: "Send records",
      command: `curl ${endpointOf(parts().publicUrl, { rid, signal })} -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d @${signal}.json`,
    },
  ],
});

const observationOf = ({ suspended, retentionDays }: TelemetryStore): Observation =>
  suspended ? { is: "absent" } : { is: "present", observed: { retention_days: retentionDays } };
