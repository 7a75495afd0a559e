import { describe, expect, it } from "vitest";
import { parseImageReference } from "./image-reference";

const HUB = "registry-1.docker.io";
const DIGEST = `sha256:${"a".repeat(64)}`;

describe("parseImageReference", () => {
  it.each([
    ["alpine", HUB, "library/alpine", "latest"],
    ["alpine:3.20", HUB, "library/alpine", "3.20"],
    ["owner/name", HUB, "owner/name", "latest"],
    ["docker.io/alpine", HUB, "library/alpine", "latest"],
    ["index.docker.io/owner/name:a_B-1.2", HUB, "owner/name", "a_B-1.2"],
    ["ghcr.io/owner/deep/name:tag", "ghcr.io", "owner/deep/name", "tag"],
    ["localhost/name", "localhost", "name", "latest"],
    ["localhost:5000/name:1", "localhost:5000", "name", "1"],
    ["[::1]:5000/name", "[::1]:5000", "name", "latest"],
    [`alpine@${DIGEST}`, HUB, "library/alpine", DIGEST],
    [`registry.example:5000/a/b:tag@${DIGEST}`, "registry.example:5000", "a/b", DIGEST],
    ["a__b/c-.d", HUB, "a__b/c-.d", "latest"],
  ])("reads %s with the defaults of Docker", (...[text, registry, repository, version]) => {
    expect(parseImageReference(text)).toEqual({ text, registry, repository, version });
  });

  it.each([
    "",
    "UPPER",
    "a//b",
    "/a",
    "a/",
    "a:",
    "a:b:c",
    "a:tag!",
    "a b",
    "a/../b",
    "a/.b",
    "a@sha256:short",
    "a@b@c",
    `a@sha512:${"a".repeat(128)}`,
    "user@host/name",
    "https://ghcr.io/a",
    "ghcr.io/a?b",
    "ho_st.io/a",
    "a".repeat(513),
  ])("rejects %j as image_invalid", (text) => {
    expect(() => parseImageReference(text)).toThrow(expect.objectContaining({ reason: "image_invalid" }));
  });
});
