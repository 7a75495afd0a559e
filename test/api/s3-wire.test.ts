import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { describe, expect, it } from "vitest";
import { S3Query } from "../../server/surfaces/s3/s3-query";
import {
  canonicalRequest,
  scopeText,
  sha256Hex,
  sign,
  signingKey,
  stringToSign,
} from "../../server/surfaces/s3/signature";
import { eventually } from "../factories/app";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "wire";
const server = await openForFile(s3Server());
const key = await (await s3Tenant(server)).key();
const s3 = s3Client(server, key.credentials);
await s3.send(new CreateBucketCommand({ Bucket }));

const isStored = (Key: string) =>
  s3.send(new HeadObjectCommand({ Bucket, Key })).then(
    () => true,
    () => false,
  );
const textOf = async (Key: string) => (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();

interface Raw {
  method?: string;
  target: string;
  headers?: Record<string, string>;
  payload?: string;
}

/** The head of a request that is signed as a client would sign it, and what signs its chunks. */
function signed({ method = "PUT", target, headers = {}, payload = "UNSIGNED-PAYLOAD" }: Raw) {
  const time = server.test.clock
    .now()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, "");
  const scope = { day: time.slice(0, 8), region: "us-east-1" };
  const all = new Map(
    Object.entries({
      host: `localhost:${server.port}`,
      "x-amz-content-sha256": payload,
      "x-amz-date": time,
      ...headers,
    }),
  );
  const signedHeaders = [...all.keys()].filter((name) => name === "host" || name.startsWith("x-amz-")).sort();
  const [path = "", query = ""] = target.split("?");
  const parsed = S3Query.parse(query);
  if (!parsed) throw new Error("the query is malformed");
  const canonical = canonicalRequest({
    method,
    path: decodeURIComponent(path),
    query: parsed,
    headers: all,
    signedHeaders,
    payload,
  });
  const signing = signingKey(key.credentials.secretAccessKey, scope);
  const signature = sign(signing, stringToSign(time, scope, canonical));
  const authorization = `AWS4-HMAC-SHA256 Credential=${key.credentials.accessKeyId}/${scopeText(scope)}, SignedHeaders=${signedHeaders.join(";")}, Signature=${signature}`;
  const lines = [...all, ["authorization", authorization]].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  let previous = signature;
  const chunk = (text: string) => {
    const hashes = `${sha256Hex("")}\n${sha256Hex(text)}`;
    previous = sign(signing, ["AWS4-HMAC-SHA256-PAYLOAD", time, scopeText(scope), previous, hashes].join("\n"));
    return `${Buffer.byteLength(text).toString(16)};chunk-signature=${previous}\r\n${text}\r\n`;
  };
  return { head: `${method} ${target} HTTP/1.1\r\n${lines}`, chunk };
}

/** Sends bytes and returns everything that the server sends, until it closes the connection or a response is complete. */
async function exchange(bytes: string, isComplete = /\r\n\r\n(.*<\/Error>)?$/s): Promise<string> {
  const socket = await open();
  return new Promise((resolve) => {
    let text = "";
    const end = () => {
      resolve(text);
      socket.destroy();
    };
    socket.on("data", (data) => {
      text += data;
      if (isComplete.test(text)) end();
    });
    socket.on("close", end).on("error", end);
    socket.write(bytes);
  });
}

const open = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => resolve(socket)).once("error", reject);
  });
const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
const codeIn = (text: string) => /<Code>(.*?)<\/Code>/.exec(text)?.[1];
const CHUNKS = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
const at = (name: string) => `/v1/s3/${Bucket}/${name}`;

