import { GetReport, getReport } from "../ads/reports/get-report";
import { reportCsv } from "../ads/reports/report-csv";
import { router, scoped } from "./trpc";

export const reportsRouter = router({
  get: scoped("ads:read")
    .input(GetReport)
    .query(({ ctx, input }) => getReport(ctx.person, input)),
  /** The rows of a report as a file to keep. */
  csv: scoped("ads:read")
    .input(GetReport)
    .query(async ({ ctx, input }) => reportCsv(await getReport(ctx.person, input))),
});
