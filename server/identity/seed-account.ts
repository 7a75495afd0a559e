import type { Prisma } from "../engines/postgres/generated/client";
import { lockNameIn } from "../engines/postgres/named-lock";
import { newId } from "../kernel/ids";
import { type Mode, SCOPES } from "../operation/actor";
import { insertKey } from "./api-keys/create-api-key";
import type { AccountCtx } from "./identity-ctx";
import { createTenant } from "./tenants/create-tenant";
import { Email } from "./users/user";

type SeedCtx = Pick<AccountCtx, "db" | "clock" | "hasher">;

interface SeedAccount {
  email: string;
  password: string;
  tenantName: string;
  isDemo: boolean;
}

interface SeededAccount {
  userId: string;
  tenantId: string;
  projectId: string;
  /** In plain text, only from the call that created the account. */
  keys: { test: string; live: string } | undefined;
}

/**
 * Creates a verified owner with a tenant, its `default` project, and a test and a live key with every scope. If the
 * address already has a verified account, it changes nothing and returns the ids of that account.
 */
export async function seedAccount(ctx: SeedCtx, seed: SeedAccount): Promise<SeededAccount> {
  const email = Email.parse(seed.email);
  const passwordHash = await ctx.hasher.hash(seed.password);
  return ctx.db.$transaction(async (tx) => {
    // Serializes processes that start at the same time.
    await lockNameIn(tx, `seed:${email}`);
    return (await findSeeded(tx, email)) ?? createSeeded(ctx, tx, { ...seed, email, passwordHash });
  });
}

async function findSeeded(tx: Prisma.TransactionClient, email: string): Promise<SeededAccount | undefined> {
  const membership = await tx.membership.findFirst({
    where: { user: { email, emailVerifiedAt: { not: null } } },
    include: { tenant: { include: { projects: { orderBy: { id: "asc" }, take: 1 } } } },
    orderBy: [{ createdAt: "asc" }, { tenantId: "asc" }],
  });
  if (!membership) return undefined;
  const { userId, tenantId, tenant } = membership;
  return { userId, tenantId, projectId: tenant.projects[0]?.id ?? "", keys: undefined };
}

async function createSeeded(
  { clock }: SeedCtx,
  tx: Prisma.TransactionClient,
  { email, passwordHash, tenantName, isDemo }: SeedAccount & { passwordHash: string },
): Promise<SeededAccount> {
  const now = clock.now();
  const user = await tx.user.create({
    data: { id: newId("usr", now.getTime()), email, passwordHash, emailVerifiedAt: now, createdAt: now },
  });
  const { tenant, projectId } = await createTenant(tx, { ownerId: user.id, name: tenantName, isDemo, now });
  const keyOf = async (mode: Mode): Promise<string> => {
    const owner = { tenantId: tenant.id, projectId };
    const { key } = await insertKey(tx, { ...owner, mode, name: `${mode} key`, scopes: SCOPES, expiresAt: null, now });
    return key;
  };
  const keys = { test: await keyOf("test"), live: await keyOf("live") };
  return { userId: user.id, tenantId: tenant.id, projectId, keys };
}
