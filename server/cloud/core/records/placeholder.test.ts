import { describe, expect, it } from "vitest";
import { specHashOf } from "../specs/specs";
import { placeholderId } from "./placeholder";
import type { ResourceIdentity } from "./resource-columns";

const KEY = Buffer.alloc(32, 7);

const identity: ResourceIdentity = {
  tenantId: "ten_1",
  projectId: "prj_1",
  mode: "test",
  plane: "gpuc",
  service: "object",
  kind: "bucket",
  name: "data",
  spec: { tier: "hot", days: { warm: 30, cold: 90 } },
};

describe("the id of a placeholder", () => {
  it("is the same for the same request, regardless of the order of its fields", () => {
    const id = placeholderId(KEY, identity);
    expect(id).toMatch(/^plc_[a-z2-7]{26}$/);
    expect(placeholderId(KEY, { ...identity, spec: { days: { cold: 90, warm: 30 }, tier: "hot" } })).toBe(id);
    // A later version of svc must compute the same id for what is stored.
    expect(id).toBe("plc_zw3lf247u43bpu23iet3oidgr6");
  });

  it("cannot be computed without the key, which would tell guesses of a secret apart", () => {
    expect(placeholderId(Buffer.alloc(32, 8), identity)).not.toBe(placeholderId(KEY, identity));
  });

  it.each([
    { tenantId: "ten_2" },
    { projectId: "prj_2" },
    { mode: "live" as const },
    { service: "gpu" as const },
    { kind: "folder" },
    { name: "data2" },
    { spec: { tier: "cold", days: { warm: 30, cold: 90 } } },
  ])("differs for another %j", (other) => {
    expect(placeholderId(KEY, { ...identity, ...other })).not.toBe(placeholderId(KEY, identity));
  });
});

describe("the hash of a spec", () => {
  it("is that of its values, not of their order", () => {
    expect(specHashOf({ hashing: KEY }, { a: 1, b: [1, 2] })).toBe(specHashOf({ hashing: KEY }, { b: [1, 2], a: 1 }));
    expect(specHashOf({ hashing: KEY }, { a: 1, b: [2, 1] })).not.toBe(
      specHashOf({ hashing: KEY }, { a: 1, b: [1, 2] }),
    );
  });
});