describe("a body in signed chunks", () => {
  const upload = (name: string, change: (body: string) => string = (body) => body) => {
    const headers = { "x-amz-decoded-content-length": "11", "content-encoding": "aws-chunked,gzip" };
    const { head, chunk } = signed({ target: at(name), headers, payload: CHUNKS });
    const body = change(chunk("hello ") + chunk("world") + chunk(""));
    return exchange(`${head}content-length: ${body.length}\r\n\r\n${body}`);
  };

  it("is stored without its framing", async () => {
    expect(statusOf(await upload("chunked"))).toBe(200);
    expect(await textOf("chunked")).toBe("hello world");
    expect((await s3.send(new HeadObjectCommand({ Bucket, Key: "chunked" }))).ContentEncoding).toBe("gzip");
  });

  it.each<[string, (body: string) => string, string]>([
    ["a changed byte", (body) => body.replace("world", "World"), "SignatureDoesNotMatch"],
    [
      "exchanged chunks",
      (body) => body.replace("hello ", "world").replace(/world(?=\r\n0)/, "hello "),
      "SignatureDoesNotMatch",
    ],
    ["a changed signature", (body) => body.replace(/signature=[0-9a-f]/, "signature=g"), "IncompleteBody"],
    [
      "a chunk too few",
      (body) => body.replace(/5;chunk-signature=[0-9a-f]{64}\r\nworld\r\n/, ""),
      "SignatureDoesNotMatch",
    ],
    ["no last chunk", (body) => body.replace(/0;chunk-signature=.*$/s, ""), "IncompleteBody"],
    ["bytes after the end", (body) => `${body}more`, "IncompleteBody"],
    ["no framing", () => "hello world", "IncompleteBody"],
  ])("with %s is refused and nothing is stored", async (...[name, change, code]) => {
    const text = await upload(`refused ${name}`.replaceAll(" ", "-"), change);
    expect([statusOf(text) >= 400, codeIn(text)]).toEqual([true, code]);
    expect(await isStored(`refused ${name}`.replaceAll(" ", "-"))).toBe(false);
  });
});

describe("the length of a body", () => {
  it.each<[string, Record<string, string>, string, string, string]>([
    ["missing", {}, "", "UNSIGNED-PAYLOAD", "MissingContentLength"],
    [
      "not known before it ends",
      { "transfer-encoding": "chunked" },
      "1\r\na\r\n0\r\n\r\n",
      "UNSIGNED-PAYLOAD",
      "MissingContentLength",
    ],
    ["over 5 GiB", { "content-length": String(5 * 1024 ** 3 + 1) }, "", "UNSIGNED-PAYLOAD", "EntityTooLarge"],
    ["missing for chunks", { "content-length": "5" }, "0\r\n\r\n", CHUNKS, "MissingContentLength"],
    [
      "no number for chunks",
      { "content-length": "5", "x-amz-decoded-content-length": "-1" },
      "0\r\n\r\n",
      CHUNKS,
      "InvalidArgument",
    ],
  ])("that is %s is refused", async (...[name, headers, body, payload, code]) => {
    const target = at(`length-${name.replaceAll(" ", "-")}`);
    const { head } = signed({ target, headers, payload });
    expect(codeIn(await exchange(`${head}\r\n${body}`))).toBe(code);
  });

  it("that differs from the signed hash of its bytes is refused", async () => {
    const { head } = signed({ target: at("hash"), payload: sha256Hex("signed bytes") });
    expect(codeIn(await exchange(`${head}content-length: 11\r\n\r\nother bytes`))).toBe("XAmzContentSHA256Mismatch");
    expect(await isStored("hash")).toBe(false);
    const right = signed({ target: at("hash"), payload: sha256Hex("signed bytes") });
    expect(statusOf(await exchange(`${right.head}content-length: 12\r\n\r\nsigned bytes`))).toBe(200);
  });
});

describe("a request that two servers could read differently", () => {
  it.each<[string, string]>([
    ["two lengths", "content-length: 1\r\ncontent-length: 2\r\n"],
    ["a length and chunks", "content-length: 5\r\ntransfer-encoding: chunked\r\n"],
    ["a second host", "host: other.example\r\ncontent-length: 1\r\n"],
    ["a folded header", "x-amz-meta-a: b\r\n c\r\ncontent-length: 1\r\n"],
    ["an unknown transfer coding", "transfer-encoding: gzip\r\n"],
  ])("with %s is refused", async (name, lines) => {
    const target = at(`smuggled-${name.replaceAll(" ", "-")}`);
    const { head } = signed({ target });
    const text = await exchange(`${head}${lines}\r\na`, /\r\n\r\n.+/s);
    expect(statusOf(text)).toBeGreaterThanOrEqual(400);
    expect(await isStored(target.slice(at("").length))).toBe(false);
  });

  it("with a signed header twice has the signature of both values", async () => {
    const { head } = signed({ target: at("twice"), headers: { "x-amz-meta-a": "one,two" } });
    const twice = head.replace("x-amz-meta-a: one,two\r\n", "x-amz-meta-a: one\r\nX-Amz-Meta-A: two\r\n");
    expect(statusOf(await exchange(`${twice}content-length: 0\r\n\r\n`))).toBe(200);
    const found = await s3.send(new HeadObjectCommand({ Bucket, Key: "twice" }));
    expect(found.Metadata).toEqual({ a: "one,two" });
  });
});

