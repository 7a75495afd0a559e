import { expect, it } from "vitest";
import { dueAt, expired, uploadEnd } from "./lifecycle";

const at = (text: string) => Date.parse(text);
const STORED = at("2030-01-15T10:30:00Z");

it("Days end at the midnight (UTC) that follows", () => {
  expect(new Date(dueAt(STORED, 3)).toISOString()).toBe("2030-01-19T00:00:00.000Z");
  expect(new Date(dueAt(at("2030-01-15T00:00:00Z"), 3)).toISOString()).toBe("2030-01-18T00:00:00.000Z");
});

it("A version is expired, and an upload is aborted, when the days of the rule have ended", () => {
  const rules = [{ prefix: "", expire_days: 3, abort_upload_days: 2, enabled: true }];
  const version = {
    id: "ver",
    key: "k",
    versionId: "null",
    isLatest: true,
    isOnly: true,
    isDeleteMarker: false,
    lastModified: STORED,
    noncurrentSince: null,
    tier: "hot" as const,
  };
  expect(expired(rules, version, at("2030-01-18T23:59:59Z"))).toBeUndefined();
  expect(expired(rules, version, at("2030-01-19T00:00:00Z"))).toMatchObject({ key: "k" });
  expect(uploadEnd(rules, { key: "k", startedAt: STORED })).toBe(at("2030-01-18T00:00:00Z"));
  expect(uploadEnd([], { key: "k", startedAt: STORED })).toBe(at("2030-01-16T10:30:00Z"));
});
