import { createHmac } from "node:crypto";
import type { Prisma } from "../../../engines/postgres/generated/client";
import { canonicalJson } from "../../../kernel/canonical-json";
import { ServiceError } from "../../../kernel/errors";
import { base32Of } from "../../../kernel/ids";
import type { Blocker } from "../kinds/kind";
import { reasonOf, type StoredResource } from "./resource";
import { columnsOf, type ResourceIdentity } from "./resource-columns";
import type { ResourceCtx } from "./resource-ctx";

/** Placeholders of one tenant in one mode, of all services. */
const PLACEHOLDERS_MAX = 200;

const ID_CHARACTERS = 26;

/** Inserts a placeholder, or gives the one of the same request the reason of now. Throws `quota_exceeded`. */
export async function insertPlaceholder(
  tx: Prisma.TransactionClient,
  ctx: Pick<ResourceCtx, "clock" | "actor" | "families">,
  { identity, blocker }: { identity: ResourceIdentity; blocker: Blocker },
): Promise<StoredResource> {
  const id = placeholderId(ctx.families.keys.hashing, identity);
  const { tenantId, mode } = identity;
  const kept = await tx.resource.count({ where: { tenantId, mode, state: "placeholder", id: { not: id } } });
  if (kept >= PLACEHOLDERS_MAX)
    throw new ServiceError(
      "quota_exceeded",
      `The tenant has ${PLACEHOLDERS_MAX} placeholders in this mode; delete one, or activate the service.`,
      { details: { reason: "placeholders", limit: PLACEHOLDERS_MAX } },
    );
  const now = ctx.clock.now();
  const reason = { ...reasonOf(blocker) };
  const fixed = { state: "placeholder", generation: 1, createdAt: now, updatedAt: now };
  return tx.resource.upsert({
    where: { id },
    create: { ...columnsOf(ctx, id, identity), reason, ...fixed },
    update: { reason },
  });
}

/** The id of a placeholder, which is the same for the same request, in every process and at all times. `hashing`: see `SpecKeys`. */
export function placeholderId(
  hashing: Buffer,
  { tenantId, projectId, mode, plane, service, kind, name, spec }: ResourceIdentity,
): string {
  const text = canonicalJson([tenantId, projectId, mode, plane, service, kind, name, spec]);
  const digest = createHmac("sha256", hashing).update(text).digest();
  return `plc_${base32Of(digest).slice(0, ID_CHARACTERS)}`;
}
