import type { Logger } from "pino";
import { createMail, type Mail } from "../../engines/mail/mail";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import type { Part } from "../part";
import { outboxRoutes } from "./outbox.routes";

interface Needs {
  db: PrismaClient;
  clock: Clock;
  publicUrl: string;
  isLoopback: boolean;
  log: Logger;
  config: {
    /** undefined: emails are on the outbox page while PUBLIC_URL is a loopback address, and otherwise not created. */
    smtpUrl?: string | undefined;
  };
}

/** Emails, and the page that shows those that are not sent. */
export const outboxPart: Part<Needs, { mail: Mail }, typeof outboxRoutes> = {
  name: "outbox",
  routes: [outboxRoutes],
  start: ({ db, clock, publicUrl, isLoopback, log, config: { smtpUrl } }) => {
    const mail = createMail({
      db,
      clock,
      from: `svc <no-reply@${new URL(publicUrl).hostname}>`,
      isLoopback,
      smtpUrl,
    });
    if (mail.delivery === "none") {
      log.warn("SMTP_URL is not set: no email is sent; create links with npm run svc -- admin");
    }
    return { gives: { mail }, tasks: mail.tasks };
  },
};
