import type { PrismaClient, User } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";

type Db = Pick<PrismaClient, "user">;

/** The verified account first, of which an address has at most one; then the newest. */
const BY_STANDING = [
  { emailVerifiedAt: { sort: "asc", nulls: "last" } },
  { createdAt: "desc" },
  { id: "desc" },
] as const;

/**
 * The maximum number of accounts that a login compares with; `compareWithAll` does the same work for an unknown
 * address.
 */
export const CANDIDATES_MAX = 4;

/** Returns the account of an address: the verified one, otherwise the newest. */
export const findAccount = (db: Db, email: string): Promise<User | null> =>
  db.user.findFirst({ where: { email }, orderBy: [...BY_STANDING] });

/** Like `findAccount`, but throws `not_found`; only operators may learn that an address has no account. */
export async function requireAccount(db: Db, email: string): Promise<User> {
  const user = await findAccount(db, email);
  if (!user) throw new ServiceError("not_found", `No account has the email ${email}.`, { param: "email" });
  return user;
}

/**
 * Returns the account of an address if it is unambiguous: the verified one, otherwise the only one. Personal data, such
 * as the source of a failed login, goes to no other account, since anyone may create an unverified account for any
 * address.
 */
export async function findSureAccount(db: Db, email: string): Promise<User | undefined> {
  const [first, second] = await db.user.findMany({ where: { email }, orderBy: [...BY_STANDING], take: 2 });
  return first && (first.emailVerifiedAt || !second) ? first : undefined;
}

export const findVerifiedAccount = (db: Db, email: string): Promise<User | null> =>
  db.user.findFirst({ where: { email, emailVerifiedAt: { not: null } } });

/**
 * Returns up to four accounts that a login by address may mean: those of `knownIds` (from the browser), the verified
 * one and the newest. Sign-ups by others with the same address cannot displace a known or verified account.
 */
export async function findCandidates(
  db: Db,
  { email, knownIds }: { email: string; knownIds: readonly string[] },
): Promise<User[]> {
  const newest = await db.user.findMany({ where: { email }, orderBy: [...BY_STANDING], take: CANDIDATES_MAX });
  if (knownIds.every((id) => newest.some((user) => user.id === id))) return newest;
  const known = await db.user.findMany({ where: { email, id: { in: [...knownIds] } }, take: CANDIDATES_MAX });
  const others = newest.filter(({ id }) => !known.some((user) => user.id === id));
  return [...known, ...others].slice(0, CANDIDATES_MAX);
}
