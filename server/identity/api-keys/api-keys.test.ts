import { describe, expect, it } from "vitest";
import { identityTest } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { type Actor, type Scope, scopesOfRole } from "../../operation/actor";
import { authorize } from "../../operation/authorize";
import type { KeyCtx } from "../identity-ctx";
import { createProject } from "../projects/create-project";
import { listProjects } from "../projects/list-projects";
import { seedAccount } from "../seed-account";
import { logIn } from "../sessions/log-in";
import { createKeyAuthentication } from "./authenticate-api-key";
import { createApiKey } from "./create-api-key";
import { getApiKey } from "./get-api-key";
import { listApiKeys } from "./list-api-keys";
import { revokeApiKey } from "./revoke-api-key";
import { rotateApiKey } from "./rotate-api-key";

const t = await openForFile(identityTest());
const owner = await t.person("owner@example.com");
const stranger = await t.person("stranger@example.com");

const SCOPES_HELD: Scope[] = ["keys:read", "keys:write", "ads:read"];
const ctxOf = (actor: Actor): KeyCtx => ({ ...owner, actor });

/** The actor of a key with these scopes. */
async function keyActor(
  scopes: readonly Scope[],
  mode: "test" | "live" = "live",
): Promise<Extract<Actor, { kind: "key" }>> {
  const { project_id: projectId, id: keyId } = await createApiKey.run(owner, {
    name: "actor",
    scopes: [...scopes],
    mode,
  });
  return { kind: "key", keyId, projectId, mode, tenantId: owner.actor.tenantId, scopes: new Set(scopes) };
}

