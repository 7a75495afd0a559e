import { expect, it } from "vitest";
import { COUNTRIES as ACCEPTED } from "../../server/ads/campaigns/countries";
import { COUNTRIES, LANGUAGES } from "./places";

it("names every country that the API accepts, and no other", () => {
  expect(new Set(COUNTRIES.map(({ value }) => value))).toEqual(ACCEPTED);
  expect(COUNTRIES).toContainEqual({ value: "DE", label: "Germany" });
  expect(new Set(COUNTRIES.map(({ label }) => label)).size).toBe(COUNTRIES.length);
});

it("names languages in tags that the API accepts", () => {
  for (const { value } of LANGUAGES) expect(Intl.getCanonicalLocales(value)).toEqual([value]);
  expect(LANGUAGES).toContainEqual({ value: "pt-BR", label: "Brazilian Portuguese" });
});
