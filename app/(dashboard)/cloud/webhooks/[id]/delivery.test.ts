import { expect, it } from "vitest";
import { latencyText, nextAttemptText, resultText } from "./delivery";

it.each([
  [{ last_status_code: 200, last_error: null, attempt_count: 1 }, "200"],
  [{ last_status_code: 503, last_error: "The endpoint responded with status 503.", attempt_count: 1 }, "503"],
  [
    { last_status_code: 503, last_error: "The webhook was disabled.", attempt_count: 2 },
    "503. The webhook was disabled.",
  ],
  [
    { last_status_code: null, last_error: "shop.example has no address.", attempt_count: 1 },
    "shop.example has no address.",
  ],
  [{ last_status_code: null, last_error: null, attempt_count: 0 }, "not attempted yet"],
])("says of %o: %s", (delivery, text) => expect(resultText(delivery)).toBe(text));

it("shows short latencies in milliseconds and long ones in seconds", () => {
  expect([latencyText(84), latencyText(999), latencyText(9980)]).toEqual(["84 ms", "999 ms", "9.98 s"]);
});

it("says when the next attempt is made", () => {
  const now = new Date("2026-11-23T12:00:00Z");
  expect(nextAttemptText("2026-11-23T12:00:40Z", now)).toBe("within a minute");
  expect(nextAttemptText("2026-11-23T12:09:40Z", now)).toBe("in 10 minutes");
});
