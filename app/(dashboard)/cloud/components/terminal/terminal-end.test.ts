import { expect, it } from "vitest";
import { endText } from "./terminal-end";

it.each([
  [{ message: { type: "exit", code: 3, signal: null }, code: 1000, wasOpen: true }, "exit code 3"],
  [{ message: { type: "exit", code: null, signal: "SIGKILL" }, code: 1000, wasOpen: true }, "SIGKILL"],
  [{ message: { type: "error", error: { message: "It was idle." } }, code: 1008, wasOpen: true }, "It was idle."],
  [{ message: undefined, code: 1006, wasOpen: false }, "could not be opened"],
  [{ message: undefined, code: 1001, wasOpen: true }, "restarting"],
  [{ message: undefined, code: 1006, wasOpen: true }, "connection was lost"],
] as const)("the end of a terminal %j is told as %s", (closed, text) => {
  expect(endText(closed)).toContain(text);
});
