import type { Examples } from "./openapi-example";

const OFFER_ID = "01935a3f-7c1e-7d7a-9f43-2f6f0a1b2c3d";
const CLICK_ID = "5f0c1a7e9b3d4c2e8a6f0b1d2c3e4f5a";

const offers = {
  offers: [
    {
      id: OFFER_ID,
      title: "Trail runner 3",
      content: "Grips on wet rock, dries in an hour.",
      cta: "See the shoe",
      clickUrl: `https://svc.example/api/v1/clicks/${OFFER_ID}`,
      source: "svc",
      ad_type: "sponsored_result",
      brand: { name: "Fjell", url: "https://fjell.example", iconUrl: "https://fjell.example/icon.png" },
      product: { title: "Trail runner 3", category: "Shoes>Running" },
      price: { amount: 89, currency: "USD", originalPrice: 119, discount: 25 },
      rating: { value: 4.6, scale: 5, count: 812 },
    },
  ],
};

const request = { query: "running shoes for wet trails", locale: "en", device: "desktop", geo: "US", limit: 3 };

/** Examples of the operations under `/api/v1`. */
export const offersExamples: Examples = {
  serveOffers: {
    input: {
      ...request,
      context: "A guide to autumn trail races",
      signals: [{ category: "Shoes>Running", confidence: 0.8 }],
    },
    output: offers,
  },
  getOffers: { input: request, output: offers },
  reportSignals: {
    input: {
      session_id: "s-41c9",
      signals: [{ category: "Shoes>Running", confidence: 0.8, subject: "trail running" }],
    },
  },
  followClick: { input: { offer_id: OFFER_ID } },
  reportImpressions: { input: { ids: [OFFER_ID] } },
  followPixel: {
    input: { token: "pxl_example", order_id: "1001", click_id: CLICK_ID, value_micros: 49_900_000, currency: "USD" },
  },
  reportConversion: {
    input: { order_id: "1001", click_id: CLICK_ID, value_micros: 49_900_000, currency: "USD" },
    output: {
      id: "cnv_01jd0z3k5q8v6w2x4y7a9b1c3d",
      mode: "live",
      order_id: "1001",
      attribution: "click",
      reason: null,
      campaign_id: "cmp_01jd0z3k5q8v6w2x4y7a9b1c3d",
      channel_id: "chn_01jd0z3k5q8v6w2x4y7a9b1c3d",
      touched_at: "2026-11-20T09:41:00.000Z",
      value_micros: 49_900_000,
      currency: "USD",
      occurred_at: "2026-11-20T10:02:00.000Z",
      created_at: "2026-11-20T10:02:01.000Z",
      duplicate: false,
    },
  },
};