describe("creating a key", () => {
  it("shows it once, as its mode and 48 random characters, and keeps its hash and last four", async () => {
    const made = await createApiKey.run(owner, { name: "ci", scopes: ["ads:read", "ads:read"], mode: "live" });
    expect(made.key).toMatch(/^svc_live_[a-z2-7]{48}$/);
    expect(made).toMatchObject({ name: "ci", scopes: ["ads:read"], last_four: made.key.slice(-4), revoked_at: null });
    const { key, ...rest } = made;
    expect(await getApiKey.run(owner, { id: made.id })).toEqual(rest);
    expect(JSON.stringify(await t.db.apiKey.findMany())).not.toContain(key);
  });

  it("grants nothing that the actor does not have", async () => {
    const actor = await keyActor(SCOPES_HELD);
    const more = createApiKey.run(ctxOf(actor), { name: "more", scopes: ["ads:read", "ads:write"] });
    await expect(more).rejects.toMatchObject({ code: "forbidden", param: "scopes[1]" });
    const made = await createApiKey.run(ctxOf(actor), { name: "less", scopes: ["ads:read"] });
    expect(made).toMatchObject({ mode: "live", project_id: actor.projectId });
    await expect(
      createApiKey.run(ctxOf(actor), { name: "other", scopes: ["ads:read"], mode: "test" }),
    ).rejects.toMatchObject({
      code: "forbidden",
      param: "mode",
    });
  });

  it("may pass on its own expiry and addresses, or stricter ones, but not more", async () => {
    const expiresAt = new Date(t.clock.now().getTime() + 3_600_000);
    const bounds = { expires_at: expiresAt.toISOString(), allowed_addresses: ["192.0.2.0/24"] };
    const parent = await createApiKey.run(owner, { name: "parent", scopes: SCOPES_HELD, mode: "live", ...bounds });
    const actor = { ...(await keyActor(SCOPES_HELD)), keyId: parent.id };
    const make = (asked: object) => createApiKey.run(ctxOf(actor), { name: "child", scopes: ["ads:read"], ...asked });
    expect(await make({})).toMatchObject(bounds);
    expect(await make({ allowed_addresses: ["192.0.2.7"] })).toMatchObject({ allowed_addresses: ["192.0.2.7"] });
    const later = new Date(expiresAt.getTime() + 1).toISOString();
    await expect(make({ expires_at: later })).rejects.toMatchObject({ code: "forbidden", param: "expires_at" });
    for (const [entries, param] of [
      [["192.0.2.7", "192.0.0.0/16"], "allowed_addresses[1]"],
      [[], "allowed_addresses"],
    ] as const) {
      await expect(make({ allowed_addresses: entries })).rejects.toMatchObject({ code: "forbidden", param });
    }
    const free = await createApiKey.run(owner, { name: "free", scopes: ["ads:read"], mode: "live" });
    await expect(rotateApiKey.run(ctxOf(actor), { id: free.id, grace_seconds: 0 })).rejects.toMatchObject({
      code: "forbidden",
      param: "expires_at",
    });
  });

  it("requires the scope keys:write, which members do not have", async () => {
    const forbidden = expect.objectContaining({ code: "forbidden" });
    const member: Actor = { ...owner.actor, role: "member", scopes: scopesOfRole("member") };
    expect(() => authorize(createApiKey.access, { actor: member })).toThrow(forbidden);
    const reader = await keyActor(["ads:read"]);
    expect(() => authorize(listApiKeys.access, { actor: reader })).toThrow(forbidden);
  });

  it("stays within the tenant's own projects, and a key within its own project", async () => {
    const foreign = (await t.db.project.findFirstOrThrow({ where: { tenantId: stranger.actor.tenantId } })).id;
    const second = await createProject.run(owner, { name: "second" });
    const there = createApiKey.run(owner, { name: "x", scopes: ["ads:read"], project: foreign });
    await expect(there).rejects.toMatchObject({ code: "not_found" });
    const made = await createApiKey.run(owner, { name: "x", scopes: ["ads:read"], project: second.id });
    expect(made.project_id).toBe(second.id);
    const byKey = createApiKey.run(ctxOf(await keyActor(SCOPES_HELD)), {
      name: "x",
      scopes: ["ads:read"],
      project: second.id,
    });
    await expect(byKey).rejects.toMatchObject({ code: "not_found" });
  });

  it("rejects an expiry in the past, an unknown scope and an empty list of scopes", async () => {
    const expires_at = t.clock.now().toISOString();
    const past = createApiKey.run(owner, { name: "x", scopes: ["ads:read"], expires_at });
    await expect(past).rejects.toMatchObject({ code: "invalid_request", param: "expires_at" });
    expect(createApiKey.input.safeParse({ name: "x", scopes: [] }).success).toBe(false);
    expect(createApiKey.input.safeParse({ name: "x", scopes: ["everything"] }).success).toBe(false);
  });

  it("allows 100 active keys per project when 120 are created at once; revoked and expired ones do not count", async () => {
    const project = await createProject.run(owner, { name: "full" });
    const make = (fields = {}) =>
      createApiKey.run(owner, { name: "x", scopes: ["ads:read"], project: project.id, ...fields });
    const [first] = [await make(), await make({ expires_at: new Date(t.clock.now().getTime() + 1000).toISOString() })];
    const made = await Promise.allSettled(Array.from({ length: 120 }, () => make()));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(98);
    const refusals = made.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        code: "quota_exceeded",
        retryAfterSeconds: undefined,
        details: { resource: "active_keys_per_project", limit: 100 },
      });
    }
    await revokeApiKey.run(owner, { id: first.id });
    await make();
    await expect(make()).rejects.toMatchObject({ code: "quota_exceeded" });
    t.clock.advance(1000);
    await make();
    await expect(make()).rejects.toMatchObject({ code: "quota_exceeded" });
    await createApiKey.run(owner, { name: "elsewhere", scopes: ["ads:read"] });
  });

  it("accepts a project by id or name, and uses the first one by default", async () => {
    const second = await createProject.run(owner, { name: "by name" });
    const projectOf = async (project?: string) =>
      (await createApiKey.run(owner, { name: "x", scopes: ["ads:read"], ...(project && { project }) })).project_id;
    expect(await projectOf("by name")).toBe(second.id);
    expect(await projectOf(second.id)).toBe(second.id);
    expect(await projectOf()).toBe(await projectOf("default"));
    await expect(projectOf("nowhere")).rejects.toMatchObject({ code: "not_found", param: "project" });
  });

  it.each([
    ["not an address", "somewhere"],
    ["short", "10/8"],
    ["too many bits", "10.0.0.0/33"],
    ["a zone", "fe80::1%eth0"],
    ["octal", "010.0.0.1"],
  ])("names the invalid entry of an allow-list: %s", (_, entry) => {
    const parsed = createApiKey.input.safeParse({
      name: "x",
      scopes: ["ads:read"],
      allowed_addresses: ["192.0.2.1", "2001:db8::/32", entry],
    });
    const [issue] = parsed.error?.issues ?? [];
    expect(issue?.path).toEqual(["allowed_addresses", 2]);
    expect(issue?.message).toContain(`"${entry}" is neither an address nor a network`);
  });

  it("accepts 50 allowed addresses but not 51", () => {
    const parse = (length: number) =>
      createApiKey.input.safeParse({
        name: "x",
        scopes: ["ads:read"],
        allowed_addresses: Array.from({ length }, (_, i) => `192.0.2.${i}`),
      });
    expect(parse(50).success).toBe(true);
    expect(parse(51).error?.issues[0]?.path).toEqual(["allowed_addresses"]);
  });
});

