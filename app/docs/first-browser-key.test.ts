import { expect, it } from "vitest";
import { firstBrowserKey } from "./first-browser-key";

const browser = { kind: "browser", revoked_at: null, key: "svc_pub_a" };

it("is an active browser key, and never a server key", () => {
  const server = { kind: "server", revoked_at: null, key: "svc_srv_a" };
  expect(firstBrowserKey([server, { ...browser, revoked_at: "2027-01-01T00:00:00Z" }, browser])).toBe("svc_pub_a");
  expect(firstBrowserKey([server, { ...browser, key: "svc_srv_b" }])).toBeUndefined();
});

it("is undefined if the text of the key is not stored", () => {
  expect(
    firstBrowserKey([
      { ...browser, key: null },
      { kind: "browser", revoked_at: null },
    ]),
  ).toBeUndefined();
});
