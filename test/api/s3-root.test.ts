import { CreateBucketCommand, PutBucketCorsCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Server, s3Tenant } from "../factories/s3";

const server = await openForFile(s3Server());
const root = server.url.replace(/\/v1\/s3$/, "");
const tenant = await s3Tenant(server);
const s3 = s3Client(server, (await tenant.key()).credentials);

/** `docs` is also the name of a page. */
const BUCKETS = ["at-root", "docs", "with.dots"];

beforeAll(async () => {
  for (const Bucket of BUCKETS) {
    await s3.send(new CreateBucketCommand({ Bucket }));
    const page = { Body: "<b>hi</b>", ContentType: "text/html", ACL: "public-read" } as const;
    await s3.send(new PutObjectCommand({ Bucket, Key: "a/b.html", ...page }));
  }
  const CORSRules = [{ AllowedOrigins: ["https://app.example"], AllowedMethods: ["GET"] }];
  await s3.send(new PutBucketCorsCommand({ Bucket: "at-root", CORSConfiguration: { CORSRules } }));
});

const get = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(root + path, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe("a bucket at the root of the public address", () => {
  it("is read without a signature as below /v1/s3, and is as harmless there", async () => {
    const [atRoot, below] = [await get("/at-root/a/b.html"), await get("/v1/s3/at-root/a/b.html")];
    expect([atRoot.status, atRoot.text]).toEqual([200, "<b>hi</b>"]);
    const shown = ({ headers }: typeof atRoot) =>
      [...headers].filter(([name]) => !/request-id|^date$|^connection$|^keep-alive$/.test(name));
    expect(shown(atRoot)).toEqual(shown(below));
    expect(atRoot.headers.get("content-security-policy")).toBe("sandbox");
    expect(atRoot.headers.get("x-content-type-options")).toBe("nosniff");
    const script = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "serviceworker" };
    expect((await get("/at-root/a/b.html", { headers: script })).status).toBe(403);
  });

  it("refuses as S3 what it does not allow", async () => {
    expect(await get("/at-root")).toMatchObject({ status: 403, text: expect.stringContaining("<Code>AccessDenied<") });
    expect(await get("/at-root/a", { method: "PUT", body: "x" })).toMatchObject({ status: 403 });
  });

  it("answers preflight requests", async () => {
    const preflight = (origin: string) =>
      get("/at-root/a", { method: "OPTIONS", headers: { origin, "access-control-request-method": "GET" } });
    const allowed = await preflight("https://app.example");
    expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([200, "https://app.example"]);
    expect(await preflight("https://other.example")).toMatchObject({
      status: 403,
      text: expect.stringContaining("<Code>AccessForbidden<"),
    });
    expect(await get("/at-root/a", { method: "OPTIONS" })).toMatchObject({
      status: 400,
      text: expect.stringContaining("<Code>BadRequest<"),
    });
  });

  it("takes forms, which have no signature outside of their body", async () => {
    const body = new FormData();
    body.set("key", "form");
    body.set("file", new Blob(["x"]), "x");
    expect(await get("/at-root", { method: "POST", body })).toMatchObject({
      status: 403,
      text: expect.stringContaining("<Code>AccessDenied<"),
    });
  });

  it("does not hide a page, has no name like a file, and must exist", async () => {
    for (const path of ["/docs/a/b.html", "/with.dots/a/b.html", "/no-bucket/a/b.html"]) {
      expect(await get(path)).toMatchObject({ status: 404, text: "no page" });
    }
    for (const Bucket of ["docs", "with.dots"]) {
      expect(await get(`/v1/s3/${Bucket}/a/b.html`)).toMatchObject({ status: 200, text: "<b>hi</b>" });
    }
    await s3.send(new CreateBucketCommand({ Bucket: "no-bucket" }));
    expect(await get("/no-bucket/a/b.html")).toMatchObject({ status: 403 });
  });
});
