import { afterAll, expect, it, vi } from "vitest";
import { testAlarms } from "../../../test/factories/alarms";
import { testDatabase } from "../../../test/factories/postgres";
import { smtpServer } from "../../../test/factories/smtp";
import { ManualClock } from "../../kernel/clock";
import { migrateJobs } from "../jobs/migrate-jobs";
import { startJobs } from "../jobs/start-jobs";
import { createMail } from "./mail";

const EMAIL = {
  tenantId: null,
  to: "ada@example.com",
  subject: "A link",
  text: "Open https://svc.example/x?token=t0ken\n",
};
const NOW = new Date("2026-11-20T12:00:00Z");
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const [database, smtp] = await Promise.all([testDatabase(), smtpServer()]);
await migrateJobs(database.sql);
afterAll(() => Promise.all([database.close(), smtp.close()]));

const mailOf = (options: { smtpUrl?: string; isLoopback: boolean }) =>
  createMail({ db: database.db, clock: new ManualClock(NOW), from: "svc <no-reply@svc.example>", ...options });

const emails = () => database.db.email.findMany({ orderBy: { id: "asc" } });

it("keeps emails for the outbox page while only this machine can see it", async () => {
  const mail = mailOf({ isLoopback: true });
  await database.db.$transaction((tx) => mail.send(tx, EMAIL));
  expect(await emails()).toMatchObject([{ ...EMAIL, sentAt: null }]);
  await database.db.email.deleteMany();
});

it("stores no email if nobody could read it", async () => {
  const mail = mailOf({ isLoopback: false });
  expect(mail.delivery).toBe("none");
  await database.db.$transaction((tx) => mail.send(tx, EMAIL));
  expect(await emails()).toEqual([]);
});

it("sends by SMTP, retries after a rejection, and erases the text once it is sent", async () => {
  smtp.refuseNext(1);
  const mail = mailOf({ smtpUrl: smtp.url, isLoopback: true });
  await database.db.$transaction((tx) => mail.send(tx, EMAIL));
  const worker = await startJobs({ pool: database.sql, alarms: testAlarms(database), tasks: mail.tasks, log });
  await vi.waitUntil(async () => (await emails())[0]?.sentAt, { timeout: 20_000, interval: 50 });
  await worker.stop();
  expect(smtp.received).toHaveLength(1);
  expect(smtp.received[0]).toContain("To: ada@example.com");
  expect(smtp.received[0]?.replaceAll("=3D", "=")).toContain("token=t0ken");
  expect(await emails()).toMatchObject([{ subject: EMAIL.subject, text: "", sentAt: NOW }]);
  await database.db.email.deleteMany();
});

it("erases the text when it gives up, and does not quote the server's reply", async () => {
  smtp.refuseNext(1);
  const mail = mailOf({ smtpUrl: smtp.url, isLoopback: true });
  await database.db.$transaction((tx) => mail.send(tx, EMAIL));
  const [email] = await emails();
  const run = mail.tasks.send_email({ id: email?.id }, { isLast: true });
  await expect(run).rejects.toThrow(/^The SMTP server did not accept the email \(\w+ 451\)\.$/);
  expect(await emails()).toMatchObject([{ text: "", sentAt: null }]);
});
