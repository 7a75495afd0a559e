import { describe, expect, it } from "vitest";
import { identityTest, type Person } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { scopesOfRole } from "../../operation/actor";
import type { ActorCtx } from "../identity-ctx";
import { listAudit } from "./list-audit";
import { recordAudit } from "./record-audit";

const t = await openForFile(identityTest());
const [ada, eve] = [await t.person("ada@example.com"), await t.person("eve@example.com")];

const record = (ctx: ActorCtx, action: string, targetId = "chn_1") =>
  t.db.$transaction((tx) =>
    recordAudit(tx, ctx, { action, targets: [{ type: action.split(".")[0] ?? "", id: targetId }] }),
  );
const list = (ctx: ActorCtx, input: Record<string, unknown> = {}) => listAudit.run(ctx, listAudit.input.parse(input));
const actions = async (input: Record<string, unknown>) => (await list(ada, input)).data.map(({ action }) => action);

/** Acts in Ada's tenant. */
async function keyOf({ actor }: Person, name: string): Promise<ActorCtx> {
  const { tenantId } = actor;
  const project = await t.db.project.findFirstOrThrow({ where: { tenantId } });
  const id = `key_${name}`;
  await t.db.apiKey.create({
    data: {
      id,
      tenantId,
      projectId: project.id,
      mode: "live",
      name,
      hash: id,
      lastFour: "abcd",
      createdAt: t.clock.now(),
    },
  });
  const { request } = t.visitor();
  const scopes = scopesOfRole("owner");
  const key = { kind: "key", keyId: id, projectId: project.id, mode: "live", tenantId, scopes } as const;
  return { db: t.db, clock: t.clock, cursorKey: t.cursorKey, request, actor: key };
}

describe("the list", () => {
  it("lists actor, action, target and origin, newest first", async () => {
    await record(ada, "channel.created");
    const [entry, before] = (await list(ada)).data;
    expect(entry).toMatchObject({
      action: "channel.created",
      actor: { type: "user", id: ada.actor.userId, name: "ada@example.com" },
      targets: [{ type: "channel", id: "chn_1" }],
      context: { request_id: "req_test", address: ada.request.address, user_agent: "Firefox" },
      previous_hash: before?.hash,
      at: t.clock.now().toISOString(),
    });
    expect(entry?.sequence).toBe((before?.sequence ?? 0) + 1);
  });

  it("names the keys of the tenant, but no one of another tenant and no former member", async () => {
    await record(await keyOf(ada, "ci"), "channel.updated");
    await record({ ...eve, actor: { ...eve.actor, tenantId: ada.actor.tenantId } }, "channel.updated");
    const [foreign, byKey] = (await list(ada)).data;
    expect(byKey?.actor).toEqual({ type: "api_key", id: "key_ci", name: "ci" });
    expect(foreign?.actor).toEqual({ type: "user", id: eve.actor.userId });
  });

  it("never contains an entry of another tenant", async () => {
    const own = (await list(eve, { limit: 1000 })).data;
    const others = new Set((await list(ada, { limit: 1000 })).data.map(({ id }) => id));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ id }) => others.has(id))).toEqual([]);
  });

  it("is filtered by action, by kind of action, by actor, by target and by time", async () => {
    t.clock.advance(1000);
    const from = t.clock.now().toISOString();
    await record(ada, "creative.created", "crv_1");
    await record(ada, "creative.updated", "crv_1");
    t.clock.advance(1000);
    const to = t.clock.now().toISOString();
    await record(await keyOf(ada, "cd"), "creative.updated", "crv_2");
    expect(await actions({ action: "creative.updated" })).toEqual(["creative.updated", "creative.updated"]);
    expect(await actions({ action: "creative.*" })).toHaveLength(3);
    expect(await actions({ action: "reative.*" })).toEqual([]);
    expect(await actions({ actor_id: "key_cd" })).toEqual(["creative.updated"]);
    expect(await actions({ target_id: "crv_1" })).toEqual(["creative.updated", "creative.created"]);
    expect(await actions({ from, to })).toEqual(["creative.updated", "creative.created"]);
    expect(await actions({ from: to })).toEqual(["creative.updated"]);
    expect(await actions({ target_id: "crv_2", action: "creative.created" })).toEqual([]);
  });

  it("continues after its cursor whatever is appended in the meantime, and a cursor is valid for one filter only", async () => {
    for (let i = 0; i < 5; i++) await record(ada, "product.archived", `prd_${i}`);
    const first = await list(ada, { action: "product.*", limit: 2 });
    await record(ada, "product.archived", "prd_late");
    const second = await list(ada, { action: "product.*", limit: 3, cursor: first.next_cursor });
    const ids = [...first.data, ...second.data].map(({ targets }) => targets[0]?.id);
    expect(ids).toEqual(["prd_4", "prd_3", "prd_2", "prd_1", "prd_0"]);
    expect(second.next_cursor).toBeNull();
    const elsewhere = list(ada, { action: "channel.*", cursor: first.next_cursor });
    await expect(elsewhere).rejects.toMatchObject({ code: "invalid_request", param: "cursor" });
    const foreign = list(eve, { action: "product.*", cursor: first.next_cursor });
    await expect(foreign).rejects.toMatchObject({ code: "invalid_request", param: "cursor" });
  });

  it("rejects an invalid action and a time range that ends before it begins", async () => {
    for (const action of ["", "campaign", "campaign.%", "*", "campaign.updated.x"]) {
      expect(listAudit.input.safeParse({ action }).success).toBe(false);
    }
    const backwards = list(ada, { from: "2026-11-21T00:00:00Z", to: "2026-11-20T00:00:00Z" });
    await expect(backwards).rejects.toMatchObject({ code: "invalid_request", param: "to" });
  });
});
