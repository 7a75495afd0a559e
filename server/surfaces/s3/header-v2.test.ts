import { expect, it } from "vitest";
import { readHeaderV2, verifyHeaderV2 } from "./header-v2";
import { S3Query } from "./s3-query";
import type { S3Request } from "./s3-request";

/** The examples of "Signing and authenticating REST requests" in Amazon S3's documentation. */
const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const KEY_ID = "AKIAIOSFODNN7EXAMPLE";

function requestOf(method: string, target: string, headers: Record<string, string>): S3Request {
  const [path = "/", query = ""] = target.split("?");
  return {
    method,
    path,
    bucket: "johnsmith",
    query: S3Query.parse(query),
    headers: new Map(Object.entries(headers)),
    incoming: { url: target },
  } as unknown as S3Request;
}

function verify(request: S3Request, secrets = [SECRET], now = request.headers.get("date") ?? ""): void {
  const signed = readHeaderV2(request);
  if (!signed) throw new Error("there is no signature");
  verifyHeaderV2(request, signed, { secrets, now: new Date(now) });
}

const GET = {
  date: "Tue, 27 Mar 2007 19:36:42 +0000",
  authorization: `AWS ${KEY_ID}:bWq2s1WEIj+Ydj0vQ697zp+IXMU=`,
};
const PUT = {
  "content-type": "image/jpeg",
  "content-length": "94328",
  date: "Tue, 27 Mar 2007 21:15:45 +0000",
  authorization: `AWS ${KEY_ID}:MyyxeRY7whkBe+bq8fHCL/2kKUg=`,
};
const LIST = {
  date: "Tue, 27 Mar 2007 19:42:41 +0000",
  authorization: `AWS ${KEY_ID}:htDYFYduRNen8P9ZfE/s9SuKy0U=`,
};
const ACL = {
  date: "Tue, 27 Mar 2007 19:44:46 +0000",
  authorization: `AWS ${KEY_ID}:c2WLPFtWHVgbEmeEG93a4cG37dM=`,
};

it.each([
  ["GET", "/photos/puppy.jpg", GET],
  ["PUT", "/photos/puppy.jpg", PUT],
  ["GET", "/?prefix=photos&max-keys=50&marker=puppy", LIST],
  ["GET", "/?acl", ACL],
] as const)("verifies the documented example %s %s", (method, target, headers) => {
  const request = requestOf(method, target, headers);
  expect(() => verify(request)).not.toThrow();
  expect(() => verify(request, ["other", SECRET])).not.toThrow();
  expect(() => verify(request, ["other"])).toThrow(expect.objectContaining({ code: "SignatureDoesNotMatch" }));
});

it("rejects another method, path, type or time than was signed", () => {
  const mismatch = expect.objectContaining({ code: "SignatureDoesNotMatch" });
  expect(() => verify(requestOf("DELETE", "/photos/puppy.jpg", GET))).toThrow(mismatch);
  expect(() => verify(requestOf("GET", "/photos/kitten.jpg", GET))).toThrow(mismatch);
  expect(() => verify(requestOf("GET", "/?policy", ACL))).toThrow(mismatch);
  expect(() => verify(requestOf("PUT", "/photos/puppy.jpg", { ...PUT, "content-type": "text/html" }))).toThrow(
    mismatch,
  );
  expect(() => verify(requestOf("PUT", "/photos/puppy.jpg", { ...PUT, "x-amz-acl": "public-read" }))).toThrow(mismatch);
  const late = requestOf("GET", "/photos/puppy.jpg", GET);
  const skewed = expect.objectContaining({ code: "RequestTimeTooSkewed" });
  expect(() => verify(late, [SECRET], "Tue, 27 Mar 2007 19:51:43 +0000")).toThrow(skewed);
  expect(() => verify(late, [SECRET], "Tue, 27 Mar 2007 19:51:42 +0000")).not.toThrow();
  expect(() => verify(late, [SECRET], "Tue, 27 Mar 2007 19:21:41 +0000")).toThrow(skewed);
});

it.each(["Bad Date", "", "Tue, 07 Jul 1950 21:53:04 GMT"])("rejects the time %j", (date) => {
  const request = requestOf("GET", "/photos/puppy.jpg", { ...GET, "x-amz-date": date });
  expect(() => verify(request, [SECRET], GET.date)).toThrow(expect.objectContaining({ code: "AccessDenied" }));
});

it("changes nothing by a parameter that it does not protect", () => {
  const request = requestOf("PUT", "/?encryption", PUT);
  expect(() => verify(request)).toThrow("Signature Version 2 does not protect the parameter encryption");
  expect(() => verify(requestOf("GET", "/?acl&acl", ACL))).toThrow("must not be repeated");
});

it.each(["AWS HAHAHA", "AWS ", "AWS AKIA:c2ln", `AWS ${KEY_ID}:bWq2s1WEIj+Ydj0vQ697zp+IXMU=x`])(
  "rejects %j",
  (text) => {
    const request = requestOf("GET", "/photos/puppy.jpg", { ...GET, authorization: text });
    expect(() => readHeaderV2(request)).toThrow(expect.objectContaining({ code: "InvalidArgument" }));
  },
);

it("leaves other schemes to others", () => {
  const of = (authorization: string) => readHeaderV2(requestOf("GET", "/", { authorization }));
  expect(of("AWS4-HMAC-SHA256 Credential=x")).toBeUndefined();
  expect(of("Bearer svc_live_x")).toBeUndefined();
  expect(readHeaderV2(requestOf("GET", "/", {}))).toBeUndefined();
});
