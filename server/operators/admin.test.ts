import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { identityTest, PASSWORD } from "../../test/factories/identity";
import { openForFile } from "../../test/factories/open-for-file";
import { logIn } from "../identity/sessions/log-in";
import { signUp } from "../identity/sign-up/sign-up";
import { createSignUpModeReader } from "../identity/sign-up/sign-up-mode";
import { uuidv7 } from "../kernel/ids";
import { runAdmin } from "./admin";

const t = await openForFile(identityTest());

async function admin(...argv: string[]): Promise<{ status: number; out: string; err: string; opened: boolean }> {
  const said = { out: "", err: "", opened: false };
  const status = await runAdmin(argv, {
    print: (line) => {
      said.out += line;
    },
    printError: (line) => {
      said.err += line;
    },
    withAccounts: async (act) => {
      said.opened = true;
      return act({
        ...t.ctx,
        sql: t.sql,
        currency: "USD",
        configuredSignUp: "open",
        secretsKey: Buffer.alloc(32),
        objectKeys: { current: Buffer.alloc(32) },
        nodesKey: Buffer.alloc(32),
        progress: () => undefined,
      });
    },
    engines: () => {
      throw new Error("no command of these opens the engines");
    },
  });
  return { status, ...said };
}

describe("svc admin", () => {
  it("prints its usage, and rejects invalid arguments with status 2 before it opens anything", async () => {
    expect((await admin("--help")).out).toContain("quota set <tenant> <resource> <limit>");
    expect(await admin("quota", "set", "--help")).toMatchObject({ status: 0, opened: false });
    for (const words of [
      ["quota"],
      ["nonsense"],
      ["invite", "no-address"],
      ["invite", "a@example.com", "--link"],
      ["quota", "set", "ten_1", "projects", "many"],
      ["tenants", "list", "more"],
      ["claw-back", "--channel", "chn_1"],
      ["claw-back", "--reason", "Bots"],
      ["claw-back", "--channel", "ten_1", "--reason", "Bots"],
      ["claw-back", "--channel", "chn_1", "--reason", "Bots", "--from", "yesterday"],
      ["claw-back", "--channel", "chn_1", "--reason", "Bots", "--offer", "7"],
      ["suspend-channel"],
      ["admit-tenant", "Acme"],
    ]) {
      expect(await admin(...words)).toMatchObject({ status: 2, out: "", opened: false });
    }
  });

  it("wraps data keys of objects again, and says how many", async () => {
    expect((await admin("rewrap-object-keys")).out).toContain("0 data keys of objects were encrypted");
    expect(JSON.parse((await admin("rewrap-object-keys", "--json")).out)).toEqual({ rewrapped: 0, unreadable: 0 });
    expect((await admin("rewrap-object-keys", "--help")).out).toContain("SVC_SECRET_PREVIOUS");
  });

  it("rotates the master key of secrets, and says that SVC_SECRET must stay", async () => {
    const [first, second] = [await admin("rotate-master-key", "--json"), await admin("rotate-master-key")];
    expect(JSON.parse(first.out)).toEqual({ version: 1, rewrapped: 0, resumed: false });
    expect(second.out).toContain("The master key is version 2");
    for (const { out } of [second, await admin("rotate-master-key", "--help")]) expect(out).toContain("SVC_SECRET");
    expect(await admin("rotate-master-key", "now")).toMatchObject({ status: 2, opened: false });
  });

  it("sets and resets a quota, and the tenant's audit log records it and verifies", async () => {
    const { tenantId } = (await t.person("quota@example.com")).actor;
    const set = await admin("quota", "set", tenantId, "projects", "7", "--json");
    expect(JSON.parse(set.out)).toMatchObject({ resource: "projects", limit: 7 });
    expect((await admin("quota", "list", tenantId)).out).toMatch(/projects +7 +1 +100/);
    await admin("quota", "reset", tenantId, "projects");
    expect((await admin("quota", "list", tenantId)).out).toMatch(/projects +100 +1 +100/);
    expect(await t.db.auditEntry.count({ where: { tenantId, action: "quota.changed" } })).toBe(2);
    expect(await admin("verify-audit", tenantId)).toMatchObject({ status: 0 });
    expect((await admin("tenants", "list")).out).toContain("quota@example.com");
    await expect(admin("quota", "list", "ten_unknown")).rejects.toMatchObject({ code: "not_found" });
  });

  it("admits a tenant to the machine of svc, and ends that", async () => {
    const { tenantId } = (await t.person("admitted@example.com")).actor;
    const admittedAt = async () => (await t.db.tenant.findUniqueOrThrow({ where: { id: tenantId } })).admittedAt;
    expect(await admittedAt()).toBeNull();
    expect((await admin("admit-tenant", tenantId)).out).toContain("may start on the machine of svc");
    expect(await admittedAt()).toEqual(t.clock.now());
    expect((await admin("tenants", "list")).out).toContain(t.clock.now().toISOString());
    await admin("admit-tenant", tenantId, "--revoke");
    expect(await admittedAt()).toBeNull();
    await expect(admin("admit-tenant", `${tenantId}x`)).rejects.toMatchObject({ code: "not_found" });
  });

  it("returns status 1 for a log that does not verify", async () => {
    const { tenantId } = (await t.person("broken@example.com")).actor;
    await t.db.auditHead.update({ where: { tenantId }, data: { sequence: { increment: 1 } } });
    const verdict = await admin("verify-audit", "--all", "--json");
    expect(verdict.status).toBe(1);
    expect(JSON.parse(verdict.out)).toContainEqual(expect.objectContaining({ tenant_id: tenantId, valid: false }));
  });

  it("closes sign-up immediately, and within ten seconds in processes that miss the notification", async () => {
    const deaf = { ...t.ctx, counters: { subscribe: async () => async () => undefined }, configured: "open" } as const;
    const elsewhere = await createSignUpModeReader(deaf);
    expect(await elsewhere.current()).toBe("open");
    expect((await admin("sign-up", "invite")).out).toContain("within 10 seconds");
    // Subscribers run after the publisher has continued.
    await setImmediate();
    const input = { email: "late@example.com", password: "a long enough password" };
    await expect(signUp.run(t.visitor(), input)).rejects.toMatchObject({ details: { reason: "signup_closed" } });
    expect(await elsewhere.current()).toBe("open");
    t.clock.advance(10_000);
    expect(await elsewhere.current()).toBe("invite");
    expect((await admin("sign-up", "status")).out).toBe("Sign-up: invite, set by an operator.");
    await admin("sign-up", "open");
    await setImmediate();
    await expect(signUp.run(t.visitor(), input)).resolves.toBeDefined();
  });

  it("issues the code that a login requires, only for existing accounts, and the audit log records it", async () => {
    const { email, actor } = await t.person("code@example.com");
    const { out } = await admin("log-in-code", email, "--json");
    const { code } = JSON.parse(out) as { code: string };
    expect(code).toMatch(/^\d{8}$/);
    const { user } = await logIn.run(t.visitor(), { email, password: PASSWORD, code });
    expect(user.id).toBe(actor.userId);
    const issued = { tenantId: actor.tenantId, action: "user.log_in_code_issued" };
    expect(await t.db.auditEntry.count({ where: issued })).toBe(1);
    await expect(admin("log-in-code", "absent@example.com")).rejects.toMatchObject({ code: "not_found" });
  });

  it("credits a balance in an append-only list, and the audit log records it", async () => {
    const { tenantId } = (await t.person("credit@example.com")).actor;
    expect((await admin("credit", tenantId, "12.50", "--note", "Invoice 7")).out).toContain("12.50 USD");
    expect(JSON.parse((await admin("credit", tenantId, "0.000001", "--json")).out)).toEqual({
      currency: "USD",
      credited_micros: 12_500_001,
      spent_micros: 0,
      available_micros: 12_500_001,
    });
    expect((await admin("balance", tenantId)).out).toContain("Available: 12.50 USD");
    const entries = await t.db.balanceEntry.findMany({ where: { tenantId }, orderBy: { amountNanos: "desc" } });
    expect(entries.map(({ amountNanos, kind, note }) => [amountNanos, kind, note])).toEqual([
      [12_500_000_000n, "credit", "Invoice 7"],
      [1000n, "credit", ""],
    ]);
    await expect(t.db.balanceEntry.deleteMany({ where: { tenantId } })).rejects.toThrow("append-only");
    await expect(t.db.balanceEntry.updateMany({ where: { tenantId }, data: { note: "x" } })).rejects.toThrow();
    expect(await t.db.auditEntry.count({ where: { tenantId, action: "balance.credited" } })).toBe(2);
    expect(await admin("credit", tenantId, "-5")).toMatchObject({ status: 2, opened: false });
    await expect(admin("credit", "ten_unknown", "5")).rejects.toMatchObject({ code: "not_found" });
  });

  it("reviews advertisers from a queue", async () => {
    const { tenantId } = (await t.person("review@example.com")).actor;
    const now = t.clock.now();
    const times = { createdAt: now, updatedAt: now, domainVerifiedAt: now };
    await t.db.advertiser.create({
      data: { id: "adv_queue", tenantId, name: "Acme", domain: "acme.example", review: "pending", ...times },
    });
    expect((await admin("advertisers", "list")).out).toContain("acme.example");
    expect(await admin("advertisers", "reject", "adv_queue")).toMatchObject({ status: 2, opened: false });
    await admin("advertisers", "reject", "adv_queue", "--note", "Not your brand");
    expect((await admin("advertisers", "list", "--review", "rejected")).out).toContain("adv_queue");
    await admin("advertisers", "approve", "adv_queue");
    expect(await t.db.advertiser.findUnique({ where: { id: "adv_queue" } })).toMatchObject({ review: "approved" });
    expect(await admin("advertisers", "list", "--review", "odd")).toMatchObject({ status: 2, opened: false });
  });

  it.each([
    [["credit"], "An argument is missing."],
    [["balance"], "An argument is missing."],
    [["balance", "ten_1", "ten_2"], "Too many arguments."],
  ])("says what is wrong with %j", async (argv, sentence) => {
    expect(await admin(...argv)).toMatchObject({ status: 2, opened: false, err: expect.stringContaining(sentence) });
  });

  it("creates a signing key", async () => {
    const { out } = await admin("rotate-signing-key", "--json");
    const { kid } = JSON.parse(out) as { kid: string };
    expect(await t.db.signingKey.findUnique({ where: { kid } })).not.toBeNull();
  });

  it("claws back a channel's events with --yes, and notifies the owners", async () => {
    const { tenantId } = (await t.person("publisher@example.com")).actor;
    const at = t.clock.now();
    const channel = { id: "chn_clawed", tenantId, mode: "live", name: "News", createdAt: at, updatedAt: at } as const;
    await t.db.channel.create({ data: channel });
    const [offerId, earlier] = [uuidv7(at.getTime() - 5000), new Date(at.getTime() - 1000)];
    await t.sql.query(
      `INSERT INTO ledger (offer_id, event, at, day, campaign_id, buyer_tenant_id, publisher_tenant_id, channel_id,
         charge_nanos, earning_nanos)
       VALUES ($1, 'click', $2, '2026-11-20', 'cmp_x', 'ten_x', $3, 'chn_clawed', 2000000000, 1400000000)`,
      [offerId, earlier, tenantId],
    );
    const words = ["claw-back", "--channel", channel.id, "--reason", "Bots of one network"];
    const dry = await admin(...words);
    expect(dry.out).toContain("Nothing was changed.");
    expect(dry.out).toMatch(/2026-11-20 +1 +2\.000000 +1\.400000/);
    const sums = { events: 1, charge_micros: 2_000_000, earning_micros: 1_400_000 };
    const sameDay = ["--from", "2026-11-20", "--to", "2026-11-21", "--offer", `${offerId},${uuidv7(0)}`, "--json"];
    expect(JSON.parse((await admin(...words, ...sameDay)).out)).toMatchObject({ done: false, ...sums });
    const done = await admin(...words, "--yes", "--block", "--json");
    expect(JSON.parse(done.out)).toMatchObject({ done: true, clawbacks: [{ reason: "Bots of one network", ...sums }] });
    expect((await admin(...words, "--yes")).out).toBe("Nothing is left to claw back.");
    expect((await t.lettersTo("publisher@example.com")).at(-1)).toMatchObject({
      subject: 'Earnings of the channel "News" were clawed back',
      text: expect.stringContaining("$1.40"),
    });
    expect((await admin("suspend-channel", channel.id)).out).toContain("already serves no campaigns of other tenants");
    expect((await admin("resume-channel", channel.id)).out).toContain("Takes effect within a second.");
    const actions = await t.db.auditEntry.findMany({ where: { tenantId }, orderBy: { sequence: "asc" } });
    expect(actions.map(({ action }) => action).slice(-3)).toEqual([
      "channel.suspended",
      "earnings.clawed_back",
      "channel.resumed",
    ]);
    expect(await admin("verify-audit", tenantId)).toMatchObject({ status: 0 });
  });
});
