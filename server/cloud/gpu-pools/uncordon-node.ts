import { z } from "zod";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import { type ChangedNode, changeNode, OPEN } from "./change-node";

export const UncordonNode = z.strictObject({ pool: z.string(), node: z.string() });

/**
 * Lets a node accept pods again, regardless of what cordoned it, and ends its drain. Pods that have been given notice keep it.
 * Throws `not_found`.
 */
export const uncordonNode = (
  { db }: { db: PrismaClient },
  place: z.output<typeof UncordonNode>,
): Promise<ChangedNode> => changeNode({ db }, place, () => OPEN);
