import { expect, it } from "vitest";
import { KIND, subjectText } from "./event";

it.each([
  ["campaign.created", true],
  ["campaign.*", true],
  ["*", false],
  ["<b>.x", false],
])("knows of %s whether it is a kind or a prefix of kinds: %j", (text, isKind) => expect(KIND.test(text)).toBe(isKind));

it("names what an event concerns by its name, then by its id", () => {
  expect(subjectText({ data: { id: "prj_1", name: "Checkout" } })).toBe("Checkout");
  expect(subjectText({ data: { id: "prj_1", name: null } })).toBe("prj_1");
  expect(subjectText({ data: { limit: 5 } })).toBe("");
});
