import { beforeEach, describe, expect, it } from "vitest";
import { identityTest, type Person } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { throughPipeline } from "../../../test/factories/through-pipeline";
import { scopesOfRole } from "../../operation/actor";
import { createApiKey } from "../api-keys/create-api-key";
import { revokeApiKey } from "../api-keys/revoke-api-key";
import { setQuota } from "../quotas/set-quota";
import { createProject } from "./create-project";
import { deleteProject } from "./delete-project";
import { getProject } from "./get-project";
import { listProjects } from "./list-projects";
import { restoreProject } from "./restore-project";
import { updateProject } from "./update-project";

let owner: Person;
let count = 0;
const t = await openForFile(identityTest());
const stranger = await t.person("stranger@example.com");
beforeEach(async () => {
  owner = await t.person(`owner${++count}@example.com`);
});

const namesOf = async (person: Person, page = {}) =>
  (await listProjects.run(person, listProjects.input.parse(page))).data.map(({ name }) => name);

describe("a project's name", () => {
  it("identifies one project of the tenant that is not archived", async () => {
    await createProject.run(owner, { name: "p" });
    const again = createProject.run(owner, { name: "p" });
    await expect(again).rejects.toMatchObject({ code: "conflict", param: "name", details: { reason: "name_taken" } });
    await createProject.run(stranger, { name: "p" });
  });

  it("is used once when many requests use it at once", async () => {
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => createProject.run(owner, { name: "race" })));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await namesOf(owner)).toEqual(["default", "race"]);
  });

  it("can be reused when its project is archived", async () => {
    const { id } = await createProject.run(owner, { name: "p" });
    await deleteProject.run(owner, { id });
    expect((await createProject.run(owner, { name: "p" })).id).not.toBe(id);
  });

  it("is not changed by keys of another project while it has keys of its own", async () => {
    const [own, other] = [
      await createProject.run(owner, { name: "own" }),
      await createProject.run(owner, { name: "other" }),
    ];
    const scopes = new Set(["projects:write"] as const);
    const { tenantId } = owner.actor;
    const actor = { kind: "key", keyId: "key_1", tenantId, projectId: own.id, mode: "test", scopes } as never;
    const rename = (id: string, name: string) => updateProject.run({ ...owner, actor }, { id, name });
    expect(await rename(own.id, "renamed")).toMatchObject({ name: "renamed" });
    expect(await rename(other.id, "unused")).toMatchObject({ name: "unused" });
    await createApiKey.run(owner, { name: "k", scopes: ["ads:read"], mode: "test", project: other.id });
    const refused = { code: "forbidden", details: { reason: "other_project" } };
    await expect(rename(other.id, "taken")).rejects.toMatchObject(refused);
    // Two that are made in the same millisecond have any order.
    expect((await namesOf(owner)).sort()).toEqual(["default", "renamed", "unused"]);
  });

  it("can be changed to any but another's, to its own too", async () => {
    const { id } = await createProject.run(owner, { name: "p" });
    const taken = updateProject.run(owner, { id, name: "default" });
    await expect(taken).rejects.toMatchObject({ code: "conflict", param: "name" });
    expect((await updateProject.run(owner, { id, name: "p" })).name).toBe("p");
    expect((await updateProject.run(owner, { id, name: "q" })).name).toBe("q");
    expect(await getProject.run(owner, { id })).toMatchObject({ name: "q" });
  });
});

describe("archiving a project", () => {
  it("requires that it has no active key", async () => {
    const { id } = await createProject.run(owner, { name: "p" });
    const key = await createApiKey.run(owner, { name: "k", scopes: ["ads:read"], project: id, mode: "live" });
    expect(await getProject.run(owner, { id })).toMatchObject({ active_keys: 1 });
    const early = deleteProject.run(owner, { id });
    await expect(early).rejects.toMatchObject({ code: "conflict", details: { reason: "active_keys", active_keys: 1 } });
    await revokeApiKey.run(owner, { id: key.id });
    await deleteProject.run(owner, { id });
    expect(await namesOf(owner)).toEqual(["default"]);
    await expect(getProject.run(owner, { id })).rejects.toMatchObject({ code: "not_found" });
    await expect(deleteProject.run(owner, { id })).rejects.toMatchObject({ code: "not_found" });
    const late = createApiKey.run(owner, { name: "k", scopes: ["ads:read"], project: id });
    await expect(late).rejects.toMatchObject({ code: "not_found", param: "project" });
  });

  it("leaves no active key when one is created at the same time", async () => {
    for (let i = 0; i < 5; i++) {
      const { id } = await createProject.run(owner, { name: `p${i}` });
      const make = () => createApiKey.run(owner, { name: "k", scopes: ["ads:read"], project: id });
      const [made, archived] = await Promise.allSettled([make(), deleteProject.run(owner, { id })]);
      expect([made.status, archived.status].sort()).toEqual(["fulfilled", "rejected"]);
    }
  });

  it("leaves one project, also when two are archived at once", async () => {
    const { id } = await createProject.run(owner, { name: "p" });
    const first = (await listProjects.run(owner, listProjects.input.parse({}))).data[0]?.id ?? "";
    const archived = await Promise.allSettled([
      deleteProject.run(owner, { id }),
      deleteProject.run(owner, { id: first }),
    ]);
    const refusals = archived.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refusals).toEqual([expect.objectContaining({ code: "conflict", details: { reason: "last_project" } })]);
    expect(await namesOf(owner)).toHaveLength(1);
  });
});

