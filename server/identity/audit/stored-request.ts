import { z } from "zod";

/** What a job keeps of the request that asked for it, for the audit log. */
export const StoredRequest = z.object({ requestId: z.string(), address: z.string(), userAgent: z.string() });
