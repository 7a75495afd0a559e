import { keyedHash } from "../../kernel/secrets";

/** The pseudonym of a publisher's user: the same id means somebody else at another publisher. */
export const userKeyOf = (key: Buffer, tenantId: string, userId: string): string =>
  keyedHash(key, `user\n${tenantId}\n${userId}`);

/** The pseudonyms under which signals are kept: of the user, of the session, or of both. */
export function subjectKeysOf(key: Buffer, tenantId: string, ids: { userId: string; sessionId: string }): string[] {
  const keys: string[] = [];
  if (ids.userId) keys.push(userKeyOf(key, tenantId, ids.userId));
  if (ids.sessionId) keys.push(keyedHash(key, `session\n${tenantId}\n${ids.sessionId}`));
  return keys;
}
