import type { Transporter } from "nodemailer";
import { z } from "zod";
import type { Clock } from "../../kernel/clock";
import type { Task } from "../jobs/start-jobs";
import type { PrismaClient } from "../postgres/generated/client";

const TIMEOUT_MS = 15_000;
const Payload = z.object({ id: z.string() });

export interface SendEmailOptions {
  db: PrismaClient;
  clock: Clock;
  /** The sender: `svc <no-reply@example.com>`. */
  from: string;
  /** `smtp://` or `smtps://`, with credentials; without it mail stays in the table. */
  smtpUrl?: string | undefined;
}

/**
 * The task that passes one email to the SMTP server, at least once (the Message-ID is the same each time). The text may
 * contain a token, so it is erased as soon as the email is sent or given up.
 */
export function createSendEmail({ db, clock, from, smtpUrl }: SendEmailOptions): Task {
  let transport: Promise<Transporter> | undefined;
  return async (payload, { isLast }) => {
    const { id } = Payload.parse(payload);
    const letter = await db.email.findUnique({ where: { id } });
    if (!letter || letter.sentAt || !smtpUrl) return;
    transport ??= connect(smtpUrl);
    try {
      const { to, subject, text } = letter;
      await (await transport).sendMail({ from, to, subject, text, messageId: `<${id}@${domainOf(from)}>` });
      await db.email.updateMany({ where: { id }, data: { sentAt: clock.now(), text: "" } });
    } catch (cause) {
      if (isLast) await db.email.updateMany({ where: { id }, data: { text: "" } });
      throw withoutText(cause);
    }
  };
}

/** Loaded on first use: most local installations never send mail. */
async function connect(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { hostname, port, username, password, protocol } = new URL(smtpUrl);
  return createTransport({
    host: hostname,
    port: port ? Number(port) : protocol === "smtps:" ? 465 : 587,
    secure: protocol === "smtps:",
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const domainOf = (from: string): string => from.replace(/>$/, "").split("@").at(-1) ?? "localhost";

/** SMTP servers quote rejected content, and the worker stores and logs error messages, so only the code is kept. */
function withoutText(cause: unknown): Error {
  const { code, responseCode } = cause as { code?: unknown; responseCode?: unknown };
  return new Error(
    `The SMTP server did not accept the email (${String(code ?? "error")} ${String(responseCode ?? "")}).`,
  );
}
