import { expect, it } from "vitest";
import { shownTail, TAIL_BYTES } from "./shown-tail";

it("shows output that is shorter than a tail as it is", () => {
  expect(shownTail("")).toEqual({ text: "", isCut: false });
  expect(shownTail("a\nb")).toEqual({ text: "a\nb", isCut: false });
});

it("begins a full tail with a whole line, counted in bytes", () => {
  const line = "é".repeat(TAIL_BYTES / 2);
  expect(shownTail(line.slice(1))).toEqual({ text: line.slice(1), isCut: false });
  expect(shownTail(`${line}\nnext\nlast`)).toEqual({ text: "next\nlast", isCut: true });
  expect(shownTail(line)).toEqual({ text: line, isCut: true });
});
