import path from "node:path";

/** The storage classes, each one cheaper and slower than the one before it. */
export const TIERS = ["hot", "warm", "cold", "archive"] as const;
export type Tier = (typeof TIERS)[number];
export const PACKED_TIERS = ["warm", "cold", "archive"] as const;
export type PackedTier = (typeof PACKED_TIERS)[number];

/** The quality of Brotli (0 to 11) in each class: a blob that is read less may take longer to write. */
export const BROTLI_QUALITY: Readonly<Record<PackedTier, number>> = { warm: 4, cold: 5, archive: 6 };

/** The class that a blob is stored in, which is the end of its name: `.warm`, `.cold`, `.archive`, or neither for hot. */
export function tierOfBlob(name: string): Tier {
  const end = name.slice(name.lastIndexOf(".") + 1);
  return PACKED_TIERS.find((tier) => tier === end) ?? "hot";
}

/** The folder of the blobs of a class below that of all blobs, which may be a volume of its own. */
export const tierFolder = (root: string, tier: Tier): string => (tier === "hot" ? root : path.join(root, `.${tier}`));
