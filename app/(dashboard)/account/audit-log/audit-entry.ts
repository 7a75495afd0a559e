import type { Outputs } from "../../../trpc/client";

export type AuditEntry = Outputs["listAudit"]["data"][number];
