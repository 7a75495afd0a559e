import type { User } from "../../engines/postgres/generated/client";
import type { Hasher } from "../identity-ctx";
import { CANDIDATES_MAX } from "../users/find-account";

/**
 * Returns the first candidate whose password matches. It always does `CANDIDATES_MAX` comparisons, some with dummy
 * hashes, so that neither time nor load reveals whether or how many accounts an address has.
 */
export async function compareWithAll(
  hasher: Hasher,
  candidates: readonly User[],
  password: string,
): Promise<User | undefined> {
  const hashes = Array.from({ length: CANDIDATES_MAX }, (_, i) => candidates[i]?.passwordHash ?? hasher.decoy);
  const matches = await Promise.all(hashes.map((hash) => hasher.verify(hash, password)));
  return candidates.find((_, i) => matches[i]);
}
