import { EXAMPLE_TIMES, exampleId } from "../../operation/example";
import type { Creative } from "./creative";

export const newCreativeExample = {
  title: "Trail runner 3",
  content: "Grips on wet rock, dries in an hour.",
  cta: "See the shoe",
  landing_url: "https://fjell.example/trail-runner-3",
  price: { amount: 89, currency: "USD", original_price: 119 },
};

export const creativeExample: Creative = {
  id: exampleId("crv"),
  campaign_id: exampleId("cmp"),
  ...newCreativeExample,
  brand: { name: "Fjell" },
  product: { title: "Trail runner 3", category: "Shoes>Running" },
  rating: null,
  ...EXAMPLE_TIMES,
};

/** The path parameters of a creative. */
export const creativePathExample = { id: creativeExample.campaign_id, creative_id: creativeExample.id };
