import { z } from "zod";
import { REQUESTS_PER_MINUTE, rateOf, WINDOWS } from "../../operation/request-rates";
import type { AccountCtx, ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { quotasOf } from "./list-quotas";

/** Returns the rate limits that apply to the actor's tenant. */
export const getRates = operation({
  id: "getRates",
  summary: "Get the rate limits of the tenant",
  access: "usage:read",
  input: z.strictObject({}),
  output: z.object({
    requests_per_minute: z.number(),
    requests_per_second: z.number(),
    burst: z.number(),
    requests_in_any_minute: z.number(),
    bulk_per_minute: z.number(),
    reports_per_minute: z.number(),
  }),
  example: {
    input: {},
    output: {
      requests_per_minute: 600,
      requests_per_second: 10,
      burst: 400,
      requests_in_any_minute: 1000,
      bulk_per_minute: 20,
      reports_per_minute: 120,
    },
  },
  run: async (ctx: ActorCtx & Pick<AccountCtx, "quotas">) => {
    const quotas = await quotasOf(ctx, ctx.actor.tenantId);
    const perMinute = quotas.find(({ resource }) => resource === "requests_per_minute")?.limit ?? REQUESTS_PER_MINUTE;
    const { perSecond, burst } = rateOf(perMinute);
    return {
      requests_per_minute: perMinute,
      requests_per_second: perSecond,
      burst,
      requests_in_any_minute: burst + perMinute,
      bulk_per_minute: WINDOWS.bulk.count,
      reports_per_minute: WINDOWS.report.count,
    };
  },
});
