import { describe, expect, it } from "vitest";
import { serverSentEvents } from "./server-sent-events";

async function eventsOf(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const event of serverSentEvents(body)) events.push(event);
  return events;
}

describe("serverSentEvents", () => {
  it.each([
    ["line feeds", ["data: a\n\ndata: b\n\n"], ["a", "b"]],
    ["CRLF, cut anywhere", ["data: a\r", "\n\r", "\ndata: b\r\n\r\n"], ["a", "b"]],
    ["CR alone", ["data: a\r\rdata: b\r\r"], ["a", "b"]],
    ["several lines of data", ["data: a\ndata:b\ndata\n\n"], ["a\nb\n"]],
    ["CR alone, cut anywhere", ["data: a\r", "data: b", "\r", "\rdata: c\r\r"], ["a\nb", "c"]],
    ["a byte order mark at the beginning", ["\ufeffdata: a\n\n"], ["a"]],
    ["comments and other fields", [": ping\n\nevent: x\nid: 1\ndata: a\n\n"], ["a"]],
    ["an event without an end", ["data: a\n\ndata: b\n"], ["a"]],
    ["nothing", [""], []],
  ])("reads %s", async (_, chunks, events) => {
    expect(await eventsOf(...chunks)).toEqual(events);
  });

  it("yields an event when its CR has come", async () => {
    let send: (text: string) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
    });
    const events = serverSentEvents(body);
    send("data: a\r\n\r");
    expect(await events.next()).toEqual({ done: false, value: "a" });
    send("\ndata: b\r\r");
    expect(await events.next()).toEqual({ done: false, value: "b" });
    await events.return(undefined);
  });

  it("reads characters that are cut between two chunks", async () => {
    const bytes = new TextEncoder().encode("data: 😀é\n\n");
    const single = [...bytes].map((byte) => new Uint8Array([byte]));
    expect(await eventsOf(...single)).toEqual(["😀é"]);
  });
});
