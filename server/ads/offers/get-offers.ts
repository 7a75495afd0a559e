import { operation } from "../offers-operation";
import { OffersResponse } from "./offer";
import { offersExample, offersRequestExample } from "./offer.example";
import { OffersQuery } from "./offers-query";
import { serveOffers } from "./serve-offers";

/** Same as `serveOffers`, with the fields in the query string; `signals` is JSON text. */
export const getOffers = operation({
  id: "getOffers",
  summary: "Get offers with query-string parameters",
  description: "The same operation with query-string parameters; `signals` and `consent` are JSON text.",
  access: "channel_key",
  input: OffersQuery,
  output: OffersResponse,
  example: { input: { ...offersRequestExample, limit: "3" }, output: offersExample },
  run: serveOffers.run,
});
