import { expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { ResourceScene } from "../../../../test/factories/resource-scene";
import { deleteResource } from "../resources/delete-resource";
import { forgetResources } from "./forget-resources";

const scene = await openForFile(ResourceScene.open());

const DAY_MS = 24 * 3_600_000;

it("keeps records of deleted resources for 30 days, and longer while something shows them", async () => {
  const { clock, database, effects } = scene;
  const { db, sql } = database;
  const ctx = await scene.activeClient();
  const names = ["old", "named", "metered", "alive", "newer"];
  const rids = new Map<string, string>();
  for (const name of names) rids.set(name, (await scene.create(ctx, name)).rid);
  const ridOf = (name: string) => rids.get(name) ?? "";
  await scene.create(ctx, "naming", { beside: `${ridOf("named")}/part` });
  const [resourceId, { tenantId }] = [ridOf("metered"), ctx.actor];
  await db.publicPort.create({
    data: {
      resourceId,
      tenantId,
      projectId: "prj_x",
      mode: "test",
      port: 1,
      startedAt: clock.now(),
      priceNanosPerHour: 1n,
    },
  });
  for (const name of ["old", "named", "metered"]) await deleteResource.run(ctx, { rid: ridOf(name) });
  clock.advance(DAY_MS);
  await deleteResource.run(ctx, { rid: ridOf("newer") });
  const left = async () => {
    await forgetResources({ sql, clock });
    const rows = await db.resource.findMany({ where: { name: { in: names } } });
    return names.filter((name) => rows.some((row) => row.name === name));
  };
  clock.advance(29 * DAY_MS);
  expect(await left()).toEqual(names);
  clock.advance(1);
  expect(await left()).toEqual(["named", "metered", "alive", "newer"]);
  clock.advance(DAY_MS);
  expect(await left()).toEqual(["named", "metered", "alive"]);
  expect(effects.byRid.has(ridOf("alive"))).toBe(true);
});
