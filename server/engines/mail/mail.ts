import { newId } from "../../kernel/ids";
import { addJob } from "../jobs/add-job";
import type { Task } from "../jobs/start-jobs";
import type { Prisma } from "../postgres/generated/client";
import { createSendEmail, type SendEmailOptions } from "./send-email";

/** About half an hour of retries: a token inside lives an hour, so later is too late. */
const SEND_ATTEMPTS_MAX = 8;

interface MailOptions extends SendEmailOptions {
  /** PUBLIC_URL points at this machine, so the outbox page is on. */
  isLoopback: boolean;
}

/** Plain text; it may carry a link with a token. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

export interface Mail {
  /** `none`: nobody would ever read it, so nothing is stored and links come from an operator. */
  readonly delivery: "smtp" | "outbox" | "none";
  /** Writes the letter, and with SMTP the job that sends it, in the caller's transaction. */
  send(tx: Prisma.TransactionClient, letter: Letter): Promise<void>;
  readonly tasks: { send_email: Task };
}

/** Mail by SMTP where configured; else by the outbox page while only this machine can see it; else not at all. */
export function createMail(options: MailOptions): Mail {
  const { clock, smtpUrl, isLoopback } = options;
  const delivery = smtpUrl ? "smtp" : isLoopback ? "outbox" : "none";
  return {
    delivery,
    async send(tx, { to, subject, text }) {
      if (delivery === "none") return;
      const now = clock.now();
      const id = newId("eml", now.getTime());
      await tx.email.create({ data: { id, to, subject, text, createdAt: now } });
      if (delivery === "smtp") await addJob(tx, { task: "send_email", attemptsMax: SEND_ATTEMPTS_MAX }, { id });
    },
    tasks: { send_email: createSendEmail(options) },
  };
}
