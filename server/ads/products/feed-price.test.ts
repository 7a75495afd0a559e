import { describe, expect, it } from "vitest";
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
  ["EUR 1299", "1299", "EUR"],
  ["1299.00 EUR", "1299.00", "EUR"],
  ["1299,00 EUR", "1299.00", "EUR"],
  ["1\u00A0299,00 EUR", "1299.00", "EUR"],
  ["1\u202F299,00 EUR", "1299.00", "EUR"],
  ["1'299.00 CHF", "1299.00", "CHF"],
  ["1299 JPY", "1299", "JPY"],
  ["1299.00 JPY", "1299.00", "JPY"],
  ["1,299 USD", "1299", "USD"],
  ["123,456 GBP", "123456", "GBP"],
  ["1.299 JPY", "1299", "JPY"],
  ["1,299 KRW", "1299", "KRW"],
  ["1,234,567 JPY", "1234567", "JPY"],
  ["1.234.567 EUR", "1234567", "EUR"],
  ["1.234.567,89 EUR", "1234567.89", "EUR"],
  ["1,29,900 INR", "129900", "INR"],
  ["₹1,29,900.00", "129900.00", "INR"],
  ["1 299,50 PLN", "1299.50", "PLN"],
  ["1\u00A0299.50 PLN", "1299.50", "PLN"],
  ["1\u202F299,00\u00A0€", "1299.00", "EUR"],
  ["€ 1.299,00", "1299.00", "EUR"],
  ["1 299 zł", "1299", "PLN"],
  ["12 990 Kč", "12990", "CZK"],
  ["₺1.299,90", "1299.90", "TRY"],
  ["1'299.50 CHF", "1299.50", "CHF"],
  ["CHF 1’299.00", "1299.00", "CHF"],
  ["CHF 1'299.–", "1299", "CHF"],
  ["1.299,- EUR", "1299", "EUR"],
  ["0 USD", "0", "USD"],
  ["0.1234 USD", "0.1234", "USD"],
  ["9999999999 USD", "9999999999", "USD"],
])("reads %j as %s %s", (text, amount, currency) => {
  expect(parsePrice(text)).toEqual({ amount, currency });
});

describe("three digits after a single mark", () => {
  it.each([
    ["0.125 USD", "0.125"],
    ["0,125 EUR", "0.125"],
    ["1299.125 USD", "1299.125"],
    ["1299,125 EUR", "1299.125"],
  ])("are decimals in %j, where no thousands can be separated", (text, amount) => {
    expect(parsePrice(text)).toMatchObject({ amount });
  });

  it.each([
    ["1.299 KWD", "1.299"],
    ["BHD 12.500", "12.500"],
    ["0,450 TND", "0.450"],
    ["1,299.000 KWD", "1299.000"],
    ["1.299,000 TND", "1299.000"],
    ["1 299,000 TND", "1299.000"],
  ])("are decimals in %j, whose currency has three", (text, amount) => {
    expect(parsePrice(text)).toMatchObject({ amount });
  });

  it.each([
    "1.299 EUR",
    "EUR 1.299",
    "1.299€",
    "23.788 USD",
    "1,299 EUR",
    "1,299 CHF",
    "123,456 PLN",
    "1,299 KWD",
    "TND 12,500",
    "999,000 OMR",
  ])("have no single reading in %j", (text) => {
    expect(parsePrice(text)).toBe("ambiguous");
  });

  it("are decimals in a number of JSON", () => {
    expect(parsePrice({ value: 1.299, currency: "EUR" })).toEqual({ amount: "1.299", currency: "EUR" });
    expect(parsePrice({ value: "1.299", currency: "EUR" })).toBe("ambiguous");
  });
});

const LOCALES =
  "en en-IN en-ZA de de-AT de-CH fr fr-CH it es es-MX pt pt-BR nl sv nb da fi pl cs sk hu ro bg uk tr el ja ko zh vi id th he";

it.each(LOCALES.split(" "))("parses what Intl formats for %s", (locale) => {
  for (const currency of ["EUR", "USD", "CHF", "JPY", "PLN"]) {
    const options = { style: "currency", currency, currencyDisplay: "code", numberingSystem: "latn" } as const;
    const format = new Intl.NumberFormat(locale, options);
    for (const amount of [
      0,
      7,
      49,
      999,
      1299,
      12_345,
      129_900,
      1_234_567,
      ...(currency === "JPY" ? [] : [0.5, 1299.95, 129_900.05]),
    ]) {
      const text = format.format(amount);
      expect({ text, price: parsePrice(text) }).toMatchObject({ text, price: { currency } });
      const price = parsePrice(text);
      expect({ text, amount: Number(typeof price === "object" && price.amount) }).toEqual({ text, amount });
    }
  }
});

it("parses an object with value and currency", () => {
  expect(parsePrice({ value: 12.5, currency: "gbp" })).toEqual({ amount: "12.5", currency: "GBP" });
});

it.each([
  "",
  "49.95",
  "1.299",
  "1299",
  "USD",
  "$49.95",
  "£49.95",
  "¥1,299",
  "1 299 kr",
  "-1 USD",
  "49.95 ZZZ",
  "USD 49.95 USD",
  "1.2.3 USD",
  "1,29,9.00 USD",
  "1 29 9 EUR",
  "1 299.000,00 EUR",
  "1'299 000 CHF",
  "1.299 000 EUR",
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
  { value: 1e21, currency: "USD" },
  { value: -1, currency: "USD" },
  { value: Number.NaN, currency: "USD" },
])("takes %j for no price", (raw) => {
  expect(parsePrice(raw)).toBeUndefined();
});
