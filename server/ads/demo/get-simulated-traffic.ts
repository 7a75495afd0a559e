import type { Pool } from "pg";
import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { operation } from "../ads-operation";
import { findSimulatedTraffic } from "./simulated-traffic.sql";

/** How long it takes at most until ClickHouse has what Postgres has. */
const SHIPPED_WITHIN_MS = 15_000;

const SimulatedTraffic = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime().describe("Exclusive"),
  state: z.enum(["in_progress", "complete"]).describe("`in_progress` while the traffic is being written"),
});

/**
 * Returns the period of the tenant's simulated traffic, which is on live channels whose ids begin with `chn_0simulated`;
 * null for every account but the demo.
 */
export const getSimulatedTraffic = operation({
  id: "getSimulatedTraffic",
  summary: "Get the period of simulated traffic",
  access: "ads:read",
  input: z.strictObject({}),
  output: SimulatedTraffic.nullable(),
  example: { input: {}, output: null },
  run: async ({ sql, actor, clock }: Pick<ActorCtx, "actor" | "clock"> & { sql: Pool }) => {
    const traffic = await findSimulatedTraffic(sql, actor.tenantId);
    if (!traffic) return null;
    const { fromAt, toAt, finishedAt } = traffic;
    const isShipped = finishedAt !== null && clock.now().getTime() - finishedAt.getTime() > SHIPPED_WITHIN_MS;
    const state = isShipped ? ("complete" as const) : ("in_progress" as const);
    return { from: fromAt.toISOString(), to: toAt.toISOString(), state };
  },
});
