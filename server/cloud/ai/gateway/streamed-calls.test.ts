import { expect, it } from "vitest";
import { type CallPart, StreamedCalls } from "./streamed-calls";

const part = (index: unknown, id: unknown, ...[name, args]: unknown[]): CallPart => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
});

function joined(parts: readonly CallPart[]) {
  const calls = new StreamedCalls();
  for (const one of parts) calls.add(one);
  return { calls: calls.all.map(({ id, name, text }) => [id, name, text]), isClear: calls.isClear };
}

const TWO = [
  ["a", "get_weather", '{"city":"Rome"}'],
  ["b", "get_time", '{"zone":"CET"}'],
];

it.each<[string, CallPart[]]>([
  [
    "an index each",
    [
      part(0, "a", "get_weather", ""),
      part(0, undefined, undefined, '{"city":'),
      part(0, undefined, undefined, '"Rome"}'),
      part(1, "b", "get_time", '{"zone":"CET"}'),
    ],
  ],
  [
    "an index each, in parts by turns",
    [
      part(0, "a", "get_weather", '{"city"'),
      part(1, "b", "get_time", '{"zone":'),
      part(0, undefined, undefined, ':"Rome"}'),
      part(1, undefined, undefined, '"CET"}'),
    ],
  ],
  ["indexes that jump", [part(3, "a", "get_weather", '{"city":"Rome"}'), part(7, "b", "get_time", '{"zone":"CET"}')]],
  [
    "the later index first",
    [part(1, "b", "get_time", '{"zone":"CET"}'), part(0, "a", "get_weather", '{"city":"Rome"}')],
  ],
  [
    "the index 0 for both",
    [
      part(0, "a", "get_weather", '{"city":'),
      part(0, undefined, undefined, '"Rome"}'),
      part(0, "b", "get_time", ""),
      part(0, undefined, undefined, '{"zone":"CET"}'),
    ],
  ],
  [
    "no index",
    [
      part(undefined, "a", "get_weather", '{"city":'),
      part(undefined, undefined, undefined, '"Rome"}'),
      part(undefined, "b", "get_time", '{"zone":"CET"}'),
    ],
  ],
  ["null as index", [part(null, "a", "get_weather", '{"city":"Rome"}'), part(null, "b", "get_time", '{"zone":"CET"}')]],
  [
    "id and name in each part",
    [
      part(0, "a", "get_weather", '{"city":'),
      part(0, "a", "get_weather", '"Rome"}'),
      part(1, "b", "get_time", '{"zone":'),
      part(1, "b", "get_time", '"CET"}'),
    ],
  ],
  [
    "empty texts in later parts",
    [
      part(0, "a", "get_weather", '{"city":'),
      part(0, "", "", '"Rome"}'),
      part(0, "b", "get_time", '{"zone":'),
      part(0, "", "", '"CET"}'),
    ],
  ],
  [
    "a name in parts",
    [
      part(0, "a", "get_", ""),
      part(0, "a", "weather", ""),
      part(0, "a", null, '{"city":"Rome"}'),
      part(1, "b", "get_time", '{"zone":"CET"}'),
    ],
  ],
  [
    "a name that grows",
    [part(0, "a", "get_"), part(0, "a", "get_weather", '{"city":"Rome"}'), part(1, "b", "get_time", '{"zone":"CET"}')],
  ],
  [
    "the id behind the name",
    [
      part(0, undefined, "get_weather"),
      part(0, "a", undefined, '{"city":"Rome"}'),
      part(1, "b", "get_time", '{"zone":"CET"}'),
    ],
  ],
])("keeps two calls apart that have %s", (_, parts) => {
  expect(joined(parts)).toEqual({ calls: TWO, isClear: true });
});

it.each<[string, CallPart[], string[][]]>([
  [
    "two names",
    [part(0, undefined, "get_weather", "{}"), part(0, undefined, "get_time", "{}")],
    [
      ["", "get_weather", "{}"],
      ["", "get_time", "{}"],
    ],
  ],
  [
    "whole arguments, twice with one name",
    [part(undefined, undefined, "get", '{"a":1}'), part(undefined, undefined, "get", '{"a":2}')],
    [
      ["", "get", '{"a":1}'],
      ["", "get", '{"a":2}'],
    ],
  ],
  [
    "a name in each part of one call",
    [part(undefined, undefined, "get", '{"a"'), part(undefined, undefined, "get", ":1}")],
    [["", "get", '{"a":1}']],
  ],
])("tells calls without ids by %s", (_, parts, calls) => {
  expect(joined(parts)).toEqual({ calls, isClear: true });
});

it.each<[string, CallPart[]]>([
  ["another id for each part", [part(0, "a", "get", '{"a"'), part(0, "b", undefined, ":1}")]],
  ["one id for two indexes", [part(0, "a", "get", "{}"), part(1, "a", "get", "{}")]],
  ["another name behind the arguments of one id", [part(0, "a", "get", "{}"), part(0, "a", "put", "{}")]],
  ["arguments without a name", [part(0, "a", undefined, "{}")]],
  ["arguments that end early", [part(0, "a", "get", '{"a":')]],
  ["arguments that are no text", [part(0, "a", "get", { a: 1 })]],
  ["an index that is no number", [part("0", "a", "get", "{}")]],
  ["a negative index", [part(-1, "a", "get", "{}")]],
])("says that it is not clear what is meant by %s", (_, parts) => {
  expect(joined(parts).isClear).toBe(false);
});

it("joins the input of custom tools, which is text", () => {
  const calls = new StreamedCalls();
  for (const input of ["SELECT", " 1"])
    calls.add({ index: 0, id: "a", type: "custom", custom: { name: "sql", input } });
  expect([calls.all[0], calls.isClear]).toMatchObject([{ type: "custom", name: "sql", text: "SELECT 1" }, true]);
});
