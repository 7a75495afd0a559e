import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adsTest, call, faultsOf, makeChannel, refusal } from "../../../test/factories/ads";
import { sha256 } from "../../kernel/secrets";
import type { AdsCtx } from "../ads-ctx";
import { CreateChannel } from "./create-channel";
import { CreateChannelKey, createChannelKey } from "./create-channel-key";
import { DeleteChannel, deleteChannel } from "./delete-channel";
import { GetChannel, getChannel } from "./get-channel";
import { ListChannelKeys, listChannelKeys } from "./list-channel-keys";
import { ListChannels, listChannels } from "./list-channels";
import { RevokeChannelKey, revokeChannelKey } from "./revoke-channel-key";
import { UpdateChannel, updateChannel } from "./update-channel";

let ads: Awaited<ReturnType<typeof adsTest>>;
let ctx: AdsCtx;
beforeAll(async () => {
  ads = await adsTest();
  ctx = (await ads.tenant()).key("live");
});
afterAll(() => ads.close());

const makeKey = (channelId: string, kind = "server") =>
  call(ctx, [CreateChannelKey, createChannelKey], { id: channelId, kind });
const revoke = (id: string, key_id: string) => call(ctx, [RevokeChannelKey, revokeChannelKey], { id, key_id });

describe("channel", () => {
  it("comes back as it was made, with empty lists where none were given", async () => {
    const made = await makeChannel(ctx, { name: "  Shop  ", categories: ["Home > Kitchen "] });
    expect(made).toMatchObject({ mode: "live", name: "Shop", origins: [], categories: ["Home>Kitchen"] });
    expect(await call(ctx, [GetChannel, getChannel], { id: made.id })).toEqual(made);
  });

  it("keeps origins as browsers send them, each once", async () => {
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
  ])("refuses %j as an origin", (origin) => {
    expect(faultsOf(CreateChannel, { name: "Shop", origins: ["https://fine.example", origin] })).toEqual(["origins.1"]);
  });

  it("tells why a wildcard origin is refused", () => {
    const { error } = CreateChannel.safeParse({ name: "Shop", origins: ["*"] });
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
  ])("refuses %j and names the field", (input, faults) => {
    expect(faultsOf(CreateChannel, input)).toEqual(faults);
  });

  it("takes a name of exactly 200 characters", async () => {
    expect((await makeChannel(ctx, { name: "x".repeat(200) })).name).toHaveLength(200);
  });

  it("changes only what an update gives", async () => {
    const made = await makeChannel(ctx, { categories: ["Home"], blocked_advertisers: ["Acme"] });
    ads.clock.advance(1000);
    const changed = await call(ctx, [UpdateChannel, updateChannel], { id: made.id, name: "New", categories: [] });
    const updated_at = ads.clock.now().toISOString();
    expect(changed).toEqual({ ...made, name: "New", categories: [], updated_at });
  });

  it("is gone everywhere once deleted, and its keys are revoked with it", async () => {
    const channel = await makeChannel(ctx);
    const key = await makeKey(channel.id);
    await call(ctx, [DeleteChannel, deleteChannel], { id: channel.id });
    for (const again of [
      () => call(ctx, [GetChannel, getChannel], { id: channel.id }),
      () => call(ctx, [UpdateChannel, updateChannel], { id: channel.id, name: "x" }),
      () => call(ctx, [DeleteChannel, deleteChannel], { id: channel.id }),
      () => makeKey(channel.id),
    ]) {
      expect((await refusal(again())).code).toBe("not_found");
    }
    expect((await ads.db.channelKey.findUniqueOrThrow({ where: { id: key.id } })).revokedAt).toEqual(ads.clock.now());
    const listed = await call(ctx, [ListChannels, listChannels], {});
    expect(listed.data.map(({ id }) => id)).not.toContain(channel.id);
  });
});

describe("list of channels", () => {
  it("pages newest first and misses or repeats nothing while channels are added", async () => {
    const mine = (await ads.tenant()).key("test");
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      ads.clock.advance(1);
      made.unshift((await makeChannel(mine)).id);
    }
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await call(mine, [ListChannels, listChannels], { limit: "2", ...(cursor && { cursor }) });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
      ads.clock.advance(1);
      await makeChannel(mine);
    }
    expect(seen).toEqual(made);
  });

  it("refuses a cursor of another mode's list", async () => {
    const { person } = await ads.tenant();
    for (let i = 0; i < 2; i++) await makeChannel(person, { mode: "live" });
    const { next_cursor: cursor } = await call(person, [ListChannels, listChannels], { mode: "live", limit: 1 });
    const foreign = await refusal(Promise.resolve().then(() => call(person, [ListChannels, listChannels], { cursor })));
    expect(foreign).toMatchObject({ code: "invalid_request", param: "cursor" });
  });

  it.each([0, 1001, 1.5, "many"])("refuses a limit of %j", (limit) => {
    expect(faultsOf(ListChannels, { limit })).toEqual(["limit"]);
  });
});

describe("channel key", () => {
  it.each([
    ["server", /^svc_srv_[a-z2-7]{48}$/],
    ["browser", /^svc_pub_[a-z2-7]{48}$/],
  ])("of kind %s is shown once and stored as its hash and last four characters", async (kind, shape) => {
    const channel = await makeChannel(ctx);
    const made = await makeKey(channel.id, kind);
    expect(made.key).toMatch(shape);
    const row = await ads.db.channelKey.findUniqueOrThrow({ where: { id: made.id } });
    expect(row).toMatchObject({ hash: sha256(made.key), lastFour: made.key.slice(-4), kind });
    expect(JSON.stringify(row)).not.toContain(made.key);
    const { key, ...shown } = made;
    const { data } = await call(ctx, [ListChannelKeys, listChannelKeys], { id: channel.id });
    expect(data).toEqual([shown]);
    expect(JSON.stringify(data)).not.toContain(key);
  });

  it("refuses the 21st active key, even of creators at the same moment, and takes one after a revocation", async () => {
    const channel = await makeChannel(ctx);
    const keys = [await makeKey(channel.id)];
    while (keys.length < 18) keys.push(await makeKey(channel.id));
    const last = await Promise.allSettled(Array.from({ length: 4 }, () => makeKey(channel.id)));
    expect(last.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    expect(await refusal(makeKey(channel.id))).toMatchObject({ code: "quota_exceeded", details: { limit: 20 } });
    await revoke(channel.id, keys[0]?.id ?? "");
    expect((await makeKey(channel.id)).revoked_at).toBeNull();
  });

  it("stays revoked since the first revocation, however often it is revoked", async () => {
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
