import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IdentityTest, identityTest, type Person } from "../../../test/factories/identity";
import { type Actor, type Scope, scopesOfRole } from "../actors/actor";
import type { KeyCtx } from "../identity-ctx";
import { createProject } from "../projects/create-project";
import { ListProjects, listProjects } from "../projects/list-projects";
import { seedAccount } from "../seed-account";
import { logIn } from "../users/log-in";
import { createKeyAuthentication } from "./authenticate-api-key";
import { ACTIVE_KEYS_MAX, CreateApiKey, createApiKey } from "./create-api-key";
import { getApiKey } from "./get-api-key";
import { ListApiKeys, listApiKeys } from "./list-api-keys";
import { revokeApiKey } from "./revoke-api-key";

let t: IdentityTest;
let owner: Person;
let stranger: Person;
beforeAll(async () => {
  t = await identityTest();
  owner = await t.person("owner@example.com");
  stranger = await t.person("stranger@example.com");
});
afterAll(() => t.close());

const SCOPES_HELD: Scope[] = ["keys:read", "keys:write", "ads:read"];
const ctxOf = (actor: Actor): KeyCtx => ({ ...owner, actor });

/** What a key with these scopes would act with. */
async function keyActor(
  scopes: readonly Scope[],
  mode: "test" | "live" = "live",
): Promise<Extract<Actor, { kind: "key" }>> {
  const { project_id: projectId, id: keyId } = await createApiKey(owner, { name: "actor", scopes: [...scopes], mode });
  return { kind: "key", keyId, projectId, mode, tenantId: owner.actor.tenantId, scopes: new Set(scopes) };
}

describe("creating a key", () => {
  it("shows it once, as its mode and 48 random characters, and keeps its hash and last four", async () => {
    const made = await createApiKey(owner, { name: "ci", scopes: ["ads:read", "ads:read"], mode: "live" });
    expect(made.key).toMatch(/^svc_live_[a-z2-7]{48}$/);
    expect(made).toMatchObject({ name: "ci", scopes: ["ads:read"], last_four: made.key.slice(-4), revoked_at: null });
    const { key, ...rest } = made;
    expect(await getApiKey(owner, { key_id: made.id })).toEqual(rest);
    expect(JSON.stringify(await t.db.apiKey.findMany())).not.toContain(key);
  });

  it("grants nothing that the actor does not have", async () => {
    const actor = await keyActor(SCOPES_HELD);
    const more = createApiKey(ctxOf(actor), { name: "more", scopes: ["ads:read", "ads:write"] });
    await expect(more).rejects.toMatchObject({ code: "forbidden", param: "scopes[1]" });
    const made = await createApiKey(ctxOf(actor), { name: "less", scopes: ["ads:read"] });
    expect(made).toMatchObject({ mode: "live", project_id: actor.projectId });
    await expect(
      createApiKey(ctxOf(actor), { name: "other", scopes: ["ads:read"], mode: "test" }),
    ).rejects.toMatchObject({
      code: "forbidden",
      param: "mode",
    });
  });

  it("takes the scope keys:write, which members do not have", async () => {
    const member = ctxOf({ ...owner.actor, role: "member", scopes: scopesOfRole("member") });
    await expect(createApiKey(member, { name: "x", scopes: ["ads:read"] })).rejects.toMatchObject({
      code: "forbidden",
    });
    const reader = ctxOf(await keyActor(["ads:read"]));
    await expect(listApiKeys(reader, ListApiKeys.parse({}))).rejects.toMatchObject({ code: "forbidden" });
  });

  it("stays within the tenant's own projects, and a key within its own project", async () => {
    const foreign = (await t.db.project.findFirstOrThrow({ where: { tenantId: stranger.actor.tenantId } })).id;
    const second = await createProject(owner, { name: "second" });
    const there = createApiKey(owner, { name: "x", scopes: ["ads:read"], project_id: foreign });
    await expect(there).rejects.toMatchObject({ code: "not_found" });
    const made = await createApiKey(owner, { name: "x", scopes: ["ads:read"], project_id: second.id });
    expect(made.project_id).toBe(second.id);
    const byKey = createApiKey(ctxOf(await keyActor(SCOPES_HELD)), {
      name: "x",
      scopes: ["ads:read"],
      project_id: second.id,
    });
    await expect(byKey).rejects.toMatchObject({ code: "not_found" });
  });

  it("refuses an expiry in the past, an unknown scope and none at all", async () => {
    const expires_at = t.clock.now().toISOString();
    const past = createApiKey(owner, { name: "x", scopes: ["ads:read"], expires_at });
    await expect(past).rejects.toMatchObject({ code: "invalid_request", param: "expires_at" });
    expect(CreateApiKey.safeParse({ name: "x", scopes: [] }).success).toBe(false);
    expect(CreateApiKey.safeParse({ name: "x", scopes: ["everything"] }).success).toBe(false);
  });

  it("stops at 100 active keys of a project, also when many are made at once; revoked and expired ones do not count", async () => {
    const project = await createProject(owner, { name: "full" });
    const make = (fields = {}) =>
      createApiKey(owner, { name: "x", scopes: ["ads:read"], project_id: project.id, ...fields });
    const [first, second] = [
      await make(),
      await make({ expires_at: new Date(t.clock.now().getTime() + 1000).toISOString() }),
    ];
    const row = await t.db.apiKey.findUniqueOrThrow({ where: { id: first.id } });
    const filler = Array.from({ length: ACTIVE_KEYS_MAX - 5 }, (_, i) => ({ ...row, id: `key_f${i}`, hash: `f${i}` }));
    await t.db.apiKey.createMany({ data: filler });
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => make()));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const one of made) if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "quota_exceeded" });
    await revokeApiKey(owner, { key_id: first.id });
    await make();
    await expect(make()).rejects.toMatchObject({ code: "quota_exceeded" });
    t.clock.advance(1000);
    await make();
    await expect(make()).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(second.expires_at).not.toBeNull();
  });
});

