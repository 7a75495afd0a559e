import { createHmac } from "node:crypto";
import {
  CreateBucketCommand,
  DeleteBucketPolicyCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutBucketPolicyCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { sign, signingKey } from "../../server/surfaces/s3/signature";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "forms";
const server = await openForFile(s3Server());
const tenant = await s3Tenant(server);
const { credentials } = await tenant.key();
const s3 = s3Client(server, credentials);
await s3.send(new CreateBucketCommand({ Bucket }));

type Fields = Record<string, string>;

/** A policy that has a condition for each field, and what signs it. */
function signed(fields: Fields, { conditions = [] as unknown[], secret = credentials.secretAccessKey } = {}): Fields {
  const now = server.test.clock.now();
  const day = now.toISOString().slice(0, 10).replaceAll("-", "");
  const all: Fields = {
    ...fields,
    "x-amz-algorithm": "AWS4-HMAC-SHA256",
    "x-amz-credential": `${credentials.accessKeyId}/${day}/us-east-1/s3/aws4_request`,
    "x-amz-date": `${day}T000000Z`,
  };
  const own = Object.entries({ bucket: Bucket, ...all }).map(([name, value]) => {
    return name === "key" ? ["starts-with", "$key", value.split("$")[0]] : { [name]: value };
  });
  const expiration = new Date(now.getTime() + 60_000).toISOString();
  const policy = Buffer.from(JSON.stringify({ expiration, conditions: [...own, ...conditions] })).toString("base64");
  return { ...all, policy, "x-amz-signature": sign(signingKey(secret, { day, region: "us-east-1" }), policy) };
}

async function post(fields: Fields, file: string | undefined = "content") {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file !== "") form.append("file", new Blob([file]), "name.txt");
  const response = await fetch(`${server.url}/${Bucket}`, { method: "POST", body: form, redirect: "manual" });
  const text = await response.text();
  return { status: response.status, code: /<Code>(.*?)</.exec(text)?.[1], text, headers: response.headers };
}
const read = async (Key: string) => (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();

describe("a form", () => {
  it("stores its file under its key, with the properties of its fields", async () => {
    const tagging = "<Tagging><TagSet><Tag><Key>a</Key><Value>b =+/ü</Value></Tag></TagSet></Tagging>";
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what S3 replaces by the name of the file.
    const fields = { key: "in/${filename}", "Content-Type": "text/x", "x-amz-meta-a": "1", acl: "private", tagging };
    expect(await post(signed(fields))).toMatchObject({ status: 204, text: "" });
    expect(await read("in/name.txt")).toBe("content");
    const Key = "in/name.txt";
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key }))).toMatchObject({
      ContentType: "text/x",
      Metadata: { a: "1" },
    });
    expect((await s3.send(new GetObjectTaggingCommand({ Bucket, Key }))).TagSet).toEqual([
      { Key: "a", Value: "b =+/ü" },
    ]);
  });

  it("is denied by conditions of a policy on its tags", async () => {
    const tagging = (name: string) =>
      `<Tagging><TagSet><Tag><Key>${name}</Key><Value>1</Value></Tag></TagSet></Tagging>`;
    const denied = {
      Effect: "Deny",
      Principal: "*",
      Action: "s3:PutObject",
      Resource: `arn:aws:s3:::${Bucket}/*`,
      Condition: { "ForAnyValue:StringEquals": { "s3:RequestObjectTagKeys": ["Secret"] } },
    };
    await s3.send(new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify({ Statement: [denied] }) }));
    expect((await post(signed({ key: "denied", tagging: tagging("Secret") }))).code).toBe("AccessDenied");
    expect((await post(signed({ key: "allowed", tagging: tagging("Open") }))).status).toBe(204);
    await s3.send(new DeleteBucketPolicyCommand({ Bucket }));
  });

  it("may be signed with Version 2", async () => {
    const expiration = new Date(server.test.clock.now().getTime() + 60_000).toISOString();
    const document = { expiration, conditions: [{ bucket: Bucket }, ["eq", "$key", "v2"]] };
    const policy = Buffer.from(JSON.stringify(document)).toString("base64");
    const signature = createHmac("sha1", credentials.secretAccessKey).update(policy).digest("base64");
    const fields = { key: "v2", AWSAccessKeyId: credentials.accessKeyId, policy, signature };
    expect((await post(fields)).status).toBe(204);
    expect((await post({ ...fields, signature: `${signature}x` })).code).toBe("SignatureDoesNotMatch");
  });

  it("says where its file is, or sends the browser on, as the form asks", async () => {
    const created = await post(signed({ key: "shown", success_action_status: "201" }));
    expect([created.status, created.text]).toEqual([
      201,
      expect.stringMatching(/<PostResponse>.*<Bucket>forms<\/Bucket><Key>shown<\/Key><ETag>/),
    ]);
    expect((await post(signed({ key: "shown", success_action_status: "200" }))).status).toBe(200);
    const sent = await post(signed({ key: "shown", success_action_redirect: "https://app.example/done?a=1" }));
    expect([sent.status, sent.headers.get("location")]).toEqual([
      303,
      `https://app.example/done?a=1&bucket=forms&key=shown&etag=${encodeURIComponent(sent.headers.get("etag") ?? "")}`,
    ]);
  });

  const range = (least: number, most: number) => ({ conditions: [["content-length-range", least, most]] });
  it.each<[string, () => Fields, string, number]>([
    ["without a policy", () => ({ key: "no" }), "AccessDenied", 403],
    ["with another secret", () => signed({ key: "no" }, { secret: "x" }), "SignatureDoesNotMatch", 403],
    ["with a field that the policy lacks", () => ({ ...signed({ key: "no" }), acl: "private" }), "AccessDenied", 403],
    ["without a signature", () => ({ ...signed({ key: "no" }), "x-amz-signature": "" }), "SignatureDoesNotMatch", 403],
    ["without a key", () => signed({}), "InvalidArgument", 400],
    ["with a larger file", () => signed({ key: "no" }, range(0, 6)), "EntityTooLarge", 400],
    ["with a smaller file", () => signed({ key: "no" }, range(8, 9)), "EntityTooSmall", 400],
    ["with a wrong checksum", () => signed({ key: "no", "x-amz-checksum-crc32": "AAAAAA==" }), "BadDigest", 400],
    ["with a header that is not supported", () => signed({ key: "no", "x-amz-later": "1" }), "NotImplemented", 501],
  ])("%s stores nothing", async (...[, fields, code, status]) => {
    expect(await post(fields())).toMatchObject({ code, status });
    expect((await s3Refusal(read("no"))).code).toBe("NoSuchKey");
  });

  it("without a file is refused", async () => {
    expect(await post(signed({ key: "no" }), "")).toMatchObject({ code: "InvalidArgument", status: 400 });
  });

  it("of a key that may not write is refused", async () => {
    const reader = await tenant.key({ scopes: ["storage:read"] });
    const own = { ...credentials };
    Object.assign(credentials, reader.credentials);
    const fields = signed({ key: "no" });
    Object.assign(credentials, own);
    expect(await post(fields)).toMatchObject({ code: "AccessDenied", status: 403 });
  });
});