describe("restoring a project", () => {
  it("brings it back as it was, but for its keys, and once is as good as twice", async () => {
    const before = await createProject.run(owner, { name: "p" });
    const key = await createApiKey.run(owner, { name: "k", scopes: ["ads:read"], project: before.id, mode: "live" });
    await revokeApiKey.run(owner, { id: key.id });
    await deleteProject.run(owner, { id: before.id });
    for (let i = 0; i < 2; i++) expect(await restoreProject.run(owner, { id: before.id })).toEqual(before);
    expect(await namesOf(owner)).toEqual(["default", "p"]);
    await createApiKey.run(owner, { name: "k2", scopes: ["ads:read"], project: before.id, mode: "live" });
    await expect(restoreProject.run(stranger, { id: before.id })).rejects.toMatchObject({ code: "not_found" });
  });

  it("is refused while another project has its name, and beyond the limit", async () => {
    const { id } = await createProject.run(owner, { name: "p" });
    await deleteProject.run(owner, { id });
    const other = await createProject.run(owner, { name: "p" });
    const taken = restoreProject.run(owner, { id });
    await expect(taken).rejects.toMatchObject({ code: "conflict", details: { reason: "name_taken" } });
    await updateProject.run(owner, { id: other.id, name: "q" });
    await setQuota(t.ctx, { tenant_id: owner.actor.tenantId, resource: "projects", limit: 2 });
    await expect(restoreProject.run(owner, { id })).rejects.toMatchObject({ code: "quota_exceeded" });
    await deleteProject.run(owner, { id: other.id });
    await restoreProject.run(owner, { id });
    expect(await namesOf(owner)).toEqual(["default", "p"]);
  });
});

describe("projects", () => {
  it("of another tenant are unknown", async () => {
    const { id } = await createProject.run(owner, { name: "mine" });
    for (const act of [
      () => getProject.run(stranger, { id }),
      () => updateProject.run(stranger, { id, name: "theirs" }),
      () => deleteProject.run(stranger, { id }),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: "not_found" });
    }
  });

  it("are read by members and changed by owners and admins", async () => {
    const member = { ...owner, actor: { ...owner.actor, role: "member", scopes: scopesOfRole("member") } as const };
    expect(await namesOf(member)).toEqual(["default"]);
    await expect(throughPipeline(member, createProject, { name: "x" })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("are limited per tenant; an operator can raise the limit, and archived ones do not count", async () => {
    const limit = { tenant_id: owner.actor.tenantId, resource: "projects" } as const;
    await setQuota(t.ctx, { ...limit, limit: 2 });
    const { id } = await throughPipeline(owner, createProject, { name: "second" });
    const third = () => throughPipeline(owner, createProject, { name: "third" });
    await expect(third()).rejects.toMatchObject({
      code: "quota_exceeded",
      retryAfterSeconds: undefined,
      details: { resource: "projects", limit: 2 },
    });
    await deleteProject.run(owner, { id });
    await third();
    await setQuota(t.ctx, { ...limit, limit: null });
    await throughPipeline(owner, createProject, { name: "fourth" });
  });

  it("leave one audit entry for each change, and none for what changes nothing", async () => {
    const { id } = await createProject.run(owner, { name: "p" });
    await updateProject.run(owner, { id, name: "p" });
    await updateProject.run(owner, { id });
    await updateProject.run(owner, { id, name: "q" });
    await deleteProject.run(owner, { id });
    const entries = await t.db.auditEntry.findMany({
      where: { tenantId: owner.actor.tenantId, action: { startsWith: "project." } },
      orderBy: { sequence: "asc" },
    });
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ["project.created", {}],
      ["project.updated", { changes: { name: { from: "p", to: "q" } } }],
      ["project.archived", {}],
    ]);
  });
});
