import { describe, expect, test } from "vitest";
import { benchCampaign } from "../../../test/bench/relevance-scene";
import type { Candidate } from "../ranking/decision";
import type { ServingCreative, ServingProduct } from "../serving/serving";
import { renderOffer } from "./render-offer";

const advertiser = {
  id: "adv",
  tenantId: "t",
  mode: "live" as const,
  name: "Acme",
  isApproved: false,
  blockedChannels: new Set<string>(),
  blockedDomains: [],
  domain: "acme.example",
  iconUrl: "https://acme.example/i.png",
};
const product: ServingProduct = {
  kind: "product",
  id: "p",
  campaignId: "c",
  title: "Shoes",
  content: "Good shoes",
  landingUrl: "https://acme.example/p",
  inStock: true,
};
const creative: ServingCreative = {
  kind: "creative",
  id: "a",
  campaignId: "c",
  title: "Sale",
  content: "All shoes",
  cta: "Buy",
  landingUrl: "https://acme.example",
};
const NOW_MS = Date.parse("2026-11-20T08:00:00Z");
const request = { placement: "sidebar", locale: "en" };
const candidateOf = (item: Candidate["item"], cta?: string): Candidate => ({
  item,
  campaign: benchCampaign,
  advertiser,
  score: 1,
  relevance: 1,
  value: 1,
  valuePerMicro: 1,
  rivalry: 0,
  cta,
});

describe("renderOffer", () => {
  test("omits unknown fields instead of sending null", () => {
    const offer = renderOffer(candidateOf({ ...creative, brand: { name: "Other" } }), request, NOW_MS);
    expect(offer).toStrictEqual({
      title: "Sale",
      content: "All shoes",
      cta: "Buy",
      source: "svc",
      ad_type: "sidebar",
      brand: { name: "Other" },
    });
    expect(Object.keys(offer)).not.toContain("price");
  });

  test("shows the advertiser as the brand of a product without one, with page and icon", () => {
    expect(renderOffer(candidateOf(product), request, NOW_MS).brand).toStrictEqual({
      name: "Acme",
      url: "https://acme.example",
      iconUrl: "https://acme.example/i.png",
    });
  });

  test("never combines the shop's page with another brand", () => {
    expect(renderOffer(candidateOf({ ...product, brandName: "Maker" }), request, NOW_MS).brand).toStrictEqual({
      name: "Maker",
    });
  });

  test("drops an icon that is not https", () => {
    const brand = { name: "Acme", iconUrl: "http://acme.example/i.png" };
    expect(renderOffer(candidateOf({ ...creative, brand }), request, NOW_MS).brand.iconUrl).toBeUndefined();
  });

  test("labels a product with its campaign's call to action, else in the reader's language", () => {
    expect(renderOffer(candidateOf(product, "Grab it"), request, NOW_MS).cta).toBe("Grab it");
    expect(renderOffer(candidateOf(product), request, NOW_MS).cta).toBe("View offer");
    expect(renderOffer(candidateOf(product), { ...request, locale: "de-AT" }, NOW_MS).cta).toBe("Zum Angebot");
  });

  test.each([
    [
      { amount: 75, originalPrice: 100 },
      { amount: 75, originalPrice: 100, discount: 25 },
    ],
    [
      { amount: 99.9, originalPrice: 100 },
      { amount: 99.9, originalPrice: 100 },
    ],
    [{ amount: 100, originalPrice: 100 }, { amount: 100 }],
    [
      { amount: 2, originalPrice: 3 },
      { amount: 2, originalPrice: 3, discount: 33 },
    ],
  ])("works the discount of %j out as a whole percentage", (price, wanted) => {
    const offer = renderOffer(candidateOf({ ...product, price: { ...price, currency: "EUR" } }), request, NOW_MS);
    expect(offer.price).toStrictEqual({ ...wanted, currency: "EUR" });
  });

  test.each([
    ["before", "2026-11-20T08:00:01Z/", { amount: 60, currency: "EUR" }],
    [
      "during",
      "2026-11-20T08:00:00Z/2026-11-21T00:00:00Z",
      { amount: 45, currency: "EUR", originalPrice: 60, discount: 25 },
    ],
    ["until the end of", "/2026-11-20T08:00:00Z", { amount: 45, currency: "EUR", originalPrice: 60, discount: 25 }],
    ["after", "2026-11-01T00:00:00Z/2026-11-20T07:59:59Z", { amount: 60, currency: "EUR" }],
  ])("shows the price that applies %s a dated sale", (_, period, price) => {
    const [startsAtMs, endsAtMs] = period.split("/").map((time) => (time === "" ? undefined : Date.parse(time)));
    const sale = { price: { amount: 45, currency: "EUR", originalPrice: 60 }, startsAtMs, endsAtMs };
    const item = { ...product, price: { amount: 60, currency: "EUR" }, sale };
    expect(renderOffer(candidateOf(item), request, NOW_MS).price).toStrictEqual(price);
  });

  test("joins category levels with > without spaces and cuts long text at word boundaries", () => {
    const content = "word ".repeat(200);
    const offer = renderOffer(candidateOf({ ...product, content, category: " Shoes > Running " }), request, NOW_MS);
    expect(offer.product).toStrictEqual({ title: "Shoes", category: "Shoes>Running" });
    expect(offer.content.length).toBeLessThanOrEqual(300);
    expect(offer.content.endsWith("word…")).toBe(true);
  });
});
