import { expect, it } from "vitest";
import { medianPrice, priceFit, pricePreferenceOf } from "./price-preference";

const usd = (amount: number) => ({ amount, currency: "USD" });
const budgetOf = (attributes: Record<string, unknown>) => pricePreferenceOf("", [{ attributes }])?.max;

it.each([
  ["laptop under $800", 800, "USD"],
  ["a laptop for less than 1,200.50 dollars", 1200.5, "USD"],
  ["Laptop unter 1.200 €", 1200, "EUR"],
  ["my budget is 1.5k usd", 1500, "USD"],
  ["un portátil de menos de 600 euros", 600, "EUR"],
])("reads the budget of %j", (query, max, currency) => {
  expect(pricePreferenceOf(query, [])).toMatchObject({ max, currency, confidence: 1, sensitivity: 0 });
});

it.each([
  "monitor under 27 inches",
  "under armour shoes",
  "usb hub up to 10 gbps",
  "under 800",
  "$800 laptop bag",
  "",
  "under $",
])("reads no budget out of %j", (query) => expect(pricePreferenceOf(query, [])).toBeUndefined());

it.each([
  [{ budget: 90 }, 90],
  [{ budget: "$1,200" }, 1200],
  [{ price_max: "49,90 EUR" }, 49.9],
  [{ budget: -5 }, undefined],
  [{ budget: Number.POSITIVE_INFINITY }, undefined],
  [{ budget: { amount: 5 } }, undefined],
  [{ budget: "a lot" }, undefined],
  [{ __proto__: { budget: 5 } }, undefined],
])("reads the budget of %j", (attributes, max) => expect(budgetOf(attributes)).toBe(max));

it("treats a signal of price sensitivity as high, unless it has a level", () => {
  const of = (fields: object) => pricePreferenceOf("", [{ category: "price_sensitivity", ...fields }])?.sensitivity;
  expect([of({}), of({ confidence: 0.5 }), of({ subject: "medium" })]).toEqual([1, 0.5, 0.5]);
  expect([of({ attributes: { level: "low" } }), of({ attributes: { level: 0.4 } })]).toEqual([-0.25, 0.4]);
  expect(of({ subject: "none" })).toBeUndefined();
});

it("favors items within the budget, depending on its confidence", () => {
  const sure = { max: 100, currency: "USD", confidence: 1, sensitivity: 0 };
  const fits = [50, 100, 110, 200, 5000].map((amount) => priceFit(usd(amount), sure, 100));
  expect(fits.slice(0, 2)).toEqual([1, 1]);
  expect(fits).toEqual(fits.toSorted((a, b) => b - a));
  expect(fits.at(-1)).toBeCloseTo(0.3);
  expect(priceFit(usd(200), { ...sure, confidence: 0.5 }, 100)).toBe(0.75);
});

it("ignores items without a price or with another currency", () => {
  const preference = { max: 10, currency: "USD", confidence: 1, sensitivity: 0 };
  expect(priceFit(undefined, preference, 0)).toBe(1);
  expect(priceFit({ amount: 500, currency: "EUR" }, preference, 0)).toBe(1);
  expect(priceFit({ amount: 0, currency: "USD" }, preference, 0)).toBe(1);
});

it("favors cheaper items, more expensive items or neither, depending on the sensitivity", () => {
  const lean = (sensitivity: number, amount: number) =>
    priceFit(usd(amount), { currency: "", confidence: 0, sensitivity }, medianPrice([50, 100, 300]));
  expect(lean(1, 50)).toBeGreaterThan(lean(1, 100));
  expect(lean(1, 100)).toBe(1);
  expect(lean(-0.25, 300)).toBeGreaterThan(1);
  expect(lean(0, 300)).toBe(1);
  expect(lean(1, 0.01)).toBe(1.25);
});
