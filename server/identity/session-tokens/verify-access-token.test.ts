import { createHmac, createSecretKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { signAccessToken } from "./access-token";
import { verifyAccessToken } from "./verify-access-token";

const ISSUER = "https://svc.example";
const NOW = new Date("2026-11-20T12:00:00.500Z");
const SECONDS = Math.floor(NOW.getTime() / 1000);
const SECRET = randomBytes(32);
const KEY = { kid: "kid1", secret: createSecretKey(SECRET) };
const RSA = generateKeyPairSync("rsa", { modulusLength: 2048 });
const GRANT = { userId: "usr_1", tenantId: "ten_1", sessionId: "ses_1" };

const HEADER = { alg: "HS256", typ: "JWT", kid: "kid1" };
const CLAIMS = {
  iss: ISSUER,
  aud: "svc",
  sub: "usr_1",
  tid: "ten_1",
  sid: "ses_1",
  jti: "jwt_1",
  iat: SECONDS,
  exp: SECONDS + 3600,
};

interface Written {
  /** An object, or the text itself. */
  header?: unknown;
  claims?: unknown;
  secret?: Buffer;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const base64url = (text: string): string => Buffer.from(text).toString("base64url");
const hmac = (content: string, secret: Buffer = SECRET): string =>
  createHmac("sha256", secret).update(content).digest("base64url");

/** A token with a correct signature over whatever it says. */
function written({ header = HEADER, claims = CLAIMS, secret = SECRET }: Written = {}): string {
  const content = `${base64url(textOf(header))}.${base64url(textOf(claims))}`;
  return `${content}.${hmac(content, secret)}`;
}

const findKey = async (kid: string) => (kid === "kid1" ? KEY.secret : undefined);
const verify = (token: string, now = NOW) => verifyAccessToken(token, { findKey, issuer: ISSUER, now });

const parts = (): [string, string, string] => {
  const [header = "", claims = "", signature = ""] = written().split(".");
  return [header, claims, signature];
};

/** 32 bytes leave two unused bits in the last character: four characters decode alike, one of them is canonical. */
function withUnusedBits(signature: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return signature.slice(0, -1) + alphabet.charAt(alphabet.indexOf(signature.slice(-1)) + 1);
}

describe("an access token", () => {
  it("grants what it was issued for", async () => {
    const token = await signAccessToken({ key: KEY, issuer: ISSUER, now: NOW }, GRANT);
    expect(await verify(token)).toEqual(GRANT);
    expect(await verify(written())).toEqual(GRANT);
  });

  it("is valid for its hour, excluding the second in which it ends", async () => {
    const at = (second: number) => new Date((SECONDS + second) * 1000);
    expect(await verify(written(), at(3599))).toEqual(GRANT);
    expect(await verify(written(), new Date(at(3600).getTime() - 1))).toEqual(GRANT);
    expect(await verify(written(), at(3600))).toBeUndefined();
  });

  it("may be issued by a machine whose clock is up to a minute ahead", async () => {
    const ahead = { ...CLAIMS, iat: SECONDS + 59, exp: SECONDS + 59 + 3600 };
    expect(await verify(written({ claims: ahead }))).toEqual(GRANT);
  });

  it("causes no key lookup when it is malformed or too long", async () => {
    const find = vi.fn(findKey);
    const huge = written({ claims: { ...CLAIMS, more: "x".repeat(100_000) } });
    const [header, claims, signature] = parts();
    for (const token of ["", ".", "..", "...", "a.b.c", huge, `${header}.${claims}`, `${header}..${signature}`]) {
      expect(await verifyAccessToken(token, { findKey: find, issuer: ISSUER, now: NOW })).toBeUndefined();
    }
    expect(find).not.toHaveBeenCalled();
  });

  it("fails with the cause when the keys cannot be read, and not as an invalid token", async () => {
    const away = async () => Promise.reject(new Error("away"));
    await expect(verifyAccessToken(written(), { findKey: away, issuer: ISSUER, now: NOW })).rejects.toThrow("away");
  });
});

const publicPem = RSA.publicKey.export({ type: "spki", format: "pem" }).toString();
const rs256 = (): string => {
  const content = `${base64url(JSON.stringify({ ...HEADER, alg: "RS256" }))}.${base64url(JSON.stringify(CLAIMS))}`;
  return `${content}.${sign("sha256", Buffer.from(content), RSA.privateKey).toString("base64url")}`;
};
const [HEADER_PART, CLAIMS_PART, SIGNATURE] = parts();
const { kid: _kid, ...WITHOUT_KID } = HEADER;
const claimsBut = (name: keyof typeof CLAIMS) => ({ ...CLAIMS, [name]: undefined });
const resigned = (content: string): string => `${content}.${hmac(content)}`;

/** Each token and what is wrong with it. */
const FORGED: [string, string][] = [
  ["alg none without a signature", `${base64url('{"alg":"none","typ":"JWT","kid":"kid1"}')}.${CLAIMS_PART}.`],
  ["alg none with one", written({ header: { ...HEADER, alg: "none" } })],
  ["alg None", written({ header: { ...HEADER, alg: "None" } })],
  ["alg hs256 in lower case", written({ header: { ...HEADER, alg: "hs256" } })],
  ["HS512 under the key of HS256", written({ header: { ...HEADER, alg: "HS512" } })],
  ["RS256", rs256()],
  ["HS256 under a public key as its secret", written({ secret: Buffer.from(publicPem) })],
  ["an empty secret", written({ secret: Buffer.alloc(0) })],
  ["another secret", written({ secret: randomBytes(32) })],
  ["the id of another key", written({ header: { ...HEADER, kid: "kid2" } })],
  ["no key id", written({ header: WITHOUT_KID })],
  ["a key id that is no text", written({ header: { ...HEADER, kid: ["kid1"] } })],
  ["a key id that climbs folders", written({ header: { ...HEADER, kid: "../../dev/null" } })],
  ["a key of its own (jwk)", written({ header: { ...HEADER, jwk: { kty: "oct", k: SECRET.toString("base64url") } } })],
  ["an address of keys (jku)", written({ header: { ...HEADER, jku: "https://evil.example" } })],
  ["crit for something unknown", written({ header: { ...HEADER, crit: ["exp"], exp: 1 } })],
  ["crit for b64", written({ header: { ...HEADER, crit: ["b64"], b64: true } })],
  ["an empty crit", written({ header: { ...HEADER, crit: [] } })],
  ["compression", written({ header: { ...HEADER, zip: "DEF" } })],
  ["another typ", written({ header: { ...HEADER, typ: "at+jwt" } })],
  ["a header that is no object", written({ header: "[]" })],
  ["an issuer that is not us", written({ claims: { ...CLAIMS, iss: "https://evil.example" } })],
  ["an issuer with a slash more", written({ claims: { ...CLAIMS, iss: `${ISSUER}/` } })],
  ["another audience", written({ claims: { ...CLAIMS, aud: "other" } })],
  ["several audiences", written({ claims: { ...CLAIMS, aud: ["svc", "other"] } })],
  ["a life of 61 minutes and a second", written({ claims: { ...CLAIMS, exp: SECONDS + 3661 } })],
  ["an hour that lies in the future", written({ claims: { ...CLAIMS, iat: SECONDS + 120, exp: SECONDS + 3720 } })],
  ["the end before the beginning", written({ claims: { ...CLAIMS, iat: SECONDS + 10, exp: SECONDS } })],
  ["an end written as text", written({ claims: { ...CLAIMS, exp: String(SECONDS + 3600) } })],
  ["an end with a fraction", written({ claims: { ...CLAIMS, exp: SECONDS + 3599.5 } })],
  ["not to be used yet (nbf)", written({ claims: { ...CLAIMS, nbf: SECONDS + 1 } })],
  ["an nbf that is no number", written({ claims: { ...CLAIMS, nbf: "now" } })],
  ...(["iss", "aud", "sub", "tid", "sid", "jti", "iat", "exp"] as const).map((name): [string, string] => [
    `no ${name}`,
    written({ claims: claimsBut(name) }),
  ]),
  ["an empty subject", written({ claims: { ...CLAIMS, sub: "" } })],
  ["claims that are no object", written({ claims: "[]" })],
  ["claims that are no JSON", written({ claims: "{" })],
  ["a claim given twice", written({ claims: JSON.stringify(CLAIMS).replace("{", '{"sub":"usr_2",') })],
  ["a header field given twice", written({ header: JSON.stringify(HEADER).replace("{", '{"alg":"none",') })],
  ["spaces between the claims", written({ claims: JSON.stringify(CLAIMS, null, 1) })],
  ["claims in another encoding", resigned(`${HEADER_PART}.${Buffer.from("\xff\xfe").toString("base64url")}`)],
  ["a space before", ` ${written()}`],
  ["a line break after", `${written()}\n`],
  ["a space within", `${HEADER_PART}. ${CLAIMS_PART}.${SIGNATURE}`],
  ["a space that was signed", resigned(`${HEADER_PART}.${CLAIMS_PART} `)],
  ["padding of the signature", `${written()}=`],
  ["padding that was signed", resigned(`${HEADER_PART}=.${CLAIMS_PART}`)],
  ["standard base64", `${HEADER_PART}.${CLAIMS_PART}.${Buffer.from(SIGNATURE, "base64url").toString("base64")}`],
  ["unused bits set in the last character", `${HEADER_PART}.${CLAIMS_PART}.${withUnusedBits(SIGNATURE)}`],
  ["a signature cut by a character", written().slice(0, -1)],
  ["a signature with a character more", `${written()}A`],
  ["no signature", `${HEADER_PART}.${CLAIMS_PART}.`],
  ["claims of another token", `${HEADER_PART}.${base64url(JSON.stringify({ ...CLAIMS, sub: "usr_2" }))}.${SIGNATURE}`],
  ["a fourth part", `${written()}.${SIGNATURE}`],
  ["a dot more", `${written()}.`],
  ["the five parts of an encrypted token", `${written()}.${SIGNATURE}.${SIGNATURE}`],
  ["the JSON form", JSON.stringify({ payload: CLAIMS_PART, protected: HEADER_PART, signature: SIGNATURE })],
];

describe("a token is rejected if it has", () => {
  it.each(FORGED)("%s", async (_flaw, token) => {
    expect(await verify(token)).toBeUndefined();
  });
});