describe("seeing and revoking keys", () => {
  it("pages through a mode's keys, newest first, each once", async () => {
    const project = await createProject(owner, { name: "paged" });
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      t.clock.advance(1);
      made.unshift((await createApiKey(owner, { name: `k${i}`, scopes: ["ads:read"], project_id: project.id })).id);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listApiKeys(owner, ListApiKeys.parse({ project_id: project.id, limit: 2, cursor }));
      expect(page.data.length).toBeLessThanOrEqual(2);
      expect(JSON.stringify(page)).not.toContain("hash");
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(made);
    const live = await listApiKeys(owner, ListApiKeys.parse({ project_id: project.id, mode: "live" }));
    expect(live.data).toEqual([]);
  });

  it("shows a key those of its own project and mode alone", async () => {
    const actor = await keyActor(SCOPES_HELD, "test");
    const project = await createProject(owner, { name: "apart" });
    const apart = await createApiKey(owner, { name: "x", scopes: ["ads:read"], project_id: project.id });
    const live = await createApiKey(owner, { name: "x", scopes: ["ads:read"], mode: "live" });
    const { data } = await listApiKeys(ctxOf(actor), ListApiKeys.parse({ mode: "live" }));
    expect(data.every(({ mode, project_id }) => mode === "test" && project_id === actor.projectId)).toBe(true);
    for (const { id } of [apart, live]) {
      await expect(getApiKey(ctxOf(actor), { key_id: id })).rejects.toMatchObject({ code: "not_found" });
    }
    const projects = await listProjects(ctxOf(actor), ListProjects.parse({}));
    expect(projects.data.map(({ id }) => id)).toEqual([actor.projectId]);
  });

  it("knows no key or project of another tenant", async () => {
    const { id } = await createApiKey(owner, { name: "x", scopes: ["ads:read"] });
    await expect(getApiKey(stranger, { key_id: id })).rejects.toMatchObject({ code: "not_found" });
    await expect(revokeApiKey(stranger, { key_id: id })).rejects.toMatchObject({ code: "not_found" });
    expect((await listApiKeys(stranger, ListApiKeys.parse({}))).data).toEqual([]);
    expect((await listProjects(stranger, ListProjects.parse({}))).data).toHaveLength(1);
  });

  it("revokes once; again changes nothing", async () => {
    const { id } = await createApiKey(owner, { name: "x", scopes: ["ads:read"] });
    const first = await revokeApiKey(owner, { key_id: id });
    expect(first.revoked_at).toBe(t.clock.now().toISOString());
    t.clock.advance(1000);
    expect(await revokeApiKey(owner, { key_id: id })).toEqual(first);
  });
});

describe("seeding an account", () => {
  it("makes a verified owner with a project and two keys that have every scope, once", async () => {
    const seed = { email: "Demo@Example.com", password: "demo password", tenantName: "Demo", isDemo: true };
    const [a, b] = await Promise.all([seedAccount(t.ctx, seed), seedAccount(t.ctx, seed)]);
    const [made, found] = a.keys ? [a, b] : [b, a];
    expect(found).toEqual({ ...made, keys: undefined });
    const auth = await createKeyAuthentication(t.ctx);
    for (const mode of ["test", "live"] as const) {
      const actor = await auth.authenticate(made.keys?.[mode] ?? "");
      expect(actor).toMatchObject({ mode, tenantId: made.tenantId, projectId: made.projectId });
      expect(actor?.scopes).toEqual(scopesOfRole("owner"));
    }
    await auth.close();
    const { tenant, user } = await logIn(t.visitor(), { email: "demo@example.com", password: seed.password });
    expect(tenant).toMatchObject({ id: made.tenantId, name: "Demo", is_demo: true });
    expect(user.email_verified_at).not.toBeNull();
  });
});
