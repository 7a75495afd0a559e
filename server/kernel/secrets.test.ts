import { expect, it } from "vitest";
import { deriveKey, keyedHash, seal, sha256, unseal } from "./secrets";

const key = deriveKey("a root secret of at least 32 characters", "cursor");

it("derives another key for every purpose and the same one for the same", () => {
  const root = "a root secret of at least 32 characters";
  expect(deriveKey(root, "cursor")).toEqual(key);
  expect(deriveKey(root, "address")).not.toEqual(key);
});

it("opens what it sealed, only with this key and context", () => {
  const sealed = seal(key, "text ✓", "tenant 1");
  expect(unseal(key, sealed, "tenant 1")).toBe("text ✓");
  expect(unseal(key, sealed, "tenant 2")).toBeUndefined();
  expect(unseal(Buffer.alloc(32), sealed, "tenant 1")).toBeUndefined();
});

it("seals the same text differently each time", () => {
  expect(seal(key, "text", "c")).not.toBe(seal(key, "text", "c"));
});

it("rejects every single changed character", () => {
  const sealed = seal(key, "text", "c");
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    expect(unseal(key, changed, "c")).toBeUndefined();
  }
});

it("hashes as SHA-256 does, and pseudonyms differ with the key", () => {
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(keyedHash(key, "10.0.0.1")).toMatch(/^[0-9a-f]{32}$/);
  expect(keyedHash(key, "10.0.0.1")).not.toBe(keyedHash(Buffer.alloc(32), "10.0.0.1"));
});
