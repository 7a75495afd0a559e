import { describe, expect, it } from "vitest";
import { adsTest, call, faultsOf, makeChannel, refusal } from "../../../test/factories/ads";
import { openForFile } from "../../../test/factories/open-for-file";
import { sha256 } from "../../kernel/secrets";
import { createChannel } from "./create-channel";
import { createChannelKey } from "./create-channel-key";
import { deleteChannel } from "./delete-channel";
import { getChannel } from "./get-channel";
import { listChannelKeys } from "./list-channel-keys";
import { listChannels } from "./list-channels";
import { restoreChannel } from "./restore-channel";
import { revokeChannelKey } from "./revoke-channel-key";
import { updateChannel } from "./update-channel";

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("live");

const makeKey = (channelId: string, kind = "server") => call(ctx, createChannelKey, { id: channelId, kind });
const revoke = (id: string, key_id: string) => call(ctx, revokeChannelKey, { id, key_id });

describe("channel", () => {
  it("is returned as created, with empty lists by default", async () => {
    const made = await makeChannel(ctx, { name: "  Shop  ", categories: ["Home > Kitchen "] });
    expect(made).toMatchObject({ mode: "live", name: "Shop", origins: [], categories: ["Home>Kitchen"] });
    expect(await call(ctx, getChannel, { id: made.id })).toEqual(made);
  });

  it("stores origins as browsers send them, without duplicates", async () => {
    const origins = ["https://Shop.Example/", "https://shop.example:443", "http://localhost:8080"];
    expect((await makeChannel(ctx, { origins })).origins).toEqual(["https://shop.example", "http://localhost:8080"]);
  });

  it.each([
    "*",
    "https://*.shop.example",
    "shop.example",
    "https://shop.example/path",
    "https://shop.example?x",
    "https://user@shop.example",
    "ftp://shop.example",
    "https://shop.example:99999",
    "null",
    "https://a\0b.example",
    "",
  ])("rejects %j as an origin", (origin) => {
    expect(faultsOf(createChannel.input, { name: "Shop", origins: ["https://fine.example", origin] })).toEqual([
      "origins.1",
    ]);
  });

  it("explains why a wildcard origin is rejected", () => {
    const { error } = createChannel.input.safeParse({ name: "Shop", origins: ["*"] });
    expect(error?.issues[0]?.message).toContain("list each origin in full");
  });

  it.each([
    [{}, ["name"]],
    [{ name: "" }, ["name"]],
    [{ name: "   " }, ["name"]],
    [{ name: "x".repeat(201) }, ["name"]],
    [{ name: "a\0b" }, ["name"]],
    [{ name: "a\ud800b" }, ["name"]],
    [{ name: "Shop", categories: ["A>>B"] }, ["categories.0"]],
    [{ name: "Shop", origins: new Array(51).fill("https://a.example") }, ["origins"]],
    [{ name: "Shop", mode: "prod" }, ["mode"]],
    [{ name: "Shop", colour: "red" }, ["colour"]],
    [{ name: "Shop", strictness: "lenient" }, ["strictness"]],
    [{ name: "Shop", strictness: null }, ["strictness"]],
  ])("rejects %j and names the field", (input, faults) => {
    expect(faultsOf(createChannel.input, input)).toEqual(faults);
  });

  it("accepts a name of exactly 200 characters", async () => {
    expect((await makeChannel(ctx, { name: "x".repeat(200) })).name).toHaveLength(200);
  });

  it("changes only the given fields", async () => {
    const made = await makeChannel(ctx, { categories: ["Home"], blocked_advertisers: ["Acme"] });
    ads.clock.advance(1000);
    const changed = await call(ctx, updateChannel, { id: made.id, name: "New", categories: [] });
    const updated_at = ads.clock.now().toISOString();
    expect(changed).toEqual({ ...made, name: "New", categories: [], updated_at });
  });

  it("has a balanced strictness by default, and keeps a chosen one when other fields change", async () => {
    expect((await makeChannel(ctx)).strictness).toBe("balanced");
    const [strict, other] = [await makeChannel(ctx, { strictness: "strict" }), await makeChannel(ctx)];
    expect(await call(ctx, getChannel, { id: strict.id })).toMatchObject({ strictness: "strict" });
    expect(await call(ctx, updateChannel, { id: strict.id, name: "New", network: "own" })).toMatchObject({
      name: "New",
      network: "own",
      strictness: "strict",
    });
    ads.clock.advance(1000);
    const relaxed = await call(ctx, updateChannel, { id: other.id, strictness: "relaxed" });
    expect(relaxed).toEqual({ ...other, strictness: "relaxed", updated_at: ads.clock.now().toISOString() });
    const { data } = await call(ctx, listChannels, {});
    const strictnessOf = (id: string) => data.find((one) => one.id === id)?.strictness;
    expect([strictnessOf(strict.id), strictnessOf(other.id)]).toEqual(["strict", "relaxed"]);
  });

  it("names the choices of strictness when it rejects another one", () => {
    for (const [schema, input] of [
      [createChannel.input, { name: "Shop", strictness: "lenient" }],
      [updateChannel.input, { id: "chn_01jd0z3k5q8v6w2x4y7a9b1c3d", strictness: "lenient" }],
    ] as const) {
      const issues = schema.safeParse(input).error?.issues ?? [];
      // The sentence is zod's or the server's, which depends on what else ran in this process.
      expect(issues.map(({ path, message }) => [path.join(), message])).toEqual([
        ["strictness", expect.stringMatching(/relaxed.*balanced.*strict/)],
      ]);
    }
  });

  it("is not found after it is deleted, and its keys are revoked", async () => {
    const channel = await makeChannel(ctx);
    const key = await makeKey(channel.id);
    await call(ctx, deleteChannel, { id: channel.id });
    for (const again of [
      () => call(ctx, getChannel, { id: channel.id }),
      () => call(ctx, updateChannel, { id: channel.id, name: "x" }),
      () => call(ctx, deleteChannel, { id: channel.id }),
      () => makeKey(channel.id),
    ]) {
      expect((await refusal(again())).code).toBe("not_found");
    }
    expect((await ads.db.channelKey.findUniqueOrThrow({ where: { id: key.id } })).revokedAt).toEqual(ads.clock.now());
    const listed = await call(ctx, listChannels, {});
    expect(listed.data.map(({ id }) => id)).not.toContain(channel.id);
  });

  it("is restored with its settings, while its keys stay revoked and new ones can be created", async () => {
    const channel = await makeChannel(ctx, { origins: ["https://a.example"], strictness: "strict" });
    const keys = [await makeKey(channel.id), await makeKey(channel.id, "browser")];
    await call(ctx, deleteChannel, { id: channel.id });
    const revokedAt = ads.clock.now();
    ads.clock.advance(1000);
    expect(await call(ctx, restoreChannel, { id: channel.id })).toEqual({
      ...channel,
      updated_at: ads.clock.now().toISOString(),
    });
    const rows = await ads.db.channelKey.findMany({ where: { channelId: channel.id } });
    expect(rows.map((row) => row.revokedAt)).toEqual(keys.map(() => revokedAt));
    const added = await makeKey(channel.id);
    const { data } = await call(ctx, listChannelKeys, { id: channel.id });
    expect(data.filter(({ revoked_at }) => revoked_at === null).map(({ id }) => id)).toEqual([added.id]);
  });
});

