import { expect, it } from "vitest";
import { choicesPickedIn, pickedIn } from "./choices";

const COUNTRIES = [
  { value: "DE", label: "Germany" },
  { value: "AT", label: "Austria" },
];

function formOf(...values: string[]): FormData {
  const fields = new FormData();
  for (const value of values) fields.append("geos", value);
  return fields;
}

it("reads what was picked and what was only typed, each once", () => {
  expect(pickedIn(formOf("DE", "AT, FR\n DE", ""), "geos")).toEqual(["DE", "AT", "FR"]);
  expect(pickedIn(formOf(), "geos")).toEqual([]);
});

it("takes names and codes in any case, and refuses others", () => {
  const of = { choices: COUNTRIES, noun: "country" };
  expect(choicesPickedIn(formOf("DE", "austria", "at"), "geos", of)).toEqual(["DE", "AT", "AT"]);
  expect(() => choicesPickedIn(formOf("Atlantis"), "geos", of)).toThrow(
    expect.objectContaining({ param: "geos", message: "No country is called “Atlantis”. Choose one from the list." }),
  );
});