describe("seeing and revoking keys", () => {
  it("filters by state and by a project's name", async () => {
    const project = await createProject.run(owner, { name: "states" });
    const make = (fields = {}) =>
      createApiKey.run(owner, { name: "s", scopes: ["ads:read"], project: project.id, ...fields });
    const expired = await make({ expires_at: new Date(t.clock.now().getTime() + 1).toISOString() });
    const [revoked, active] = [await make(), await make()];
    await revokeApiKey.run(owner, { id: revoked.id });
    t.clock.advance(1);
    for (const [state, { id }] of Object.entries({ expired, revoked, active })) {
      const { data } = await listApiKeys.run(owner, listApiKeys.input.parse({ project: "states", state }));
      expect(data.map((key) => key.id)).toEqual([id]);
    }
  });

  it("shows a key only those of its own project and mode", async () => {
    const actor = await keyActor(SCOPES_HELD, "test");
    const project = await createProject.run(owner, { name: "apart" });
    const apart = await createApiKey.run(owner, { name: "x", scopes: ["ads:read"], project: project.id });
    const live = await createApiKey.run(owner, { name: "x", scopes: ["ads:read"], mode: "live" });
    const { data } = await listApiKeys.run(ctxOf(actor), listApiKeys.input.parse({ mode: "live" }));
    expect(data.every(({ mode, project_id }) => mode === "test" && project_id === actor.projectId)).toBe(true);
    for (const { id } of [apart, live]) {
      await expect(getApiKey.run(ctxOf(actor), { id: id })).rejects.toMatchObject({ code: "not_found" });
    }
    expect(() => authorize(listProjects.access, { actor })).toThrow(expect.objectContaining({ code: "forbidden" }));
  });

  it("does not find a key or project of another tenant", async () => {
    const { id } = await createApiKey.run(owner, { name: "x", scopes: ["ads:read"] });
    await expect(getApiKey.run(stranger, { id: id })).rejects.toMatchObject({ code: "not_found" });
    await expect(revokeApiKey.run(stranger, { id: id })).rejects.toMatchObject({ code: "not_found" });
    expect((await listApiKeys.run(stranger, listApiKeys.input.parse({}))).data).toEqual([]);
    expect((await listProjects.run(stranger, listProjects.input.parse({}))).data).toHaveLength(1);
  });

  it("is revoked by keys that have all of its scopes, and by owners", async () => {
    const make = async (scopes: Scope[]) =>
      createApiKey.run(owner, createApiKey.input.parse({ name: "k", scopes, mode: "test" }));
    const [strong, weak] = [await make(["secrets:reveal", "ads:read"]), await make(["ads:read"])];
    const { tenantId } = owner.actor;
    const scopes = new Set(["keys:write", "ads:read"] as const);
    const own = { kind: "key", keyId: weak.id, tenantId, projectId: weak.project_id, mode: "test", scopes } as never;
    const key = { ...owner, actor: own };
    const refused = { code: "forbidden", details: { reason: "scope_missing", scope: "secrets:reveal" } };
    await expect(revokeApiKey.run(key, { id: strong.id })).rejects.toMatchObject(refused);
    expect((await revokeApiKey.run(key, { id: weak.id })).revoked_at).not.toBeNull();
    expect((await revokeApiKey.run(owner, { id: strong.id })).revoked_at).not.toBeNull();
  });

  it("revokes once; a second call changes nothing", async () => {
    const { id } = await createApiKey.run(owner, { name: "x", scopes: ["ads:read"] });
    const first = await revokeApiKey.run(owner, { id: id });
    expect(first.revoked_at).toBe(t.clock.now().toISOString());
    t.clock.advance(1000);
    expect(await revokeApiKey.run(owner, { id: id })).toEqual(first);
  });
});