describe("the path of a signed request", () => {
  it.each(["a//b", "a/./b", "a/../b", "../../x", "a%2Fb", "%2e%2e/y", "a+b", "a%20b", "(x)!*'", "%E2%82%AC"])(
    "%s is a key as it is",
    async (path) => {
      const { head } = signed({ target: at(path) });
      expect(statusOf(await exchange(`${head}content-length: 1\r\n\r\nx`))).toBe(200);
      const name = decodeURIComponent(path);
      expect(await server.test.app.cloud.objects.find(await bucketRef(), { key: name })).toMatchObject({ size: 1 });
    },
  );
  const bucketRef = () => server.test.engines.db.bucket.findUniqueOrThrow({ where: { name: Bucket } });
});

describe("a signed request to the host of a bucket", () => {
  it("names only the key in its path", async () => {
    const host = `${Bucket}.s3.test:${server.port}`;
    const { head } = signed({ target: "/virtual/key", headers: { host } });
    expect(statusOf(await exchange(`${head}content-length: 1\r\n\r\nx`))).toBe(200);
    expect(await textOf("virtual/key")).toBe("x");
    const other = head.replace(host, `other.s3.test:${server.port}`);
    expect(codeIn(await exchange(`${other}content-length: 1\r\n\r\nx`))).toBe("SignatureDoesNotMatch");
  });
});

describe("the Authorization header", () => {
  it.each<[string, (head: string) => string, string]>([
    [
      "of Signature Version 2 that is none",
      (head) => head.replace(/authorization: .*/, "authorization: AWS AKIA:c2ln"),
      "InvalidArgument",
    ],
    [
      "of another scheme",
      (head) => head.replace("AWS4-HMAC-SHA256 ", "AWS4-ECDSA-P256-SHA256 "),
      "AuthorizationHeaderMalformed",
    ],
    ["without a signature", (head) => head.replace(/, Signature=.*/, ""), "AuthorizationHeaderMalformed"],
    [
      "with a repeated field",
      (head) => head.replace(/Signature=(.*)/, "Signature=$1, Signature=$1"),
      "AuthorizationHeaderMalformed",
    ],
    ["with another date", (head) => head.replace(/(Credential=[^/]*\/)\d/, "$19"), "AuthorizationHeaderMalformed"],
    ["with another service", (head) => head.replace("/s3/aws4", "/iam/aws4"), "AuthorizationHeaderMalformed"],
    ["with another region", (head) => head.replace("us-east-1", "us-west-1"), "SignatureDoesNotMatch"],
    ["without the hash of the body", (head) => head.replace(/x-amz-content-sha256: .*\r\n/, ""), "InvalidRequest"],
    [
      "with an unknown kind of body",
      (head) => head.replaceAll("UNSIGNED-PAYLOAD", "SIGNED-ELSEWHERE"),
      "SignatureDoesNotMatch",
    ],
    ["without a date", (head) => head.replace(/x-amz-date: .*\r\n/, ""), "AccessDenied"],
    ["that does not sign the host", (head) => head.replace("SignedHeaders=host;", "SignedHeaders="), "AccessDenied"],
    ["that does not sign a header of S3", (head) => `${head}x-amz-meta-a: b\r\n`, "AccessDenied"],
    ["with another method", (head) => head.replace("PUT ", "DELETE "), "SignatureDoesNotMatch"],
    ["with another key", (head) => head.replace("/signed ", "/other "), "SignatureDoesNotMatch"],
    [
      "with a further parameter",
      (head) => head.replace("/signed ", "/signed?versionId=null "),
      "SignatureDoesNotMatch",
    ],
  ])("%s is refused", async (...[, change, code]) => {
    const { head } = signed({ target: at("signed") });
    expect(codeIn(await exchange(`${change(head)}content-length: 0\r\n\r\n`))).toBe(code);
    expect(await isStored("signed")).toBe(false);
  });

  it("of an unknown kind of body that is signed is refused", async () => {
    const { head } = signed({ target: at("signed"), payload: "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD" });
    expect(codeIn(await exchange(`${head}content-length: 0\r\n\r\n`))).toBe("InvalidArgument");
  });
});

