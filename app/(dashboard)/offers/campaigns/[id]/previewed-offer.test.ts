import { describe, expect, it } from "vitest";
import { previewedOffer } from "./previewed-offer";

const ORIGIN = "https://svc.example";
const ADVERTISER = { name: "Shop", icon_url: "https://shop.example/icon.png" };
const CREATIVE = { title: "Boots", content: "Warm.", cta: "Buy", brand: null, price: null, rating: null };

describe("a creative as the offers API hands it out", () => {
  it("is under its advertiser's name and icon, or under its own brand's", () => {
    expect(previewedOffer(CREATIVE, ADVERTISER, ORIGIN).brand).toEqual({
      name: "Shop",
      iconUrl: "https://shop.example/icon.png",
    });
    const brand = { name: "Ridgeline", icon_url: "https://ridge.example/r.png" };
    expect(previewedOffer({ ...CREATIVE, brand }, ADVERTISER, ORIGIN).brand).toEqual({
      name: "Ridgeline",
      iconUrl: "https://ridge.example/r.png",
    });
  });

  it("names the percentage off where the price fell, and no former price where it did not", () => {
    const priced = (price: { amount: number; currency: string; original_price?: number }) =>
      previewedOffer({ ...CREATIVE, price }, ADVERTISER, ORIGIN).price;
    expect(priced({ amount: 149, currency: "EUR", original_price: 199 })).toEqual({
      amount: 149,
      currency: "EUR",
      originalPrice: 199,
      discount: 25,
    });
    expect(priced({ amount: 199, currency: "EUR", original_price: 149 })).toEqual({ amount: 199, currency: "EUR" });
  });

  it("holds the places of texts that are still to come", () =>
    expect(previewedOffer({ ...CREATIVE, title: "", cta: "" }, ADVERTISER, ORIGIN)).toMatchObject({
      title: "Title",
      content: "Warm.",
      cta: "Call to action",
    }));
});
