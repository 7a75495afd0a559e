import { expect, it } from "vitest";
import { kindIn, subjectText } from "./event";

it.each([
  ["campaign.created", "campaign.created"],
  ["campaign.*", "campaign.*"],
  ["*", ""],
  ["<b>.x", ""],
  [null, ""],
])("reads the kind %s of a URL as %j", (text, kind) => expect(kindIn(text)).toBe(kind));

it("names what an event concerns by its name, then by its id", () => {
  expect(subjectText({ data: { id: "prj_1", name: "Checkout" } })).toBe("Checkout");
  expect(subjectText({ data: { id: "prj_1", name: null } })).toBe("prj_1");
  expect(subjectText({ data: { limit: 5 } })).toBe("");
});