describe("channel key", () => {
  it.each([
    ["server", /^svc_srv_[a-z2-7]{48}$/],
    ["browser", /^svc_pub_[a-z2-7]{48}$/],
  ])("of kind %s is stored as its hash and last four characters", async (kind, shape) => {
    const channel = await makeChannel(ctx);
    const made = await makeKey(channel.id, kind);
    expect(made.key).toMatch(shape);
    const row = await ads.db.channelKey.findUniqueOrThrow({ where: { id: made.id } });
    expect(row).toMatchObject({ hash: sha256(made.key), lastFour: made.key.slice(-4), kind });
  });

  it("of kind server is secret: it is returned only once, and not stored", async () => {
    const channel = await makeChannel(ctx);
    const made = await makeKey(channel.id, "server");
    const row = await ads.db.channelKey.findUniqueOrThrow({ where: { id: made.id } });
    expect(JSON.stringify(row)).not.toContain(made.key);
    const { data } = await call(ctx, listChannelKeys, { id: channel.id });
    expect(data).toEqual([{ ...made, key: null }]);
    const store = ads.db.channelKey.update({ where: { id: made.id }, data: { browserKey: made.key } });
    await expect(store).rejects.toThrow("channel_keys_browser_key_check");
  });

  it("of kind browser is public: it is listed in full, unless it is older than its stored text", async () => {
    const channel = await makeChannel(ctx);
    const made = await makeKey(channel.id, "browser");
    const listed = async () => (await call(ctx, listChannelKeys, { id: channel.id })).data;
    expect(await listed()).toEqual([made]);
    await ads.db.channelKey.update({ where: { id: made.id }, data: { browserKey: null } });
    expect(await listed()).toEqual([{ ...made, key: null }]);
  });

  it("rejects the 21st active key, even for concurrent requests, and accepts one after a revocation", async () => {
    const channel = await makeChannel(ctx);
    const keys = [await makeKey(channel.id)];
    while (keys.length < 18) keys.push(await makeKey(channel.id));
    const last = await Promise.allSettled(Array.from({ length: 4 }, () => makeKey(channel.id)));
    expect(last.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    expect(await refusal(makeKey(channel.id))).toMatchObject({ code: "quota_exceeded", details: { limit: 20 } });
    await revoke(channel.id, keys[0]?.id ?? "");
    expect((await makeKey(channel.id)).revoked_at).toBeNull();
  });

  it("keeps the time of its first revocation", async () => {
    const channel = await makeChannel(ctx);
    const { id } = await makeKey(channel.id);
    const first = await revoke(channel.id, id);
    expect(first.revoked_at).toBe(ads.clock.now().toISOString());
    ads.clock.advance(60_000);
    expect(await revoke(channel.id, id)).toEqual(first);
  });

  it("cannot be revoked through another channel", async () => {
    const [one, other] = [await makeChannel(ctx), await makeChannel(ctx)];
    const { id } = await makeKey(one.id);
    expect((await refusal(revoke(other.id, id))).code).toBe("not_found");
    expect((await ads.db.channelKey.findUniqueOrThrow({ where: { id } })).revokedAt).toBeNull();
  });
});
