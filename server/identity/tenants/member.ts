import { z } from "zod";
import type { Membership } from "../../engines/postgres/generated/client";
import type { AuditTarget } from "../audit/record-audit";

export const RoleName = z.enum(["owner", "admin", "member"]);

export const Member = z.object({ user_id: z.string(), email: z.string(), role: RoleName, joined_at: z.string() });
export type Member = z.output<typeof Member>;

export const toMember = (row: Membership & { user: { email: string } }): Member => ({
  user_id: row.userId,
  email: row.user.email,
  role: row.role,
  joined_at: row.createdAt.toISOString(),
});

export const memberTarget = ({ user_id, email }: Member): AuditTarget => ({ type: "user", id: user_id, name: email });
