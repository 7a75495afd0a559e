import { expect, it } from "vitest";
import { intervalOf, keyText, kindText, startText } from "./request-history-view";

it("shows a day as it is in UTC and an hour in the reader's time zone", () => {
  expect(startText("2026-11-20T00:00:00.000Z", "day", "America/New_York")).toBe("20 Nov");
  expect(startText("2026-11-20T23:00:00.000Z", "hour", "Europe/Berlin")).toBe("21 Nov 00:00");
});

it("names a key by its name and last characters, or by its id where it no longer exists", () => {
  expect(keyText({ id: "key_1", name: "ci", last_four: "q7vd" })).toBe("ci …q7vd");
  expect(keyText({ id: "key_1", name: null, last_four: null })).toBe("key_1");
  expect(kindText({ kind: "browser", revoked_at: null })).toBe("browser key");
  expect(kindText({ kind: "platform", revoked_at: "2026-11-20T00:00:00.000Z" })).toBe("platform key, revoked");
});

it("takes anything but hours in an address for days", () => {
  expect(["hour", "day", "minute", null].map(intervalOf)).toEqual(["hour", "day", "day", "day"]);
});
