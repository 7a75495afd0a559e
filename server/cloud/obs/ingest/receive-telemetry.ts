import { timingSafeEqual } from "node:crypto";
import { enforceRate } from "../../../engines/counters/fail-open";
import type { TelemetryStore } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import { assertScope } from "../../../operation/authorize";
import { findResource } from "../../core/records/find-resource";
import { noSuchResource } from "../../core/records/resource";
import { secretHashOf } from "../../core/records/secret-hash";
import { OTLP_PATHS, type Signal } from "./telemetry";
import type { TelemetryParts } from "./telemetry-ctx";

const DAY_SECONDS = 24 * 3600;
const KIB = 1024;
/** In KiB, of one store. */
const RATE = { perSecond: 1024, burst: 64 * 1024 };
const REFUSED: Readonly<Record<Signal, string>> = {
  metric: "rejectedDataPoints",
  log: "rejectedLogRecords",
  trace: "rejectedSpans",
};

export const INGEST_PREFIX = "svc_ing_";

export interface TelemetryRequest {
  rid: string;
  /** The last part of the path: logs, metrics or traces. */
  path: string;
  /** An ingest token, or else who calls with a platform key; undefined: nobody. */
  by: string | Actor | undefined;
}

/**
 * The store that takes a request. Throws `unauthorized` for a wrong token, also for one of a store that does not exist,
 * `forbidden` and `not_found` for a key without access, `not_found` for another signal, and `conflict` for a store that is
 * suspended or being deleted.
 */
export async function openStore(
  ctx: Pick<TelemetryParts, "db" | "encryptionKey">,
  { rid, path, by }: TelemetryRequest,
): Promise<TelemetryStore> {
  const store = await ctx.db.telemetryStore.findUnique({ where: { id: rid } });
  if (typeof by === "string" || by === undefined) assertToken(ctx, store, by ?? "");
  else await assertAccess(ctx, { rid, actor: by });
  if (!store) throw noSuchResource(rid);
  if (OTLP_PATHS[path] !== store.signal) {
    const [right] = Object.entries(OTLP_PATHS).find(([, signal]) => signal === store.signal) ?? [];
    throw new ServiceError("not_found", `The store takes records of ${store.signal}: send them to …/otlp/v1/${right}.`);
  }
  if (store.removingSince) throw new ServiceError("conflict", "The store is being deleted.");
  if (store.suspended)
    throw new ServiceError("conflict", "The store is suspended: activate the service observe.", {
      details: { reason: "not_activated", service: "observe" },
    });
  return store;
}

function assertToken(
  { encryptionKey }: Pick<TelemetryParts, "encryptionKey">,
  store: TelemetryStore | null,
  token: string,
): void {
  const hash = secretHashOf(encryptionKey, token);
  if (store && isSame(hash, store.tokenHash)) return;
  const sentence = "Send the store's ingest token, or a platform key: Authorization: Bearer svc_ing_….";
  throw new ServiceError("unauthorized", sentence);
}

async function assertAccess(
  { db }: Pick<TelemetryParts, "db">,
  { rid, actor }: { rid: string; actor: Actor },
): Promise<void> {
  assertScope(actor, "gpuc:write");
  await findResource({ db, actor }, { rid, services: [{ plane: "gpuc", service: "observe" }], right: "checked" });
}

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/**
 * Stores the records of an export request in OTLP's JSON, all that are accepted or none, and returns the response when
 * they are durable. Throws `invalid_request` for what is no export request, `payload_too_large` for what cannot be read
 * in time, `rate_limited` for too many bytes, `quota_exceeded` at the limit of what the tenant stores, and `unavailable`
 * if too much waits.
 */
export async function receiveTelemetry(
  { counters, clock, telemetryLog, exportReader, storedBytes }: ReceiveTelemetry,
  store: TelemetryStore,
  body: Buffer,
): Promise<object> {
  const { id: rid, tenantId } = store;
  const count = (bytes: number) =>
    enforceRate(
      counters,
      { key: `telemetry:${rid}`, rate: RATE, cost: Math.ceil(bytes / KIB) },
      "The store takes 64 MiB at once and 1 MiB in each second: send less.",
    );
  await count(body.byteLength);
  await storedBytes.assertRoom(tenantId);
  const signal = store.signal as Signal;
  const now = clock.now();
  const expires = Math.floor(now.getTime() / 1000) + store.retentionDays * DAY_SECONDS;
  const owner = { tenant_id: tenantId, rid, expires };
  const { line, refused, message } = await exportReader.parse({ signal, body, owner, now });
  if (line !== undefined) {
    // What the request becomes counts too, as far as it is more than was sent.
    await count(Math.max(0, line.length - body.byteLength));
    // More than is stored, which is compressed: the next measurement finds it.
    await storedBytes.take(tenantId, "telemetry", line.length);
    await telemetryLog.append(rid, line);
  }
  // A message without a refusal is a warning.
  if (refused === 0 && message === undefined) return {};
  return { partialSuccess: { [REFUSED[signal]]: String(refused), errorMessage: message ?? "" } };
}

type ReceiveTelemetry = Pick<TelemetryParts, "counters" | "clock" | "telemetryLog" | "exportReader" | "storedBytes">;
