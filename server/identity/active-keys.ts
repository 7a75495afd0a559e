/** Selects the keys that are valid at a moment: neither revoked nor expired. */
export const activeAt = (now: Date) => ({ revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] });
