import fc from "fast-check";
import { expect, it } from "vitest";
import { parseGtin } from "./feed-gtin";

it.each([
  ["96385074", "00000096385074", "GTIN-8"],
  ["036000291452", "00036000291452", "UPC"],
  ["4006381333931", "04006381333931", "EAN"],
  ["978-0-306-40615-7", "09780306406157", "ISBN"],
  ["10614141543219", "10614141543219", "GTIN-14 of a case"],
  ["00036000291452", "00036000291452", "UPC of 14 digits"],
])("converts %s to %s (%s)", (text, gtin) => {
  expect(parseGtin(text)).toBe(gtin);
});

it.each([
  ["4006381333932", "a wrong check digit"],
  ["400638133393", "a digit is missing"],
  ["40063813339311", "one digit too many"],
  ["SKU-4006381333931", "letters"],
  ["4.00638E+12", "a number that a spreadsheet wrote"],
  ["٤٠٠٦٣٨١٣٣٣٩٣١", "digits of another script"],
  ["4006381333931,036000291452", "two numbers"],
  ["00000000", "a placeholder"],
  ["0000000000000", "a placeholder"],
  ["2012345678903", "a number of one shop"],
  ["0212345678909", "a number of one shop"],
  ["20123451", "a number of one shop"],
  ["9912345678909", "a coupon"],
  ["", "nothing"],
])("does not accept %s: %s", (text) => {
  expect(parseGtin(text)).toBeUndefined();
});

it("notices every single wrong digit", () => {
  const digits = "4006381333931";
  fc.assert(
    fc.property(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
      const wrong = (Number(digits[at]) + by) % 10;
      expect(parseGtin(`${digits.slice(0, at)}${wrong}${digits.slice(at + 1)}`)).toBeUndefined();
    }),
  );
});
