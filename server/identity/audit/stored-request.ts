import { z } from "zod";

/** The part of a request that its job stores for the audit log. */
export const StoredRequest = z.object({ requestId: z.string(), address: z.string(), userAgent: z.string() });
