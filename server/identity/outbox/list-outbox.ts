import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { EXAMPLE_TIME } from "../../operation/example";
import { isLoopbackAddress } from "../address-hash";
import { personOperation } from "../identity-operation";
import type { OutboxCtx } from "./outbox-ctx";

const EMAILS_MAX = 50;

const OutboxEmail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  created_at: z.iso.datetime(),
});

/**
 * Lists the newest 50 emails of the tenant: owners see all, other members their own. The emails contain verification
 * and invitation links, so only direct requests from the machine that svc runs on may read them. Throws `not_found` for
 * other requests, and when svc delivers email.
 */
export const listOutbox = personOperation({
  id: "listOutbox",
  summary: "List the emails of an installation without email delivery",
  access: "person",
  input: z.strictObject({}),
  output: z.array(OutboxEmail),
  example: {
    input: {},
    output: [
      {
        id: "eml_01jd0z3k5q8v6w2x4y7a9b1c3d",
        to: "ada@publisher.example",
        subject: "Verify your email address",
        text: "Open this link: …",
        created_at: EXAMPLE_TIME,
      },
    ],
  },
  run: async (ctx: OutboxCtx) => {
    const { actor, db, session } = ctx;
    if (!mayReadOutbox(ctx)) {
      throw new ServiceError(
        "not_found",
        "The outbox is not available: emails are delivered, or you are on another machine.",
      );
    }
    const own = actor.role === "owner" ? {} : { to: session?.user.email ?? "" };
    const rows = await db.email.findMany({
      where: { tenantId: actor.tenantId, ...own },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: EMAILS_MAX,
    });
    return rows.map(({ id, to, subject, text, createdAt }) => ({
      id,
      to,
      subject,
      text,
      created_at: createdAt.toISOString(),
    }));
  },
});

const mayReadOutbox = ({ isLoopback, mail, request }: OutboxCtx): boolean =>
  isLoopback && mail.delivery === "outbox" && request.isForwarded === false && isLoopbackAddress(request.address);
