import type { AdsCtx } from "../ads/ads-ctx";
import { ReportedConversion } from "../ads/conversions/conversion";
import { ReportConversion, reportConversion } from "../ads/conversions/report-conversion";
import { type AnyEndpoint, endpoint } from "./endpoint";
import type { Surface } from "./mount-rows";

const PATH = "/api/v1/conversions";

/** What advertisers' servers call under a platform key, although it stands among the offers API. */
export const conversionRows: readonly AnyEndpoint<AdsCtx>[] = [
  endpoint({
    id: "reportConversion",
    method: "POST",
    path: PATH,
    tag: "Conversions",
    summary: "Report an order",
    access: "ads:write",
    cost: "normal",
    idempotent: false,
    input: ReportConversion,
    output: ReportedConversion,
    status: 201,
    run: reportConversion,
  }),
];

/** The offers API, whose one path for advertisers goes through the pipeline of platform keys. */
export const offersWithConversions = (offers: Surface, conversions: Surface): Surface => ({
  fetch: (request, peer) => {
    // Most requests are for something else, and parsing every URL would cost more than this.
    const isConversion = request.url.includes(PATH) && new URL(request.url).pathname === PATH;
    return (isConversion ? conversions : offers).fetch(request, peer);
  },
});
