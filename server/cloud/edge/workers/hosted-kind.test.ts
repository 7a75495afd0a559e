import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { EFFECT_SERVICE, ResourceScene } from "../../../../test/factories/resource-scene";
import { startAlarms } from "../../../engines/start-alarms";
import { systemClock } from "../../../kernel/clock";
import { Families } from "../../core/kinds/families";
import type { Kind } from "../../core/kinds/kind";
import type { ResourceCtx } from "../../core/records/resource-ctx";
import { deleteResource } from "../../core/resources/delete-resource";
import { servedBy } from "../../core/served-copies/served-changes.sql";
import { ServedCopies } from "../../core/served-copies/served-copies";
import { hostedBySlug } from "./edge.sql";
import { hostedKind } from "./hosted-kind";
import { HOSTED_RESPONSES } from "./hosted-response";

const SOON = { timeout: 30_000, interval: 20 };
const Spec = z.strictObject({ target: z.string().default("https://old.example/") });

let scene: ResourceScene;
let ctx: ResourceCtx;
beforeAll(async () => {
  scene = await ResourceScene.open();
});
beforeEach(async () => {
  await scene.reset();
  await scene.database.db.servedChange.deleteMany();
  const { db, sql } = scene.database;
  const edge = { urlOf: (slug: string) => `http://${slug}.edge.test/` };
  const parts = { db, sql, edge, clock: scene.clock, encryptionKey: randomBytes(32) };
  const effect: Kind<z.output<typeof Spec>> = {
    spec: Spec,
    plan: () => [],
    ...hostedKind<z.output<typeof Spec>>(() => parts, {
      proof: "Follow it",
      responseOf: async ({ spec: { target } }) => ({
        type: "redirect",
        status: 302,
        target,
        keepsPath: false,
        keepsQuery: false,
      }),
    }),
  };
  const texts = { label: "Hosts", summary: "Hosts of a test." };
  scene.families = new Families([
    { ...EFFECT_SERVICE, ...texts, meters: [], skus: [], kinds: { effect: effect as Kind } },
  ]);
  ctx = await scene.activeClient();
});
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
afterAll(() => scene.close());

/** What one process sends at hosts. It follows changes at once, or with `follow` only. */
async function sending({ follows }: { follows: boolean }) {
  const { sql } = scene.database;
  const alarms = startAlarms({ sql, clock: systemClock, log: pino({ level: "silent" }), isManual: !follows });
  const served = new ServedCopies({ sql, alarms, leaseMs: 600_000 });
  const stop = () => served.stop();
  stops.push(async () => {
    await stop();
    await alarms.stop();
  });
  const load = (slug: string) => hostedBySlug(sql, slug);
  const copies = await served.of({ topic: HOSTED_RESPONSES, load, bytesMax: 100_000 });
  const target = async (slug: string) => {
    const hosted = await copies.get(slug);
    return hosted?.response.type === "redirect" ? hosted.response.target : undefined;
  };
  return { target, follow: () => alarms.settle(), stop };
}

/** The state of a resource after a round a second later; with a question mark while a step of it has not ended. */
async function state(rid: string): Promise<string> {
  scene.clock.advance(1000);
  await scene.round();
  const row = await scene.database.db.resource.findUniqueOrThrow({ where: { id: rid } });
  return row.observedGeneration === row.generation && row.leaseOwner === null ? row.state : `${row.state}?`;
}

/** The last change of a host, and who serves it. */
async function change() {
  const { db, sql } = scene.database;
  const { key: slug } = await db.servedChange.findFirstOrThrow({ orderBy: { version: "desc" } });
  const { id: rid } = await db.resource.findFirstOrThrow();
  return { rid, slug, by: (await servedBy(sql, { topic: HOSTED_RESPONSES, keys: [slug] })).get(slug) };
}

describe("the host of a resource", () => {
  it("is ready, changed and deleted when every process that serves it does so", async () => {
    const [first, second] = [await sending({ follows: true }), await sending({ follows: false })];
    const both = async () => [await first.target(slug), await second.target(slug)];

    const creation = scene.create(ctx, "docs");
    await expect.poll(change, SOON).toMatchObject({ by: "some" });
    const { rid, slug } = await change();
    await expect.poll(() => state(rid), SOON).toBe("provisioning");
    await second.follow();
    await expect.poll(() => state(rid), SOON).toBe("ready");
    expect(await both()).toEqual(["https://old.example/", "https://old.example/"]);
    await creation;

    const update = scene.update(ctx, rid, { target: "https://new.example/" });
    await expect.poll(change, SOON).toMatchObject({ by: "some" });
    await expect.poll(() => state(rid), SOON).toBe("provisioning");
    expect(await second.target(slug)).toBe("https://old.example/");
    await second.follow();
    await expect.poll(() => state(rid), SOON).toBe("ready");
    expect(await both()).toEqual(["https://new.example/", "https://new.example/"]);
    await update;

    const deletion = deleteResource.run(ctx, { rid });
    await expect.poll(change, SOON).toMatchObject({ by: "some" });
    await expect.poll(() => state(rid), SOON).toBe("deleting");
    expect(await second.target(slug)).toBe("https://new.example/");
    await second.follow();
    await expect.poll(() => state(rid), SOON).toBe("deleted");
    expect(await both()).toEqual([undefined, undefined]);
    await deletion;
  });

  it("is degraded while no process serves hosts", async () => {
    const only = await sending({ follows: true });
    const { rid, state: first } = await scene.create(ctx, "docs");
    expect(first).toBe("ready");
    await only.stop();
    scene.clock.advance(60_000);
    expect(await state(rid)).toBe("degraded");
    await sending({ follows: true });
    scene.clock.advance(60_000);
    expect(await state(rid)).toBe("ready");
  });
});
