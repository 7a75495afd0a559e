import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Part } from "../../identity/part";
import { DecisionMemory } from "../ranking/decision-memory";

interface Needs {
  db: PrismaClient;
  /** By default the tenant that is marked as the demo. */
  demoTenantId?: string | undefined;
}

interface Gives {
  /** Recent decisions of this process. */
  decisions: DecisionMemory;
  /** The number of ids in impression reports that cannot be offer ids. */
  ignoredIds: { count: number };
  /** Network campaigns of this tenant are house offers on other tenants' channels. */
  demoTenantId: string | undefined;
}

/** What the offers API needs beyond the other parts. */
export const offersPart: Part<Needs, Gives> = {
  name: "offers",
  start: async ({ db, demoTenantId }) => ({
    gives: {
      decisions: new DecisionMemory(),
      ignoredIds: { count: 0 },
      demoTenantId: demoTenantId ?? (await findDemoTenant(db)),
    },
  }),
};

const findDemoTenant = async (db: PrismaClient): Promise<string | undefined> =>
  (await db.tenant.findFirst({ where: { isDemo: true, memberships: { some: {} } }, select: { id: true } }))?.id;