describe("a client that goes away", () => {
  it("during an upload stores nothing", async () => {
    const { head } = signed({ target: at("left") });
    const socket = await open();
    socket.on("error", () => undefined);
    socket.write(`${head}content-length: 1000000\r\n\r\n${"x".repeat(500_000)}`);
    await new Promise((resolve) => socket.write("more", resolve));
    socket.destroy();
    await s3.send(new PutObjectCommand({ Bucket, Key: "after", Body: "x" }));
    expect(await isStored("left")).toBe(false);
  });

  it("during a download closes the read", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "long", Body: Buffer.alloc(20_000_000) }));
    const { objects } = server.test.app.cloud;
    const real = objects.read.bind(objects);
    let isClosed = false;
    objects.read = async (bucket, choice) => {
      const reading = await real(bucket, choice);
      async function* watched(range?: { start: number; end: number }) {
        try {
          yield* reading.open(range);
        } finally {
          isClosed = true;
        }
      }
      return { ...reading, open: watched };
    };
    try {
      const { head } = signed({ method: "GET", target: at("long") });
      const socket = await open();
      socket.write(`${head}\r\n`);
      await new Promise((resolve) => socket.once("data", resolve));
      expect(isClosed).toBe(false);
      socket.destroy();
      await eventually(() => isClosed);
    } finally {
      objects.read = real;
    }
  });
});

describe("Expect: 100-continue", () => {
  it("is answered before the body is read, and not for a request that is refused", async () => {
    const { head } = signed({ target: at("expected") });
    const rest = "content-length: 4\r\nexpect: 100-continue\r\n\r\n";
    const socket = await open();
    let text = "";
    socket.on("data", (data) => {
      text += data;
    });
    socket.write(head + rest);
    await eventually(() => text.startsWith("HTTP/1.1 100 Continue\r\n"));
    socket.write("body");
    await eventually(() => text.includes("HTTP/1.1 200 OK"));
    socket.destroy();
    expect(await textOf("expected")).toBe("body");
    const refused = await exchange(head.replace("/expected", "/unexpected") + rest);
    expect([statusOf(refused), codeIn(refused)]).toEqual([403, "SignatureDoesNotMatch"]);
  });
});

describe("XML of a client", () => {
  it.each([
    ["is malformed", "<Delete><Object>"],
    ["has a document type", '<!DOCTYPE Delete [<!ENTITY a "b">]><Delete><Object><Key>&a;</Key></Object></Delete>'],
    ["has no objects", "<Delete></Delete>"],
  ])("that %s is refused", async (_, xml) => {
    const { head } = signed({ method: "POST", target: `/v1/s3/${Bucket}?delete`, payload: sha256Hex(xml) });
    expect(codeIn(await exchange(`${head}content-length: ${xml.length}\r\n\r\n${xml}`))).toBe("MalformedXML");
  });

  it("that is too large, empty, or has another digest is refused", async () => {
    const post = (xml: string, more: string) =>
      exchange(`${signed({ method: "POST", target: `/v1/s3/${Bucket}?delete` }).head}${more}\r\n${xml}`);
    expect(codeIn(await post("", "content-length: 5000000\r\n"))).toBe("MaxMessageLengthExceeded");
    expect(codeIn(await post("", "content-length: 0\r\n"))).toBe("MissingRequestBodyError");
    const digest = createHash("md5").update("other").digest("base64");
    expect(codeIn(await post("<D/>", `content-length: 4\r\ncontent-md5: ${digest}\r\n`))).toBe("BadDigest");
  });

  it("of svc's errors escapes what a client sent, and HEAD has no body", async () => {
    const { head } = signed({ method: "GET", target: at("%3Cscript%3E") });
    const text = await exchange(`${head}\r\n`);
    expect([codeIn(text), text.includes("<script>")]).toEqual(["NoSuchKey", false]);
    const refused = await s3Refusal(s3.send(new HeadObjectCommand({ Bucket, Key: "missing" })));
    expect(refused.status).toBe(404);
  });
});

it("A client that cannot have a path in its endpoint uses the root of the address, signed and presigned", async () => {
  const atRoot = s3Client({ url: `http://localhost:${server.port}` }, key.credentials);
  await atRoot.send(new PutObjectCommand({ Bucket, Key: "at/root", Body: "content" }));
  expect(await textOf("at/root")).toBe("content");
  expect((await atRoot.send(new ListBucketsCommand())).Buckets?.map(({ Name }) => Name)).toContain(Bucket);
  const url = await getSignedUrl(atRoot, new GetObjectCommand({ Bucket, Key: "at/root" }));
  expect(new URL(url).pathname).toBe(`/${Bucket}/at/root`);
  expect(await (await fetch(url)).text()).toBe("content");
  const unsigned = await fetch(`http://localhost:${server.port}/${Bucket}/at/root`);
  expect([unsigned.status, await unsigned.text()]).toEqual([403, expect.stringContaining("<Code>AccessDenied<")]);
});