describe("rotating a key", () => {
  const newKey = (fields = {}) => createApiKey.run(owner, { name: "r", scopes: ["ads:read"], mode: "live", ...fields });

  it("keeps the key and shows its new secret once", async () => {
    const { key, ...made } = await newKey({ allowed_addresses: ["192.0.2.0/24"] });
    t.clock.advance(1000);
    const { key: next, ...rotated } = await rotateApiKey.run(owner, { id: made.id, grace_seconds: 60 });
    expect(next).toMatch(/^svc_live_[a-z2-7]{48}$/);
    expect(next).not.toBe(key);
    expect(rotated).toEqual({
      ...made,
      last_four: next.slice(-4),
      rotated_at: t.clock.now().toISOString(),
      previous_secret_until: new Date(t.clock.now().getTime() + 60_000).toISOString(),
    });
    expect(await getApiKey.run(owner, { id: made.id })).toEqual(rotated);
    const stored = JSON.stringify([await t.db.apiKey.findMany(), await t.db.auditEntry.findMany()], (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    for (const secret of [key, next]) expect(stored).not.toContain(secret);
  });

  it("fails for a key that was revoked or has expired", async () => {
    const [revoked, expired] = [
      await newKey(),
      await newKey({ expires_at: new Date(t.clock.now().getTime() + 1000).toISOString() }),
    ];
    await revokeApiKey.run(owner, { id: revoked.id });
    t.clock.advance(1000);
    for (const [{ id }, reason] of [
      [revoked, "key_revoked"],
      [expired, "key_expired"],
    ] as const) {
      const rotated = rotateApiKey.run(owner, { id, grace_seconds: 0 });
      await expect(rotated).rejects.toMatchObject({ code: "conflict", details: { reason } });
    }
  });

  it("gives no one a secret with scopes that they do not have", async () => {
    const actor = await keyActor(SCOPES_HELD);
    const strong = await newKey({ scopes: ["ads:read", "ads:write"] });
    const rotated = rotateApiKey.run(ctxOf(actor), { id: strong.id, grace_seconds: 0 });
    await expect(rotated).rejects.toMatchObject({ code: "forbidden", details: { scope: "ads:write" } });
    const weak = await newKey();
    expect((await rotateApiKey.run(ctxOf(actor), { id: weak.id, grace_seconds: 0 })).id).toBe(weak.id);
  });

  it("does not find a key of another tenant, mode or project", async () => {
    const { id } = await newKey();
    const inTest = ctxOf(await keyActor(SCOPES_HELD, "test"));
    for (const ctx of [stranger, inTest]) {
      await expect(rotateApiKey.run(ctx, { id, grace_seconds: 0 })).rejects.toMatchObject({ code: "not_found" });
    }
  });

  it("accepts a grace period of up to a day", () => {
    const parse = (grace_seconds: unknown) => rotateApiKey.input.safeParse({ id: "key_1", grace_seconds }).success;
    expect([0, 86_400, undefined].map(parse)).toEqual([true, true, true]);
    expect([-1, 86_401, 1.5, "60"].map(parse)).toEqual([false, false, false, false]);
  });
});

describe("the audit log", () => {
  it("has one entry for each change of a key, and none for what changes nothing", async () => {
    const made = await createApiKey.run(owner, { name: "logged", scopes: ["ads:read"] });
    await rotateApiKey.run(owner, { id: made.id, grace_seconds: 5 });
    await revokeApiKey.run(owner, { id: made.id });
    await revokeApiKey.run(owner, { id: made.id });
    const entries = await t.db.auditEntry.findMany({
      where: { tenantId: owner.actor.tenantId },
      orderBy: { sequence: "desc" },
      take: 3,
    });
    expect(entries.map(({ action }) => action)).toEqual(["api_key.revoked", "api_key.rotated", "api_key.created"]);
    for (const { targets } of entries) expect(targets).toEqual([{ type: "api_key", id: made.id, name: "logged" }]);
  });
});

describe("seeding an account", () => {
  it("creates a verified owner with a project and two keys that have every scope, once", async () => {
    const seed = { email: "Demo@Example.com", password: "demo password", tenantName: "Demo", isDemo: true };
    const [a, b] = await Promise.all([seedAccount(t.ctx, seed), seedAccount(t.ctx, seed)]);
    const [made, found] = a.keys ? [a, b] : [b, a];
    expect(found).toEqual({ ...made, keys: undefined });
    const auth = await createKeyAuthentication(t.ctx);
    for (const mode of ["test", "live"] as const) {
      const actor = await auth.authenticate(made.keys?.[mode] ?? "", { address: "203.0.113.7" });
      expect(actor).toMatchObject({ mode, tenantId: made.tenantId, projectId: made.projectId });
      expect(actor?.scopes).toEqual(scopesOfRole("owner"));
    }
    await auth.close();
    const { tenant, user } = await logIn.run(t.visitor(), { email: "demo@example.com", password: seed.password });
    expect(tenant).toMatchObject({ id: made.tenantId, name: "Demo", is_demo: true });
    expect(user.email_verified_at).not.toBeNull();
  });
});
