import { GetReport, getReport } from "../ads/reports/get-report";
import { router, scoped } from "./trpc";

export const reportsRouter = router({
  get: scoped("ads:read")
    .input(GetReport)
    .query(({ ctx, input }) => getReport(ctx.person, input)),
});
