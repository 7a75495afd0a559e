import { describe, expect, it } from "vitest";
import { safeRedirect } from "./safe-redirect";

const PUBLIC_URL = "http://localhost:3000";

/** Every way to name another host, or no page, that browsers and the URL standard know of. */
const ELSEWHERE = [
  "//evil.test",
  "///evil.test/x",
  "////evil.test/x",
  "/\\evil.test",
  "\\\\evil.test",
  "\\/evil.test",
  "/\\/evil.test",
  "//\\evil.test",
  "/\t/evil.test",
  "/\n/evil.test",
  "/\r\n/evil.test",
  "/\t\\evil.test",
  "\t//evil.test",
  " //evil.test",
  "\u0000//evil.test",
  "/.//evil.test/x",
  "/././/evil.test/x",
  "/..//evil.test/x",
  "/../..//evil.test/x",
  "/a/..//evil.test/x",
  "/a/../..//evil.test/x",
  "/.\\/evil.test/x",
  "/.\\\\evil.test/x",
  "/..\\\\evil.test/x",
  "/.\t//evil.test/x",
  "/%2e//evil.test/x",
  "/%2E%2e//evil.test/x",
  "/.%2e//evil.test/x",
  "/a/%2e%2E//evil.test/x",
  "/.//evil.test:80/x",
  "/.//user:password@evil.test/x",
  "//localhost:3000@evil.test/x",
  "//localhost:3001/x",
  "//localhost/x",
  "//LOCALHOST.evil.test:3000/x",
  "//evil\u3002test/x",
  "//evil\uff0etest/x",
  "/.//evil\uff61test/x",
  "//[::1]:3000/x",
  "//127.0.0.1:3000/x",
  "/.//",
  "//",
  "//%00",
  "https://evil.test",
  "http:evil.test",
  "http:/evil.test",
  "http://localhost:3000@evil.test/x",
  "javascript:alert(1)",
  "JaVaScRiPt://localhost:3000/%0aalert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "blob:http://localhost:3000/x",
  "file:///etc/passwd",
  "evil.test",
  "@evil.test",
  ".evil.test",
  "?next=//evil.test",
  "#//evil.test",
  "",
];

/** What looks odd and stays on the origin, because a browser reads it as a path. */
const HERE: [next: string, path: string][] = [
  ["/", "/"],
  ["/reports?group_by=day", "/reports?group_by=day"],
  ["/reports?from=2026-01-01&q=//evil.test", "/reports?from=2026-01-01&q=//evil.test"],
  ["/invitation?token=abc", "/invitation?token=abc"],
  ["/a/./b/../c", "/a/c"],
  ["/%2f/evil.test", "/%2f/evil.test"],
  ["/%2Fevil.test", "/%2Fevil.test"],
  ["/%5cevil.test", "/%5cevil.test"],
  ["/%252e//evil.test", "/%252e//evil.test"],
  ["/x//evil.test", "/x//evil.test"],
  ["/javascript:alert(1)", "/javascript:alert(1)"],
  ["/@evil.test", "/@evil.test"],
  ["//localhost:3000/reports", "/reports"],
  ["/reports#//evil.test", "/reports"],
];

describe("safeNext", () => {
  it.each(HERE)("keeps %j on this origin as %j", (next, path) => {
    expect(safeRedirect(next, PUBLIC_URL)).toBe(path);
  });

  it.each(ELSEWHERE)("leads to the dashboard for %j", (next) => {
    expect(safeRedirect(next, PUBLIC_URL)).toBe("/dashboard");
  });

  it("leads to the dashboard for what is no text: nothing, and a parameter that is given twice", () => {
    for (const next of [undefined, null, ["/reports", "//evil.test"]]) {
      expect(safeRedirect(next, PUBLIC_URL)).toBe("/dashboard");
    }
  });

  it("returns only what a browser resolves to the origin of PUBLIC_URL, whatever that is", () => {
    for (const publicUrl of [PUBLIC_URL, "https://svc.example", "http://[::1]:3000"]) {
      for (const next of [...ELSEWHERE, ...HERE.map(([given]) => given)]) {
        const { origin } = new URL(safeRedirect(next, publicUrl), publicUrl);
        expect([next, origin]).toEqual([next, new URL(publicUrl).origin]);
      }
    }
  });
});
