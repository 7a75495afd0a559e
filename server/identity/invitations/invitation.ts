import { z } from "zod";
import type { Invitation as InvitationRow } from "../../engines/postgres/generated/client";
import type { AuditTarget } from "../audit/record-audit";
import { RoleName } from "../tenants/member";

export const INVITATION_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: RoleName,
  created_at: z.string(),
  expires_at: z.string(),
});
export type Invitation = z.output<typeof Invitation>;

export const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
});

export const invitationTarget = ({ id, email }: InvitationRow): AuditTarget => ({
  type: "invitation",
  id,
  name: email,
});

/** The conditions under which an invitation can be accepted or shown. */
export const openAt = (now: Date) => ({ acceptedAt: null, revokedAt: null, expiresAt: { gt: now } });
