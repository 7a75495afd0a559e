import { GetPixel, getPixel } from "../ads/conversions/get-pixel";
import { ListConversions, listConversions } from "../ads/conversions/list-conversions";
import { ReportConversion, reportConversion } from "../ads/conversions/report-conversion";
import { router, scoped } from "./trpc";

const read = scoped("ads:read");
const write = scoped("ads:write");

export const conversionsRouter = router({
  pixel: read.input(GetPixel).query(({ ctx, input }) => getPixel(ctx.person, input)),
  list: read.input(ListConversions).query(({ ctx, input }) => listConversions(ctx.person, input)),
  report: write.input(ReportConversion).mutation(({ ctx, input }) => reportConversion(ctx.person, input)),
});
