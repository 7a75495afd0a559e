import type { Pool } from "pg";
import type { Counters } from "../../../engines/counters/counters";
import type { PrismaClient, ChatUpstream as Row } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { ReadThrough } from "../../../kernel/read-through";
import { resolveSecret } from "../../data/secrets/resolve-secret";
import { tokenPrice } from "../gateway/prices";
import { DEFAULT_TIMES, type Upstream } from "../gateway/upstream";
import type { ChatPayer } from "../ledger/chat-ledger";
import type { StoredModel } from "./chat-upstream";

/** The topic that carries the id of a tenant whose upstreams changed, to every process. */
const CHANGED = "cloud:chat_upstreams_changed";
/** A process that misses the message uses what it knows this long. */
const FRESH_MS = 5000;
const PLACES_MAX = 10_000;

/** Call it after the change is committed. */
export const announceUpstreamChange = (counters: Pick<Counters, "publish">, tenantId: string): Promise<void> =>
  counters.publish(CHANGED, tenantId).catch(() => undefined);

export interface OwnUpstreamsParts {
  db: PrismaClient;
  sql: Pool;
  secretsKey: Buffer;
  clock: Clock;
  counters: Pick<Counters, "subscribe">;
}

type Owner = Pick<ChatPayer, "tenantId" | "projectId" | "mode">;

/** The upstreams of tenants by place, which requests find without a query. */
export function createOwnUpstreams(parts: OwnUpstreamsParts) {
  const { db, clock, counters } = parts;
  const known = new ReadThrough<Upstream[]>({
    clock,
    freshMs: FRESH_MS,
    max: PLACES_MAX,
    read: async (key) => {
      const [tenantId = "", projectId = "", mode] = key.split(" ");
      const owner: Owner = { tenantId, projectId, mode: mode === "live" ? "live" : "test" };
      const rows = await db.chatUpstream.findMany({ where: owner, orderBy: { id: "asc" } });
      return rows.map((row) => toUpstream(parts, row));
    },
  });
  const forget = (tenantId: string) => known.forgetWhere((key) => key.startsWith(`${tenantId} `));
  const subscribed = counters.subscribe(CHANGED, forget);
  subscribed.catch(() => undefined);
  return {
    of: async ({ tenantId, projectId, mode }: Owner): Promise<readonly Upstream[]> =>
      (await known.find(`${tenantId} ${projectId} ${mode}`)) ?? [],
    close: async () => (await subscribed)(),
  };
}

const toUpstream = (parts: OwnUpstreamsParts, row: Row): Upstream => ({
  id: row.id,
  owner: "tenant",
  weight: row.weight,
  priority: row.priority,
  ...DEFAULT_TIMES,
  baseUrl: row.baseUrl.replace(/\/+$/, ""),
  models: (row.models as StoredModel[]).map((model) => ({
    name: model.name,
    upstreamName: model.upstream_name,
    kind: model.kind,
    price: tokenPrice(model.input_price, model.output_price),
    contextTokens: model.context ?? undefined,
  })),
  key: () => (row.secretName === null ? undefined : resolveSecret(parts, row, { secret: row.secretName })),
});
