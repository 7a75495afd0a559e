import type { z } from "zod";
import { ImportProducts } from "../ads/products/import-products";
import { inputFailure } from "../kernel/input-failure";

/** The body of an upload is the feed alone, so what is said of it comes as headers. */
const HEADERS = { id: "x-svc-campaign", mode: "x-svc-feed-mode" } as const;

/** What the headers of an upload say of its feed. Throws `invalid_request` with `param` for a header that is wrong. */
export function feedOf(headers: Headers): z.output<typeof ImportProducts> {
  const said = Object.entries(HEADERS).map(([field, header]) => [field, headers.get(header) ?? undefined]);
  const { data, error } = ImportProducts.safeParse(Object.fromEntries(said));
  if (data) return data;
  throw inputFailure(error);
}
