import type { Outputs } from "../../../trpc/client";

export type AuditEntry = Outputs["audit"]["list"]["data"][number];
