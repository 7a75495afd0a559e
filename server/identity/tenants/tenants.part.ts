import type { Part } from "../part";
import { memberEventKinds } from "./member.events";
import { createTenantCache, type TenantCache, type TenantCacheParts } from "./tenant-cache";
import { REQUESTS_QUOTA } from "./tenants.quotas";
import { tenantRoutes } from "./tenants.routes";

interface Gives {
  /** The names and limits of tenants, in memory. */
  tenants: Pick<TenantCache, "find" | "limitsOf">;
}

/** Tenants and their members. */
export const tenantsPart: Part<TenantCacheParts, Gives, typeof tenantRoutes> = {
  name: "tenant cache",
  routes: [tenantRoutes],
  eventKinds: memberEventKinds,
  quotas: [REQUESTS_QUOTA],
  start: async ({ db, clock, counters }) => {
    const tenants = await createTenantCache({ db, clock, counters });
    return { gives: { tenants }, stop: () => tenants.close() };
  },
};
