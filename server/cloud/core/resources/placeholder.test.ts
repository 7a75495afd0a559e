import { describe, expect, it } from "vitest";
import { placeholderId, type ResourceIdentity, specHashOf } from "./placeholder";

const identity: ResourceIdentity = {
  ...{ tenantId: "ten_1", projectId: "prj_1", mode: "test", plane: "gpuc", service: "object", kind: "bucket" },
  ...{ name: "data", spec: { tier: "hot", days: { warm: 30, cold: 90 } } },
};

describe("the id of a placeholder", () => {
  it("is the same for the same request, in whatever order its fields come", () => {
    const id = placeholderId(identity);
    expect(id).toMatch(/^plc_[a-z2-7]{26}$/);
    expect(placeholderId({ ...identity, spec: { days: { cold: 90, warm: 30 }, tier: "hot" } })).toBe(id);
    // A later version of svc must compute the same id for what is stored.
    expect(id).toBe("plc_5uocsu46thhea5rmmsgv3k2fkw");
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
    expect(placeholderId({ ...identity, ...other })).not.toBe(placeholderId(identity));
  });
});

describe("the hash of a spec", () => {
  it("is that of its values, not of their order", () => {
    expect(specHashOf({ a: 1, b: [1, 2] })).toBe(specHashOf({ b: [1, 2], a: 1 }));
    expect(specHashOf({ a: 1, b: [2, 1] })).not.toBe(specHashOf({ a: 1, b: [1, 2] }));
  });
});
