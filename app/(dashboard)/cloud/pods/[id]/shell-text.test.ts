import { expect, it } from "vitest";
import { endText, steppedBack } from "./shell-text";

const ended = { exit_code: 0, signal: null, timed_out: false, truncated: false };

it("says how a program ended, unless it ended well", () => {
  expect(endText(ended)).toBe("");
  expect(endText({ ...ended, exit_code: 2 })).toBe("[exit code 2]");
  expect(endText({ ...ended, exit_code: null, signal: "SIGTERM" })).toBe("[ended by SIGTERM]");
  const late = { ...ended, exit_code: null, signal: "SIGKILL", timed_out: true, truncated: true };
  expect(endText(late)).toBe("[more output was dropped; it was ended, because its time was over]");
});

it("recalls earlier lines, and stays within them", () => {
  const lines = ["first", "second"];
  expect(steppedBack(lines, { from: 0, by: 1 })).toEqual({ back: 1, typed: "second" });
  expect(steppedBack(lines, { from: 2, by: 1 })).toEqual({ back: 2, typed: "first" });
  expect(steppedBack(lines, { from: 1, by: -1 })).toEqual({ back: 0, typed: "" });
  expect(steppedBack([], { from: 0, by: 1 })).toEqual({ back: 0, typed: "" });
});
