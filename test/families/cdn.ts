import type { FamilyProof } from "./family-proof";

export const redirectProof: FamilyProof = {
  plane: "edge",
  service: "cdn",
  kind: "redirect",
  spec: () => ({ target: "https://new.example/docs" }),
  changed: () => ({ target: "https://other.example", status: 301, keep_query: false }),
  wrong: { spec: { target: "ftp://new.example" }, param: "spec.target" },
  effects: async (world, { spec, observed }) => {
    if (typeof observed?.url !== "string") return 0;
    const { status, location } = await world.visit(`${observed.url}a/b?q=1`);
    const query = spec.keep_query ? "?q=1" : "";
    return status === spec.status && location === `${spec.target}/a/b${query}` ? 1 : 0;
  },
};
