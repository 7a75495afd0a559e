import { describe, expect, it } from "vitest";
import { isSameOrigin } from "./same-origin";

const OURS = "https://svc.example";
const from = (headers: Record<string, string>) => isSameOrigin(new Headers(headers), OURS);

describe("isSameOrigin", () => {
  it("accepts svc's own origin, and a browser that sends same-origin", () => {
    expect(from({ origin: OURS })).toBe(true);
    expect(from({ origin: "http://127.0.0.1:3000", "sec-fetch-site": "same-origin" })).toBe(true);
  });

  it("rejects another origin, another port, another scheme, a subdomain and the null origin", () => {
    for (const origin of [
      "https://evil.example",
      `${OURS}:8443`,
      "http://svc.example",
      "https://a.svc.example",
      "null",
    ]) {
      expect(from({ origin })).toBe(false);
      expect(from({ origin, "sec-fetch-site": "same-site" })).toBe(false);
      expect(from({ origin, "sec-fetch-site": "cross-site" })).toBe(false);
    }
  });

  it("rejects a request without headers about its origin", () => {
    expect(from({})).toBe(false);
    expect(from({ referer: `${OURS}/channels`, "sec-fetch-site": "none" })).toBe(false);
  });
});
