import { expect, it } from "vitest";
import { parsePrice } from "./feed-price";

it.each([
  ["49.95 USD", "49.95", "USD"],
  ["USD 49.95", "49.95", "USD"],
  ["49.95USD", "49.95", "USD"],
  ["usd49.95", "49.95", "USD"],
  [" 15 eur ", "15", "EUR"],
  ["49,95 EUR", "49.95", "EUR"],
  ["1,299.00 USD", "1299.00", "USD"],
  ["1.299,00 EUR", "1299.00", "EUR"],
  ["1,299 USD", "1299", "USD"],
  ["1.299 EUR", "1.299", "EUR"],
  ["1,234,567 JPY", "1234567", "JPY"],
  ["1 299,50 PLN", "1299.50", "PLN"],
  ["1\u00A0299.50 PLN", "1299.50", "PLN"],
  ["1'299.50 CHF", "1299.50", "CHF"],
  ["0 USD", "0", "USD"],
  ["0.1234 USD", "0.1234", "USD"],
  ["9999999999 USD", "9999999999", "USD"],
])("reads %j as %s %s", (text, amount, currency) => {
  expect(parsePrice(text)).toEqual({ amount, currency });
});

it("reads an object of value and currency", () => {
  expect(parsePrice({ value: 12.5, currency: "gbp" })).toEqual({ amount: "12.5", currency: "GBP" });
});

it.each([
  "",
  "49.95",
  "USD",
  "$49.95",
  "-1 USD",
  "49.95 ZZZ",
  "USD 49.95 USD",
  "1.2.3 USD",
  "1,29,9.00 USD",
  "12,34.5.6 USD",
  "0.12345 USD",
  "99999999999 USD",
  "1e5 USD",
  "NaN USD",
  `${"1".repeat(50)} USD`,
  49.95,
  null,
  {},
  [],
  { value: "x", currency: "USD" },
])("takes %j for no price", (raw) => {
  expect(parsePrice(raw)).toBeUndefined();
});
