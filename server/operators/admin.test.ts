import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IdentityTest, identityTest } from "../../test/factories/identity";
import { createSignUpModeReader } from "../identity/sign-up-mode/sign-up-mode";
import { signUp } from "../identity/users/sign-up";
import { runAdmin } from "./admin";

let t: IdentityTest;
beforeAll(async () => {
  t = await identityTest();
});
afterAll(() => t.close());

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
      return act({ ...t.ctx, configuredSignUp: "open" });
    },
    engines: () => {
      throw new Error("no command of these opens the engines");
    },
  });
  return { status, ...said };
}

describe("svc admin", () => {
  it("explains itself, and refuses wrong words with status 2 before it opens anything", async () => {
    expect((await admin("--help")).out).toContain("quota set <tenant> <resource> <limit>");
    expect(await admin("quota", "set", "--help")).toMatchObject({ status: 0, opened: false });
    for (const words of [
      ["quota"],
      ["nonsense"],
      ["invite", "no-address"],
      ["invite", "a@example.com", "--link"],
      ["quota", "set", "ten_1", "projects", "many"],
      ["tenants", "list", "more"],
    ]) {
      expect(await admin(...words)).toMatchObject({ status: 2, out: "", opened: false });
    }
  });

  it("sets and resets a quota, and the tenant's audit log says so and verifies", async () => {
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

  it("answers 1 for a log that does not verify", async () => {
    const { tenantId } = (await t.person("broken@example.com")).actor;
    await t.db.auditHead.update({ where: { tenantId }, data: { sequence: { increment: 1 } } });
    const verdict = await admin("verify-audit", "--all", "--json");
    expect(verdict.status).toBe(1);
    expect(JSON.parse(verdict.out)).toContainEqual(expect.objectContaining({ tenant_id: tenantId, valid: false }));
  });

  it("closes sign-up over the configuration: here at once, unheard within ten seconds", async () => {
    const deaf = { ...t.ctx, counters: { subscribe: async () => async () => undefined }, configured: "open" } as const;
    const elsewhere = await createSignUpModeReader(deaf);
    expect(await elsewhere.current()).toBe("open");
    expect((await admin("sign-up", "invite")).out).toContain("within 10 seconds");
    // Listeners run after the publisher has gone on.
    await setImmediate();
    const input = { email: "late@example.com", password: "a long enough password" };
    await expect(signUp(t.visitor(), input)).rejects.toMatchObject({ details: { reason: "signup_closed" } });
    expect(await elsewhere.current()).toBe("open");
    t.clock.advance(10_000);
    expect(await elsewhere.current()).toBe("invite");
    expect((await admin("sign-up", "status")).out).toBe("Sign-up: invite, set by an operator.");
    await admin("sign-up", "open");
    await setImmediate();
    await expect(signUp(t.visitor(), input)).resolves.toBeDefined();
  });

  it("makes a signing key", async () => {
    const { out } = await admin("rotate-signing-key", "--json");
    const { kid } = JSON.parse(out) as { kid: string };
    expect(await t.db.signingKey.findUnique({ where: { kid } })).not.toBeNull();
  });
});
