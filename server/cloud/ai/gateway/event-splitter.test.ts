import { expect, it } from "vitest";
import { dataOf, EventSplitter, nameOf } from "./event-splitter";

const LINES = [
  'data: {"a":"ü"}',
  "",
  ": comment",
  "",
  "event: x",
  "data: 1",
  "data:2",
  "data",
  "",
  "data:[DONE]",
  "",
  "",
];
const EXPECTED = ['{"a":"ü"}', undefined, "1\n2\n", "[DONE]"];

it.each([
  ["LF", LINES.join("\n")],
  ["CR", LINES.join("\r")],
  ["CRLF", LINES.join("\r\n")],
  ["all of them", LINES.map((line, i) => line + (["\n", "\r", "\r\n"][i % 3] ?? "")).join("")],
])("finds the same events, with lines that end with %s, however the bytes are cut", (_, text) => {
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size++) {
    const splitter = new EventSplitter();
    const events: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) events.push(...splitter.push(bytes.subarray(at, at + size)));
    const found = events.filter((event) => event.toString().trim() !== "");
    expect(found.map(dataOf)).toEqual(EXPECTED);
    expect(found.map(nameOf)).toEqual(["", "", "x", ""]);
    expect(Buffer.concat([...events, splitter.rest]).toString()).toBe(text);
  }
});

it("passes an event on when its CR has come, without waiting for an LF", () => {
  const splitter = new EventSplitter();
  expect(splitter.push(Buffer.from("data: 1\r\n\r")).map(dataOf)).toEqual(["1"]);
  expect(splitter.push(Buffer.from("\n"))).toEqual([]);
  expect(splitter.push(Buffer.from("data: 2\r\r")).map(dataOf)).toEqual(["2"]);
});

it.each([1, 2, 3, 5, 100])("leaves out a byte order mark, in chunks of %i bytes", (size) => {
  const bytes = Buffer.from("\ufeffdata: 1\n\ndata: \ufeff2\n\n");
  const splitter = new EventSplitter();
  const events: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) events.push(...splitter.push(bytes.subarray(at, at + size)));
  expect(Buffer.concat(events).toString()).toBe("data: 1\n\ndata: \ufeff2\n\n");
});

it("gives up an event without an end", () => {
  const splitter = new EventSplitter();
  const push = () => {
    for (let i = 0; i < 20; i++) splitter.push(Buffer.alloc(2 ** 20, "x"));
  };
  expect(push).toThrowError(/more than 8388608 bytes/);
});
