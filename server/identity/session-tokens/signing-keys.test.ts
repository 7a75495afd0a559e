import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { identityTest, PASSWORD } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { sweepExpired } from "../expired/sweep-expired";
import { signAccessToken } from "./access-token";
import { createTokenAuthentication, type TokenAuthentication } from "./authenticate-session-token";
import { createSessionToken } from "./create-session-token";
import { rotateSigningKey } from "./rotate-signing-key";
import { currentSigningKey, insertSigningKey } from "./signing-key";

let auth: TokenAuthentication;
const t = await openForFile(identityTest());
await t.person("ada@example.com");
beforeEach(async () => {
  await t.db.signingKey.deleteMany();
  auth = await createTokenAuthentication(t.ctx);
});
afterEach(() => auth.close());

const delivered = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const newToken = async () =>
  (await createSessionToken.run(t.visitor(), { email: "ada@example.com", password: PASSWORD })).access_token;
const kidOf = (token: string): string => JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;

describe("the signing key", () => {
  it("is created by the first login, and processes that start together agree on one", async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => currentSigningKey(t.ctx)));
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1);
    expect(await t.db.signingKey.count()).toBe(1);
  });

  it("is stored encrypted", async () => {
    const { secret } = await currentSigningKey(t.ctx);
    const [row] = await t.db.signingKey.findMany();
    const bytes = secret.export();
    expect(bytes).toHaveLength(32);
    for (const form of ["hex", "base64", "base64url"] as const)
      expect(row?.sealedSecret).not.toContain(bytes.toString(form));
  });

  it("that was encrypted with another SVC_SECRET is kept, and a new one signs", async () => {
    const before = await newToken();
    const moved = { ...t.ctx, jwtKey: randomBytes(32) };
    expect((await currentSigningKey(moved)).kid).not.toBe(kidOf(before));
    const elsewhere = await createTokenAuthentication(moved);
    expect(await elsewhere.authenticate(before)).toBeUndefined();
    await elsewhere.close();
  });
});

describe("a rotation", () => {
  it("makes every process sign with the new key immediately, and older tokens stay valid for their hour", async () => {
    const before = await newToken();
    expect(await auth.authenticate(before)).toBeDefined();
    const { kid, retired } = await rotateSigningKey(t.ctx, {});
    expect(retired).toEqual([kidOf(before)]);
    await delivered();
    const after = await newToken();
    expect(kidOf(after)).toBe(kid);
    for (const token of [before, after]) expect(await auth.authenticate(token)).toBeDefined();
    t.clock.advance(3_599_000);
    expect(await auth.authenticate(before)).toBeDefined();
    t.clock.advance(1000);
    expect(await auth.authenticate(before)).toBeUndefined();
  });

  it("leaves the retired key to the sweep, which deletes it when every token that it signed has expired", async () => {
    const before = kidOf(await newToken());
    const { kid } = await rotateSigningKey(t.ctx, {});
    const kids = async () => (await t.db.signingKey.findMany()).map((key) => key.kid);
    t.clock.advance(3_600_000);
    await sweepExpired(t.ctx);
    expect(await kids()).toContain(before);
    t.clock.advance(3_600_001);
    await sweepExpired(t.ctx);
    expect(await kids()).toEqual([kid]);
  });

  it("by two operators at once leaves one signing key", async () => {
    await Promise.all([rotateSigningKey(t.ctx, {}), rotateSigningKey(t.ctx, {})]);
    expect(await t.db.signingKey.count({ where: { retiredAt: null } })).toBe(1);
  });
});

describe("a key id that a process does not know", () => {
  /** A valid token, except that its key is not in the table. */
  const invented = (kid: string) =>
    currentSigningKey(t.ctx).then((key) =>
      signAccessToken(
        { key: { ...key, kid }, issuer: t.ctx.publicUrl, now: t.clock.now() },
        { userId: "usr_1", tenantId: "ten_1", sessionId: "ses_1" },
      ),
    );

  it("causes one read of the table in three seconds, whatever the number of unknown ids", async () => {
    await auth.authenticate(await newToken());
    t.clock.advance(3000);
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, i) => invented(`kid${i}`)));
    const find = vi.spyOn(t.db.signingKey, "findMany");
    for (const token of tokens) expect(await auth.authenticate(token)).toBeUndefined();
    await Promise.all(tokens.map((token) => auth.authenticate(token)));
    expect(find).toHaveBeenCalledTimes(1);
    t.clock.advance(3000);
    await Promise.all(tokens.map((token) => auth.authenticate(token)));
    expect(find).toHaveBeenCalledTimes(2);
    find.mockRestore();
  });

  it("does not delay a new key: it is read immediately after a message, otherwise within three seconds", async () => {
    await newToken();
    await delivered();
    await auth.authenticate(await invented("unknown"));
    await rotateSigningKey(t.ctx, {});
    await delivered();
    expect(await auth.authenticate(await newToken())).toBeDefined();
    await t.db.signingKey.updateMany({ data: { retiredAt: t.clock.now() } });
    // Without a message to the others.
    await insertSigningKey(t.db, t.ctx);
    const token = await newToken();
    t.clock.advance(2999);
    expect(await auth.authenticate(token)).toBeUndefined();
    t.clock.advance(1);
    expect(await auth.authenticate(token)).toBeDefined();
  });

  it("is looked up again when the read of the table failed", async () => {
    const token = await newToken();
    await delivered();
    const find = vi.spyOn(t.db.signingKey, "findMany").mockRejectedValueOnce(new Error("away"));
    await expect(auth.authenticate(token)).rejects.toThrow("away");
    expect(await auth.authenticate(token)).toBeDefined();
    find.mockRestore();
  });
});
