import { describe, expect, test } from "vitest";
import { benchCampaign } from "../../../test/bench/relevance-scene";
import type { Candidate } from "./decision";
import { renderOffer } from "./render-offer";
import type { ServingCreative, ServingProduct } from "./serving";

const advertiser = {
  id: "adv",
  tenantId: "t",
  name: "Acme",
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
const request = { placement: "sidebar", locale: "en" };
const candidateOf = (item: Candidate["item"], cta?: string): Candidate => ({
  ...{ item, campaign: benchCampaign, advertiser, score: 1, relevance: 1, value: 1, valuePerMicro: 1, rivalry: 0, cta },
});

describe("renderOffer", () => {
  test("leaves out what is unknown instead of sending null", () => {
    const offer = renderOffer(candidateOf({ ...creative, brand: { name: "Other" } }), request);
    expect(offer).toStrictEqual({
      ...{ title: "Sale", content: "All shoes", cta: "Buy", source: "svc", ad_type: "sidebar" },
      brand: { name: "Other" },
    });
    expect(Object.keys(offer)).not.toContain("price");
  });

  test("shows the advertiser as brand of a product without one, with page and icon", () => {
    expect(renderOffer(candidateOf(product), request).brand).toStrictEqual({
      ...{ name: "Acme", url: "https://acme.example", iconUrl: "https://acme.example/i.png" },
    });
  });

  test("never puts the shop's page beside another maker's brand", () => {
    expect(renderOffer(candidateOf({ ...product, brandName: "Maker" }), request).brand).toStrictEqual({
      name: "Maker",
    });
  });

  test("drops an icon that is not https", () => {
    const brand = { name: "Acme", iconUrl: "http://acme.example/i.png" };
    expect(renderOffer(candidateOf({ ...creative, brand }), request).brand.iconUrl).toBeUndefined();
  });

  test("labels a product with its campaign's call to action, else in the reader's language", () => {
    expect(renderOffer(candidateOf(product, "Grab it"), request).cta).toBe("Grab it");
    expect(renderOffer(candidateOf(product), request).cta).toBe("View offer");
    expect(renderOffer(candidateOf(product), { ...request, locale: "de-AT" }).cta).toBe("Zum Angebot");
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
    const offer = renderOffer(candidateOf({ ...product, price: { ...price, currency: "EUR" } }), request);
    expect(offer.price).toStrictEqual({ ...wanted, currency: "EUR" });
  });

  test("joins category levels by > without spaces and cuts long text between words", () => {
    const content = "word ".repeat(200);
    const offer = renderOffer(candidateOf({ ...product, content, category: " Shoes > Running " }), request);
    expect(offer.product).toStrictEqual({ title: "Shoes", category: "Shoes>Running" });
    expect(offer.content.length).toBeLessThanOrEqual(300);
    expect(offer.content.endsWith("word…")).toBe(true);
  });
});
