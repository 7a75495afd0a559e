import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import type { Hasher } from "../identity-ctx";

interface HashCost {
  memoryKib: number;
  passes: number;
  lanes: number;
}

/** The second option of the OWASP Password Storage Cheat Sheet for Argon2id: 19 MiB, 2 passes, 1 lane. */
const OWASP_COST: HashCost = { memoryKib: 19_456, passes: 2, lanes: 1 };

const ARGON2ID = 2;
/** Many log-ins at once take no more memory and cores than this; file operations use the same threads. */
const AT_ONCE_MAX = 4;

/** Argon2id (RFC 9106) at the given cost, with a separate salt for each password. */
export async function createHasher(cost: HashCost = OWASP_COST): Promise<Hasher> {
  const options = {
    algorithm: ARGON2ID,
    memoryCost: cost.memoryKib,
    timeCost: cost.passes,
    parallelism: cost.lanes,
  };
  const turn = pLimit(AT_ONCE_MAX);
  return {
    decoy: await hash(randomBytes(32), options),
    hash: (password) => turn(() => hash(password, options)),
    verify: (stored, password) => turn(() => verify(stored, password)),
  };
}
