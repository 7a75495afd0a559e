import { describe, expect, it } from "vitest";
import { type HostedRedirect, locationOf } from "./hosted-response";

const redirect = (more: Partial<HostedRedirect> = {}): HostedRedirect => ({
  type: "redirect",
  status: 302,
  target: "https://new.example/docs?lang=en",
  keepsPath: true,
  keepsQuery: true,
  ...more,
});

describe("a redirect", () => {
  it.each([
    ["/", "https://new.example/docs/?lang=en"],
    ["/a/b?x=1&y=2", "https://new.example/docs/a/b?lang=en&x=1&y=2"],
    ["/a%20b/ü?q=ä", "https://new.example/docs/a%20b/%C3%BC?lang=en&q=%C3%A4"],
    ["/../admin", "https://new.example/docs/admin?lang=en"],
    ["/%2e%2e/%2E%2e/admin", "https://new.example/docs/admin?lang=en"],
    ["//evil.example/x", "https://new.example/docs/evil.example/x?lang=en"],
    ["/\\evil.example", "https://new.example/docs/evil.example?lang=en"],
    ["https://evil.example/x", "https://new.example/docs/https://evil.example/x?lang=en"],
    ["/a\r\nSet-Cookie: b", "https://new.example/docs/aSet-Cookie:%20b?lang=en"],
  ])("of %j leads to %s, never to another host or above the path of the target", (asked, location) => {
    expect(locationOf(redirect(), asked)).toBe(location);
  });

  it("leaves out the path and the query of the request where it does not keep them", () => {
    expect(locationOf(redirect({ keepsPath: false }), "/a?x=1")).toBe("https://new.example/docs?lang=en&x=1");
    expect(locationOf(redirect({ keepsQuery: false }), "/a?x=1")).toBe("https://new.example/docs/a?lang=en");
    expect(locationOf(redirect({ target: "http://h.example" }), "/a")).toBe("http://h.example/a");
  });
});
