import { expect, test } from "vitest";
import type { Json } from "../../../identity/stored-json";
import { exactJson, parseExact } from "../../../kernel/exact-number";
import { invocationExample } from "./function.example";
import { Invocation } from "./invocation";
import { payloadText } from "./payload";
import { readOutcome } from "./run-outcome";

const textFor = (runtime: string, json: string) => payloadText(parseExact(json) as Json, { runtime });

test("a payload keeps all digits of integers for Python, and none that JavaScript would read as another number", () => {
  const json = '{"id":9007199254740993,"ids":[-9223372036854775808]}';
  expect(textFor("python", json)).toBe(json);
  for (const runtime of ["javascript", "node"])
    expect(() => textFor(runtime, json)).toThrow("payload.id: JavaScript reads 9007199254740993 as another number");
  expect(textFor("node", '{"id":9007199254740991,"x":0.1}')).toBe('{"id":9007199254740991,"x":0.1}');
});

test.each(["[0.1000000000000000055511151231257827]", "[1e400]", `[${"9".repeat(5000)}]`])(
  "a payload for Python has no number that Python would read as another one: %s",
  (json) => {
    expect(() => textFor("python", json)).toThrow(
      expect.objectContaining({ code: "invalid_request", param: "payload[0]" }),
    );
  },
);

test("a result keeps all digits of what Python returned", () => {
  const result = '{"id":9007199254740993,"more":[-9223372036854775808]}';
  const outcome = readOutcome(JSON.stringify({ logs: [], result }), []);
  expect(outcome).toEqual({ logs: [], result });
  const shown = Invocation.parse({ ...invocationExample, result: parseExact(outcome.result ?? "") });
  expect(exactJson(shown)).toContain(`"result":${result}`);
});
