import type { ClickHouseClient } from "@clickhouse/client";
import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { listScope } from "../../../identity/list-scope";
import { Moment } from "../../../identity/wire-text";
import { openCursor, sealCursor } from "../../../kernel/cursor";
import { ServiceError } from "../../../kernel/errors";
import { PageQuery, pageOf } from "../../../kernel/page";
import { exampleId } from "../../../operation/example";
import type { CallOptions } from "../../../operation/operation";
import { operation } from "../../cloud-operation";
import { findResource } from "../../core/records/find-resource";
import { resourceChoice } from "../../core/resources/resource-fields";
import { SIGNALS } from "./telemetry";
import type { TelemetryCtx } from "./telemetry-ctx";
import { recordOf, TelemetryRecord } from "./telemetry-record";
import { newestRows, type RecordPosition, resourcesOf, type StoredRecord } from "./telemetry-rows.sql";

const TEXT_LENGTH_MAX = 200;
const DAY_MS = 24 * 3600 * 1000;
/** Of the resources of the records that one call returns, in characters. */
const RESOURCES_LENGTH_MAX = 4 << 20;
/** How long the records that this process has just received may take to be readable. */
const SETTLE_MS = 2000;

/** Returns the newest records of a store of telemetry. Throws `not_found`, and `conflict` for a placeholder. */
export const listTelemetryRecords = operation({
  id: "listTelemetryRecords",
  summary: "List records of a telemetry store",
  description:
    "Newest first; records of one time are in the order of their receipt, the last first. A page has at most about 8 MiB of records, so that fewer than `limit` do not mean that there are no older ones: `next_cursor` says it. What the same process of svc has received before is included, after at most 2 seconds; what others have received follows within a second.",
  access: "gpuc:read",
  cost: "report",
  input: z.strictObject({
    ...resourceChoice,
    from: Moment.optional().describe("Records of this time and later; default: a day before `to`"),
    to: Moment.optional().describe("Records before this time; default: now"),
    ...PageQuery.shape,
    contains: z
      .string()
      .max(TEXT_LENGTH_MAX)
      .default("")
      .describe("Only records with this text, whatever its case, in their body or name, service or attributes"),
  }),
  output: pageOf(TelemetryRecord),
  example: {
    input: { rid: exampleId("res"), contains: "timeout" },
    output: {
      data: [
        {
          id: "rec_01jd0z3k5q8v6w2x4y7a9b1c3d0000",
          time: "2026-11-20T08:59:58.120000000Z",
          service: "checkout",
          scope: "",
          attributes: { "http.route": "/pay" },
          resource: { "service.name": "checkout" },
          severity_number: 17,
          severity: "ERROR",
          body: "timeout of the payment provider",
          trace_id: "",
          span_id: "",
        },
      ],
      next_cursor: null,
    },
  },
  run: async (
    ctx: ActorCtx & Pick<TelemetryCtx, "clickhouse" | "stopping" | "telemetryLog">,
    { rid, cursor, limit, contains, ...asked },
    options: CallOptions = {},
  ) => {
    const { kind, tenantId, state } = await findResource(ctx, {
      rid,
      services: [{ plane: "gpuc", service: "observe" }],
      right: "checked",
    });
    const signal = SIGNALS.find((one) => one === kind);
    if (!signal || state === "placeholder" || state === "deleting")
      throw new ServiceError("conflict", `The store is ${state === "deleting" ? "being deleted" : "a placeholder"}.`, {
        param: "rid",
      });
    const { clickhouse, clock, telemetryLog, stopping } = ctx;
    await telemetryLog.idle(rid, SETTLE_MS, AbortSignal.any([stopping, ...(options.signal ? [options.signal] : [])]));
    const scope = listScope(ctx, "telemetry_records", {
      rid,
      contains,
      from: asked.from?.toISOString(),
      to: asked.to?.toISOString(),
    });
    const before = cursor === undefined ? undefined : (JSON.parse(openCursor(scope, cursor)) as Position);
    const to = asked.to ?? new Date(clock.now().getTime() + DAY_MS);
    const from = before
      ? new Date(before.from)
      : (asked.from ?? new Date(to.getTime() - (asked.to ? DAY_MS : 2 * DAY_MS)));
    const range = { from, to, contains, limit, after: before?.after };
    const { rows, hasMore } = await newestRows<Stored>(clickhouse, { signal, tenantId, rid }, range);
    const data = await withResources(clickhouse, { tenantId, rid }, rows);
    const last = data.at(-1);
    if (!last || (data.length === rows.length && !hasMore)) return { data, next_cursor: null };
    const position: Position = { from: from.getTime(), after: { time: last.time, id: last.id } };
    return { data, next_cursor: sealCursor(scope, JSON.stringify(position)) };
  },
});

/** Where the next page begins. By default, what the first page is from would move with the time. */
interface Position {
  from: number;
  after: RecordPosition;
}

type Stored = TelemetryRecord & StoredRecord & { details?: string };

/** The first of the records, as far as the attributes of their resources are not too large together. */
async function withResources(
  clickhouse: ClickHouseClient,
  store: { tenantId: string; rid: string },
  rows: readonly Stored[],
): Promise<TelemetryRecord[]> {
  const ids = new Set(rows.map(({ resource_id }) => resource_id).filter((id) => id !== ""));
  const resources = await resourcesOf(clickhouse, store, [...ids]);
  const records: TelemetryRecord[] = [];
  let length = 0;
  for (const { resource_id, resource: own, ...record } of rows) {
    const resource = resource_id === "" ? own : (resources.get(resource_id) ?? {});
    if (length > RESOURCES_LENGTH_MAX) break;
    length += JSON.stringify(resource).length;
    records.push(recordOf({ ...record, resource }));
  }
  return records;
}
