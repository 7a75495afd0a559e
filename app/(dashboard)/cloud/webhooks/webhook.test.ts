import { expect, it } from "vitest";
import { statusText, urlParts } from "./webhook";

const ENABLED = { status: "enabled", disabled_reason: null, disabled_at: null, failing_since: null } as const;
const AT = "2026-11-20T10:00:00.000Z";

it("says in words whether a webhook receives events, and why not", () => {
  expect(statusText(ENABLED)).toEqual({ tone: "good", label: "enabled", explanation: undefined });
  expect(statusText({ ...ENABLED, failing_since: AT })).toMatchObject({
    tone: "warn",
    label: expect.stringMatching(/^failing since /),
    explanation: expect.stringContaining("After 5 days"),
  });
  const disabled = { ...ENABLED, status: "disabled", disabled_at: AT } as const;
  expect(statusText({ ...disabled, disabled_reason: "by_request" })).toMatchObject({
    tone: "neutral",
    label: "disabled",
  });
  expect(statusText({ ...disabled, disabled_reason: "gone" }).explanation).toContain("410 (Gone)");
  expect(statusText({ ...disabled, disabled_reason: "failing" })).toMatchObject({ label: "disabled: failing" });
});

it("splits a URL so that its host can be emphasized", () => {
  expect(urlParts("https://shop.example:8443/hooks?a=b")).toEqual({
    scheme: "https://",
    host: "shop.example:8443",
    rest: "/hooks?a=b",
  });
  expect(urlParts("https://shop.example/").rest).toBe("");
});
