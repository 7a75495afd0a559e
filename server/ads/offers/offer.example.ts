import { EXAMPLE_OFFER_ID } from "../../operation/example";
import type { OffersResponse } from "./offer";

export const offersRequestExample = {
  query: "running shoes for wet trails",
  locale: "en",
  device: "desktop" as const,
  geo: "US",
  limit: 3,
};

export const offersExample: OffersResponse = {
  offers: [
    {
      id: EXAMPLE_OFFER_ID,
      title: "Trail runner 3",
      content: "Grips on wet rock, dries in an hour.",
      cta: "See the shoe",
      clickUrl: `https://svc.example/api/v1/clicks/${EXAMPLE_OFFER_ID}`,
      source: "svc",
      ad_type: "sponsored_result",
      brand: { name: "Fjell", url: "https://fjell.example", iconUrl: "https://fjell.example/icon.png" },
      product: { title: "Trail runner 3", category: "Shoes>Running" },
      price: { amount: 89, currency: "USD", originalPrice: 119, discount: 25 },
      rating: { value: 4.6, scale: 5, count: 812 },
    },
  ],
};
