import { expect, it } from "vitest";
import { dataOf, EventSplitter } from "./event-splitter";

const TEXT = 'data: {"a":"ü"}\n\n: comment\n\nevent: x\r\ndata: 1\r\ndata: 2\r\n\r\ndata:[DONE]\n\n';

it("finds the same events however the bytes are cut", () => {
  const bytes = Buffer.from(TEXT);
  const expected = ['{"a":"ü"}', undefined, "1\n2", "[DONE]"];
  for (let size = 1; size <= bytes.length; size++) {
    const splitter = new EventSplitter();
    const events: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) events.push(...splitter.push(bytes.subarray(at, at + size)));
    expect(events.map(dataOf)).toEqual(expected);
    expect(Buffer.concat(events).toString()).toBe(TEXT);
    expect(splitter.rest).toHaveLength(0);
  }
});

it("gives up an event without an end", () => {
  const splitter = new EventSplitter();
  const push = () => {
    for (let i = 0; i < 20; i++) splitter.push(Buffer.alloc(2 ** 20, "x"));
  };
  expect(push).toThrowError(/more than 8388608 bytes/);
});
