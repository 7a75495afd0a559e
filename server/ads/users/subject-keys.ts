import { keyedHash } from "../../kernel/secrets";

/** The pseudonym of a publisher's user; the same id at another publisher is a different user. */
export const userKeyOf = (key: Buffer, tenantId: string, userId: string): string =>
  keyedHash(key, `user\n${tenantId}\n${userId}`);

/** The pseudonyms under which signals are stored: of the user, the session, or both. */
export function subjectKeysOf(key: Buffer, tenantId: string, ids: { userId: string; sessionId: string }): string[] {
  const keys: string[] = [];
  if (ids.userId) keys.push(userKeyOf(key, tenantId, ids.userId));
  if (ids.sessionId) keys.push(keyedHash(key, `session\n${tenantId}\n${ids.sessionId}`));
  return keys;
}
