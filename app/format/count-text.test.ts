import { expect, it } from "vitest";
import { countText } from "./count-text";

it("writes a count with its noun in the right number", () => {
  expect([0, 1, 12_345].map((count) => countText(count, "click"))).toEqual(["0 clicks", "1 click", "12,345 clicks"]);
});
