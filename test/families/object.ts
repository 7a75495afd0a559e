import type { FamilyProof, Listed } from "./family-proof";

interface Bucket {
  name: string;
  tier: string;
}

export const objectProof: FamilyProof = {
  service: "object",
  kind: "bucket",
  cannotSuspend: true,
  spec: () => ({ tier: "hot" }),
  changed: () => ({ tier: "warm", lifecycle_days_to_cold: 30 }),
  wrong: { spec: { lifecycle_days_to_warm: 9, lifecycle_days_to_cold: 9 }, param: "spec.lifecycle_days_to_cold" },
  effects: async (world, { name, spec }) => {
    const { body } = await world.call<Listed<Bucket>>("/v1/storage/buckets?limit=100");
    return body.data.filter((bucket) => bucket.name.startsWith(`b-${name}-`) && bucket.tier === spec.tier).length;
  },
};
