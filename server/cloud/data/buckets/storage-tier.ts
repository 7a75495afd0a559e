import { z } from "zod";
import { TIERS } from "../../../engines/objects/blob-tiers";

/** A storage class. */
export const StorageTier = z.enum(TIERS);

export const tierField = StorageTier.describe(
  "The storage class of new objects: `hot`, or `warm` and `cold`, which are compressed, or `archive`, whose objects are restored before they are read",
);
