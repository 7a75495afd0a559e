import { z } from "zod";
import { recordClick } from "../ads/clicks/record-click";
import { FollowPixel, followPixel } from "../ads/conversions/follow-pixel";
import { type ImpressionReporter, ReportImpressions, reportImpressions } from "../ads/impressions/report-impressions";
import { OffersResponse } from "../ads/offers/offer";
import { OffersQuery, OffersRequest } from "../ads/offers/offers-request";
import { serveOffers } from "../ads/offers/serve-offers";
import type { ServingChannel } from "../ads/ranking/serving";
import type { ServeCtx } from "../ads/serve-ctx";
import { ReportSignals, reportSignals } from "../ads/signals/report-signals";

export type OffersCallCtx = ServeCtx & { channel: ServingChannel; reporter: ImpressionReporter };

/** An endpoint of the offers API: called with a channel key, or by anybody who holds an offer's id. */
export interface OffersRow {
  id: string;
  method: "GET" | "POST";
  path: string;
  tag: "Offers";
  summary: string;
  description: string;
  access: "channel_key" | "offer_id" | "pixel_token";
  /** Where the input comes from. */
  from: "query" | "path" | "body";
  /** Media types of a body. */
  mediaTypes: readonly string[];
  input: z.ZodObject;
  output: z.ZodType | undefined;
  status: 200 | 204 | 302;
  run: (ctx: OffersCallCtx, input: unknown) => Promise<unknown>;
}

/** An image that any page may show. */
export const PIXEL_PATH = "/api/v1/conversions/pixel.gif";
const JSON_ONLY = ["application/json"];

/** Checks that input and verb of a row agree, then forgets the exact type so that rows can share a list. */
const row = <I extends z.ZodObject>(
  given: Omit<OffersRow, "input" | "run" | "tag"> & {
    input: I;
    run: (ctx: OffersCallCtx, input: z.output<I>) => Promise<unknown>;
  },
): OffersRow => ({ ...given, tag: "Offers" }) as unknown as OffersRow;

export const offersRows: readonly OffersRow[] = [
  row({
    id: "serveOffers",
    method: "POST",
    path: "/api/v1/offers",
    summary: "Offers for a query",
    description: "Returns up to 8 offers that match the query and context, or none when nothing fits.",
    access: "channel_key",
    from: "body",
    mediaTypes: JSON_ONLY,
    input: OffersRequest,
    output: OffersResponse,
    status: 200,
    run: serveOffers,
  }),
  row({
    id: "getOffers",
    method: "GET",
    path: "/api/v1/offers",
    summary: "Offers for a query, by query string",
    description: "The same operation with the fields as query-string parameters; signals as JSON text.",
    access: "channel_key",
    from: "query",
    mediaTypes: [],
    input: OffersQuery,
    output: OffersResponse,
    status: 200,
    run: serveOffers,
  }),
  row({
    id: "reportSignals",
    method: "POST",
    path: "/api/v1/signals",
    summary: "Report signals",
    description: "Typed intent signals of a user or session, to the same effect as inline signals.",
    access: "channel_key",
    from: "body",
    mediaTypes: JSON_ONLY,
    input: ReportSignals,
    output: undefined,
    status: 204,
    run: reportSignals,
  }),
  row({
    id: "followClick",
    method: "GET",
    path: "/api/v1/clicks/{offer_id}",
    summary: "Follow an offer's link",
    description: "Records the click and redirects to the advertiser's landing page.",
    access: "offer_id",
    from: "path",
    mediaTypes: [],
    input: z.object({ offer_id: z.string() }),
    output: undefined,
    status: 302,
    run: recordClick,
  }),
  row({
    id: "reportImpressions",
    method: "POST",
    path: "/api/v1/impressions/batch",
    summary: "Report impressions",
    description:
      "Reports offers that were really visible. Repeats and unknown ids are ignored; text/plain works for beacons.",
    access: "offer_id",
    from: "body",
    mediaTypes: ["application/json", "text/plain"],
    input: ReportImpressions,
    output: undefined,
    status: 204,
    run: reportImpressions,
  }),
  row({
    id: "followPixel",
    method: "GET",
    path: PIXEL_PATH,
    summary: "Report a conversion by pixel",
    description: "For pages of an advertiser: an image of one transparent pixel. Counts each order once.",
    access: "pixel_token",
    from: "query",
    mediaTypes: [],
    input: FollowPixel,
    output: undefined,
    status: 200,
    run: followPixel,
  }),
];
