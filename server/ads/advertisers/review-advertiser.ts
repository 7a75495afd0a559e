import { z } from "zod";
import type { Mail } from "../../engines/mail/mail";
import type { Advertiser as AdvertiserRow, Prisma, PrismaClient } from "../../engines/postgres/generated/client";
import { appendAudit } from "../../identity/audit/record-audit";
import { newEvent } from "../../identity/events/record-event";
import type { Clock } from "../../kernel/clock";
import { notFound, ServiceError } from "../../kernel/errors";
import { id, text } from "../fields";
import { advertiserOf, advertiserTarget } from "./advertiser";
import { advertiserApproved, advertiserRejected } from "./advertiser.events";
import { lockAdvertiser } from "./advertiser.sql";

export const ReviewAdvertiser = z.strictObject({
  id,
  decision: z.enum(["approved", "rejected"]),
  note: text(500).optional(),
});
type ReviewAdvertiser = z.output<typeof ReviewAdvertiser>;

export interface ReviewCtx {
  db: PrismaClient;
  clock: Clock;
  mail: Mail;
}

/**
 * Stores the operator's decision on an advertiser and emails it to the tenant's owners. Throws `not_found`, and
 * `conflict` on approval of an advertiser whose domain is not verified.
 */
export function reviewAdvertiser(ctx: ReviewCtx, input: ReviewAdvertiser): Promise<AdvertiserRow> {
  const { db, clock } = ctx;
  const { decision, note = "" } = input;
  return db.$transaction(async (tx) => {
    await lockAdvertiser(tx, input.id);
    const before = await tx.advertiser.findFirst({ where: { id: input.id, archivedAt: null } });
    if (!before) throw notFound("advertiser", input.id);
    if (decision === "approved" && before.domainVerifiedAt === null) throw unverified(before);
    const at = clock.now();
    const data = { review: decision, reviewNote: note, reviewedAt: at };
    const row = await tx.advertiser.update({ where: { id: before.id }, data });
    await notifyOwners(ctx, tx, row);
    const kind = decision === "approved" ? advertiserApproved : advertiserRejected;
    const events = [newEvent(kind, advertiserOf(row, false), { mode: row.mode })];
    const change = { action: kind.type, targets: [advertiserTarget(row)], details: { note }, events };
    const origin = { tenantId: row.tenantId, at, actor: { type: "operator" }, request: undefined } as const;
    await appendAudit(tx, origin, change);
    return row;
  });
}

async function notifyOwners(
  { mail }: ReviewCtx,
  tx: Prisma.TransactionClient,
  advertiser: AdvertiserRow,
): Promise<void> {
  const owners = await tx.membership.findMany({
    where: { tenantId: advertiser.tenantId, role: "owner" },
    include: { user: true },
  });
  for (const { user } of owners)
    await mail.send(tx, { tenantId: advertiser.tenantId, to: user.email, ...decisionMail(advertiser) });
}

const decisionMail = ({ name, review, reviewNote }: AdvertiserRow) => ({
  subject: `Advertiser ${review}: ${name.replace(/\p{Cc}/gu, " ")}`,
  text: `The advertiser ${name} was ${review}.${reviewNote === "" ? "" : `\n\n${reviewNote}`}

${review === "approved" ? "Its network campaigns can now serve on channels of other publishers." : "Its network campaigns do not serve on channels of other publishers. Make the changes that the note describes, then request another review."}
`,
});

const unverified = ({ id, domain }: AdvertiserRow): ServiceError =>
  new ServiceError(
    "conflict",
    `The domain of ${id} (${domain ?? "none"}) is not verified; the tenant must verify it first.`,
    {
      param: "id",
      details: { reason: "domain_not_verified" },
    },
  );
