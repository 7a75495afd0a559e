import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeTenant, served, type TestApp, testApp } from "../../../test/factories/app";
import { sha256 } from "../../kernel/secrets";
import { type Demo, type DemoConfig, openDemo } from "./open-demo";

let test: TestApp;
beforeEach(async () => {
  test = await testApp();
});
afterEach(() => test.stop());

const demoFile = () => path.join(test.config.dataDir, "demo.json");
const opened = async (config: DemoConfig = { ...test.config, demo: true }): Promise<Demo> => {
  const demo = await openDemo(config, { engines: test.engines, account: test.app.account });
  if (!demo) throw new Error("the demo is missing");
  return demo;
};

it("names only addresses that respond, also after an upgrade from a file with others", async () => {
  const made = await opened();
  const { mcp_url: added, ...earlier } = made;
  writeFileSync(demoFile(), JSON.stringify({ ...earlier, none_url: added }));
  expect(await opened()).toEqual(made);
  expect(JSON.parse(readFileSync(demoFile(), "utf8"))).toEqual(made);
  expect(Object.keys(made)).toEqual(["url", "mcp_url", "dashboard", "channel", "api"]);
});

it("reads the demo from its file as created", async () => {
  const made = await opened();
  expect(statSync(demoFile()).mode & 0o777).toBe(0o600);
  expect(await opened()).toEqual(made);
});

it("creates a new password and working new keys if a first start left no file", async () => {
  const lost = await opened();
  rmSync(demoFile());
  const demo = await opened();
  expect([demo.channel.id, demo.api.tenant_id]).toEqual([lost.channel.id, lost.api.tenant_id]);
  const { db } = test.engines;
  const user = await db.user.findFirstOrThrow({ where: { email: demo.dashboard.email } });
  const accepts = (password: string) => test.app.account.hasher.verify(user.passwordHash ?? "", password);
  expect(await accepts(demo.dashboard.password)).toBe(true);
  expect(await accepts(lost.dashboard.password)).toBe(false);
  await served(test, demo.channel.server_key);
  for (const key of [demo.api.test_key, demo.api.live_key]) {
    expect(await db.apiKey.count({ where: { hash: sha256(key), revokedAt: null } })).toBe(1);
  }
  expect(await opened()).toEqual(demo);
});

it("survives any number of lost files without reaching the key limit", async () => {
  const { channel: lost } = await opened();
  // The state after eighteen more lost files: the channel has the maximum number of keys.
  const keyOf = (n: number) => ({ id: `chk_${n}`, hash: sha256(`${n}`), lastFour: "aaaa", createdAt: new Date(n) });
  const data = Array.from({ length: 18 }, (_, n) => ({ ...keyOf(n), channelId: lost.id, kind: "server" as const }));
  await test.engines.db.channelKey.createMany({ data });
  rmSync(demoFile());
  const { channel } = await opened();
  const active = await test.engines.db.channelKey.count({ where: { channelId: channel.id, revokedAt: null } });
  expect(active).toBe(10);
});

it("never takes over an account that merely has the demo's email address", async () => {
  const { db } = test.engines;
  const { dashboard, api } = await opened();
  const before = await db.user.findFirstOrThrow({ where: { email: dashboard.email } });
  rmSync(demoFile());
  await db.tenant.update({ where: { id: api.tenant_id }, data: { isDemo: false } });
  await expect(opened({ ...test.config, demo: true })).rejects.toThrow(
    /is the email of another account: set SVC_DEMO=off/,
  );
  expect(await db.user.findFirstOrThrow({ where: { email: dashboard.email } })).toEqual(before);
});

it("does not change a database without a demo, and creates none when it is off", async () => {
  await makeTenant(test);
  const parts = { engines: test.engines, account: test.app.account };
  expect(await openDemo(test.config, parts)).toBeUndefined();
  expect(await openDemo({ ...test.config, demo: false }, parts)).toBeUndefined();
});

it("updates links and origin for another port, but no edited values", async () => {
  const { db } = test.engines;
  const { channel, api } = await opened();
  const [edited] = await db.creative.findMany({ where: { campaign: { tenantId: api.tenant_id } }, take: 1 });
  await db.creative.update({ where: { id: edited?.id ?? "" }, data: { landingUrl: "https://edited.example/" } });
  await db.channel.update({
    where: { id: channel.id },
    data: { origins: [test.config.publicUrl, "https://own.example"] },
  });
  const publicUrl = "http://localhost:4711";
  expect(await opened({ ...test.config, demo: true, publicUrl })).toMatchObject({ url: publicUrl });
  const creatives = await db.creative.findMany();
  const products = await db.product.findMany();
  const links = [...creatives.map(({ landingUrl }) => landingUrl), ...products.map(({ link }) => link)];
  expect(links.filter((link) => !link.startsWith(`${publicUrl}/demo/landing/`))).toEqual(["https://edited.example/"]);
  const pictures = products.map(({ imageLink }) => imageLink ?? "none");
  expect(pictures.filter((link) => !link.startsWith(`${publicUrl}/demo/pictures/`))).toEqual([]);
  const moved = await db.channel.findUniqueOrThrow({ where: { id: channel.id } });
  expect(moved.origins).toEqual(["https://own.example", publicUrl]);
});

it("reports a damaged file and the remedy in one sentence", async () => {
  for (const text of ["{", "{}"]) {
    writeFileSync(demoFile(), text);
    await expect(opened()).rejects.toThrow(/demo\.json is damaged: restore it, or delete it/);
  }
});

it("has simulated traffic only where the demo is made by default and nobody else has an account", async () => {
  const { sql, db } = test.engines;
  const simulations = async () => (await sql.query("SELECT tenant_id FROM simulated_traffic")).rows;
  await opened();
  rmSync(demoFile());
  const other = await db.tenant.create({ data: { id: "ten_other", name: "Other", createdAt: new Date() } });
  await opened(test.config);
  expect(await simulations()).toEqual([]);
  rmSync(demoFile());
  await db.tenant.delete({ where: { id: other.id } });
  const { api } = await opened(test.config);
  expect(await simulations()).toEqual([{ tenant_id: api.tenant_id }]);
});

it("completes at the next start the simulated traffic that a killed process left", async () => {
  const { sql } = test.engines;
  const isFinished = async () =>
    (await sql.query("SELECT FROM simulated_traffic WHERE finished_at IS NOT NULL")).rowCount === 1;
  await opened(test.config);
  await vi.waitUntil(isFinished, { timeout: 60_000, interval: 100 });
  await sql.query("UPDATE simulated_traffic SET finished_at = NULL");
  await opened(test.config);
  await vi.waitUntil(isFinished, { timeout: 60_000, interval: 100 });
});
