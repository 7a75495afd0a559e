import type { z } from "zod";
import type { ServiceId } from "../planes/planes";
import type { Blocker, Kind } from "./kind";
import type { Sku } from "./sku";

/** The facts of one service, each stated once: tools, pages, prices, quotas and tests derive from them. */
export interface Family extends ServiceId {
  /** For people, such as "Object storage". */
  label: string;
  /** A sentence on what its resources give. */
  summary: string;
  /** The services of usage and invoices that its use is metered as. */
  meters: readonly string[];
  skus: readonly Sku[];
  /** How many resources a tenant can have in one mode, by plan tier; default: as its plane says. */
  quotaPerTier?: Readonly<Record<string, number>>;
  /** By name; the first one is the default. */
  kinds: Readonly<Record<string, Kind>>;
  /** Why its resources are placeholders in every installation; absent: they are provisioned. */
  blocker?: Blocker;
  /** The notation of its tools in the specification; absent: `toolsOf` derives those of edge and obs. */
  tools?: FamilyTools;
}

interface FamilyTools {
  create?: readonly CreationTool[];
  list?: { signature: string; kind?: string };
  /** Its only argument is the id of a resource. */
  delete?: string;
}

export interface CreationTool {
  /** The arguments besides `name` and `kind` are fields of the spec. */
  signature: string;
  /** Absent: the argument `kind`, or the first kind of the service. */
  kind?: string;
  /** Where the tool has fields of several kinds. */
  spec?: z.ZodObject;
  /** What it does; that the result may be a placeholder is added. */
  about: string;
  /** The name of the resource, of a tool that has no argument for it. */
  nameOf?: (given: Record<string, unknown>) => string;
}
