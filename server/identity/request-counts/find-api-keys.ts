import type { FindKeys } from "./request-count";

/** Finds platform keys. */
export const findApiKeys: FindKeys = async (db, { tenantId, ids }) => {
  const rows = await db.apiKey.findMany({ where: { tenantId, id: { in: [...ids] } } });
  return rows.map(({ id, mode, projectId, name, lastFour, revokedAt }) => ({
    id,
    mode,
    kind: "platform",
    parentId: projectId,
    name,
    lastFour,
    revokedAt,
  }));
};
