import { expect, it } from "vitest";
import { allocationOf, wireAllocation } from "./wire-allocation";

const [one, two] = [
  { id: "one", path: "/one" },
  { id: "two", path: "/two" },
];
const base = { id: "a", image: { reference: "example/image" }, network: "none" as const };

it("an agent of an earlier version mounts the volume that it can, and receives no others", () => {
  const old = { mountsVolumes: false };
  expect(wireAllocation({ ...base, volumes: [one] }, old)).toMatchObject({ volume: one });
  for (const volumes of [[one, two], [{ ...one, readOnly: true }]]) {
    expect(() => wireAllocation({ ...base, volumes }, old)).toThrow("must be upgraded");
    expect(wireAllocation({ ...base, volumes }, { mountsVolumes: true })).toMatchObject({ volumes });
  }
  expect(allocationOf({ ...base, volume: one })).toEqual({ ...base, volumes: [one] });
});
