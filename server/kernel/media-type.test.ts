import { expect, it } from "vitest";
import { acceptsType, mediaTypeOf, namesType } from "./media-type";

it.each([
  ["text/event-stream", "text/event-stream"],
  ["Text/Event-Stream; charset=UTF-8", "text/event-stream"],
  [" application/JSON ;charset=utf-8", "application/json"],
  ["text/event-streams", "text/event-streams"],
  ["", ""],
  [null, ""],
  [undefined, ""],
])("the media type of %j is %j", (header, type) => {
  expect(mediaTypeOf(header)).toBe(type);
});

it.each([
  [null, true],
  ["", true],
  ["*/*", true],
  ["text/*", true],
  ["Text/HTML;q=0.5", true],
  ["application/json, text/html", true],
  ["application/json", false],
  ["text/htmlx", false],
  ["text/html;q=0, */*", false],
  ["*/*;q=0", false],
  ["text/*;q=0, text/html", true],
])("an Accept of %j allows HTML: %j", (accept, isAllowed) => {
  expect(acceptsType(accept, "text/html")).toBe(isAllowed);
});

it("a type is named only by itself", () => {
  const named = ["text/html", "TEXT/HTML;q=0.9", "*/*", "text/*", "text/html;q=0", null].map((accept) =>
    namesType(accept, "text/html"),
  );
  expect(named).toEqual([true, true, false, false, false, false]);
});
