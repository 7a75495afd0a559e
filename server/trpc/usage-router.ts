import { BULK_WINDOW, REQUESTS_PER_MINUTE, rateOf } from "../http/request-rates";
import { listQuotas } from "../identity/quotas/list-quotas";
import { router, scoped } from "./trpc";

const read = scoped("usage:read");

export const usageRouter = router({
  quotas: read.query(({ ctx }) => listQuotas(ctx.person, {})),
  rates: read.query(async ({ ctx }) => {
    const { data } = await listQuotas(ctx.person, {});
    const perMinute = data.find(({ resource }) => resource === "requests_per_minute")?.limit ?? REQUESTS_PER_MINUTE;
    const { perSecond, burst } = rateOf(perMinute);
    return {
      requests_per_minute: perMinute,
      requests_per_second: perSecond,
      burst,
      requests_in_any_minute: burst + perMinute,
      bulk_per_minute: BULK_WINDOW.count,
    };
  }),
});
