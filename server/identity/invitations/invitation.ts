import { z } from "zod";
import type { Invitation as InvitationRow } from "../../engines/postgres/generated/client";
import { toWire } from "../../kernel/to-wire";
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

export const toInvitation = (row: InvitationRow): Invitation => toWire(Invitation, row, {});

export const invitationTarget = ({ id, email }: InvitationRow): AuditTarget => ({
  type: "invitation",
  id,
  name: email,
});

/** The conditions under which an invitation can be accepted or shown. */
export const openAt = (now: Date) => ({ acceptedAt: null, revokedAt: null, expiresAt: { gt: now } });
