import { deriveSubkey, keyedHash } from "../../../kernel/secrets";

/** How a secret of a resource is stored: random, with at least 128 bits. */
export const secretHashOf = (encryptionKey: Buffer, secret: string): string =>
  keyedHash(deriveSubkey(encryptionKey, "secrets of resources"), secret);
