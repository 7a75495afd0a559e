import { newId } from "../../kernel/ids";
import { addJob } from "../jobs/add-job";
import type { Task } from "../jobs/start-jobs";
import type { Prisma } from "../postgres/generated/client";
import { createSendEmail, type SendEmailOptions } from "./send-email";

/** About half an hour of retries: an enclosed token is valid for an hour, so a later email is useless. */
const SEND_ATTEMPTS_MAX = 8;

interface MailOptions extends SendEmailOptions {
  /** PUBLIC_URL points at this machine, so the outbox page is on. */
  isLoopback: boolean;
}

/** Plain text; may contain a link with a token. */
export interface EmailText {
  to: string;
  subject: string;
  text: string;
}

export interface EmailTemplate extends EmailText {
  /** The tenant whose outbox page shows it, where mail is not delivered; null: none. */
  tenantId: string | null;
}

export interface Mail {
  /** `none`: nobody could read emails, so none are stored, and an operator provides the links. */
  readonly delivery: "smtp" | "outbox" | "none";
  /** Stores the email, and with SMTP the job that sends it, in the caller's transaction. */
  send(tx: Prisma.TransactionClient, letter: EmailTemplate): Promise<void>;
  readonly tasks: { send_email: Task };
}

/**
 * Sends mail by SMTP if configured; otherwise shows it on the outbox page while only this machine can see that;
 * otherwise drops it.
 */
export function createMail(options: MailOptions): Mail {
  const { clock, smtpUrl, isLoopback } = options;
  const delivery = smtpUrl ? "smtp" : isLoopback ? "outbox" : "none";
  return {
    delivery,
    async send(tx, { to, subject, text, tenantId }) {
      if (delivery === "none") return;
      const now = clock.now();
      const id = newId("eml", now.getTime());
      await tx.email.create({ data: { id, tenantId, to, subject, text, createdAt: now } });
      if (delivery === "smtp") await addJob(tx, { task: "send_email", attemptsMax: SEND_ATTEMPTS_MAX }, { id });
    },
    tasks: { send_email: createSendEmail(options) },
  };
}
