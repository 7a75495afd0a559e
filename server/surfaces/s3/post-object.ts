import { createHmac } from "node:crypto";
import { S3_PATH } from "../../cloud/data/buckets/s3-endpoint";
import type { NewBody } from "../../cloud/data/objects/objects";
import { newAccess } from "./access-lists";
import { type AuthenticateParts, assertAddress, findCredential } from "./authenticate";
import { readBodyChecks } from "./body-checks";
import { askedEncryption, customerKeyOf, encryptionHeaders } from "./encryption-headers";
import { expirationHeader } from "./expiration";
import { askedLock } from "./lock-headers";
import { checksumHeaders, newVersionHeader, propertiesOf } from "./object-fields";
import { encodePath, encodeText } from "./percent-encoding";
import { checkPolicy, type SizeRange } from "./post-policy";
import type { Form } from "./read-form";
import { credentialOf } from "./read-signature";
import { readXml } from "./read-xml";
import type { ObjectCall, S3Caller, S3Operation, S3Result } from "./s3-call";
import { S3Error } from "./s3-error";
import { assertKeyLength, type S3Request } from "./s3-request";
import { ALGORITHM, isEqualText, sign, signingKey } from "./signature";
import { askedTier } from "./storage-class";
import { headerTags, taggingHeader, tagsOf } from "./tags";
import { plainXmlDocument, tag } from "./write-xml";

/** Fields that say the same as a header of a put. */
const AS_HEADERS = /^(x-amz-.*|cache-control|content-(type|disposition|encoding|language|md5)|expires)$/;
/** Headers that describe the form, not the object. */
const OF_THE_FORM = /^(x-amz-.*|cache-control|content-.*|expires|if-.*)$/;

/** Who signed a form: the owner of the credentials of its policy. A form without a policy is anonymous. */
export async function formCaller(
  parts: AuthenticateParts,
  { fields }: Form,
  request: Pick<S3Request, "meta">,
): Promise<S3Caller> {
  const policy = fields.get("policy");
  const isVersion4 = fields.has("x-amz-credential") || fields.has("x-amz-signature");
  if (policy === undefined && !isVersion4 && !fields.has("awsaccesskeyid")) return {};
  const signature = required(fields, isVersion4 ? "x-amz-signature" : "signature");
  const credential = isVersion4 ? credentialOf(required(fields, "x-amz-credential"), malformed) : undefined;
  if (isVersion4 && fields.get("x-amz-algorithm") !== ALGORITHM)
    throw malformed(`x-amz-algorithm must be ${ALGORITHM}`);
  const found = await findCredential(parts, credential?.accessKeyId ?? required(fields, "awsaccesskeyid"));
  const text = required(fields, "policy");
  const expected = found.secrets.map((secret) =>
    credential
      ? sign(signingKey(secret, credential.scope), text)
      : createHmac("sha1", secret).update(text).digest("base64"),
  );
  if (!expected.some((each) => isEqualText(each, signature))) {
    throw new S3Error(
      "SignatureDoesNotMatch",
      "The signature of the policy is not the one that the server calculated.",
    );
  }
  assertAddress(found, request);
  found.recordUse();
  return { actor: found.actor, owner: found.owner };
}

function required(fields: Form["fields"], name: string): string {
  const value = fields.get(name);
  if (value !== undefined) return value;
  throw malformed(`it must have a field named ${name}, before the file`);
}

const malformed = (what: string): S3Error => new S3Error("InvalidArgument", `The form cannot be accepted: ${what}.`);

/** The request that a form means: a put of its key, with its fields as headers. */
export function formRequest(request: S3Request, { fields, fileName }: Form): S3Request {
  const baseName = fileName.slice(fileName.search(/[^\\/]*$/));
  const key = required(fields, "key").replaceAll(/\$\{filename\}/g, () => baseName);
  if (key === "" || key.includes("\0")) throw malformed("key must not be empty");
  assertKeyLength(key);
  const headers = new Map([...request.headers].filter(([name]) => !OF_THE_FORM.test(name)));
  for (const [name, value] of fields) if (AS_HEADERS.test(name)) headers.set(name, value);
  const acl = fields.get("acl");
  if (acl !== undefined) headers.set("x-amz-acl", acl);
  const tagging = fields.get("tagging");
  if (tagging !== undefined)
    headers.set("x-amz-tagging", taggingHeader(tagsOf(readXml(Buffer.from(tagging), "Tagging"), "object")));
  return { ...request, key, headers };
}

/** Stores the file of a form, whose signature was verified. */
export const postObject = (form: Form): S3Operation<ObjectCall> => ({
  name: "PostObject",
  access: "storage:write",
  run: async (call) => {
    const { request, cloud, bucket, key, caller } = call;
    const { headers } = request;
    const range = rangeOf(form, call);
    const asked = { ...askedTier(headers), ...askedEncryption(headers), ...headerTags(headers.get("x-amz-tagging")) };
    const put = { ...propertiesOf(headers), ...asked, ...askedLock(headers), ...(await newAccess(call)) };
    const body = bodyOf(form, headers, range);
    const version = await cloud.objects.put(bucket, { key, body, ...put }).catch((failure) => {
      throw body.failure ?? failure;
    });
    const location = `${cloud.publicUrl}${S3_PATH}/${bucket.name}/${encodePath(key)}`;
    const shown = {
      etag: `"${version.etag}"`,
      ...newVersionHeader(bucket, version),
      ...checksumHeaders(version),
      ...encryptionHeaders(version, customerKeyOf(headers)),
      ...expirationHeader(bucket, version),
    };
    // An anonymous form could send visitors of this server anywhere.
    const redirect = caller.actor ? redirectOf(form) : undefined;
    if (!redirect) return done(form, { ...shown, location }, { bucket: bucket.name, key });
    const query = [`bucket=${encodeText(bucket.name)}`, `key=${encodeText(key)}`, `etag=${encodeText(shown.etag)}`];
    redirect.search = [redirect.search.slice(1), ...query].filter(Boolean).join("&");
    return { status: 303, headers: { ...shown, location: redirect.href } };
  },
});

function rangeOf({ fields }: Form, { bucket, key, caller, cloud }: ObjectCall): SizeRange {
  const policy = fields.get("policy");
  if (policy !== undefined) {
    const all = new Map([...fields, ["bucket", bucket.name], ["key", key]]);
    return checkPolicy(policy, all, cloud.clock.now());
  }
  if (caller.actor) throw malformed("it must have a field named policy, before the file");
  return { least: 0, most: Number.POSITIVE_INFINITY };
}

/** The file as a body; a size that the policy does not allow is noted in `failure` and stores nothing. */
function bodyOf({ file }: Form, headers: S3Request["headers"], range: SizeRange): NewBody & { failure?: unknown } {
  const { checksums, md5 } = readBodyChecks(headers);
  const body: NewBody & { failure?: unknown } = {
    checksums: () => checksums,
    ...(md5 !== undefined && { md5 }),
    stream: within(file, range, (failure) => {
      body.failure = failure;
    }),
  };
  return body;
}

async function* within(
  file: AsyncIterable<Uint8Array>,
  { least, most }: SizeRange,
  onFailure: (failure: unknown) => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of file) {
      size += chunk.length;
      if (size > most) throw new S3Error("EntityTooLarge", `The policy allows at most ${most} bytes.`);
      yield chunk;
    }
    if (size < least) throw new S3Error("EntityTooSmall", `The policy requires at least ${least} bytes.`);
  } catch (failure) {
    onFailure(failure);
    throw failure;
  }
}

/** A redirect that is no URL counts as none, as in S3. */
function redirectOf({ fields }: Form): URL | undefined {
  const text = fields.get("success_action_redirect") ?? fields.get("redirect");
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  return url && ["http:", "https:"].includes(url.protocol) ? url : undefined;
}

function done(
  { fields }: Form,
  headers: Record<string, string>,
  { bucket, key }: { bucket: string; key: string },
): S3Result {
  const status = fields.get("success_action_status");
  if (status === "200") return { status: 200, headers };
  if (status !== "201") return { status: 204, headers };
  const { location = "", etag = "" } = headers;
  const document = tag("PostResponse", [
    tag("Location", location),
    tag("Bucket", bucket),
    tag("Key", key),
    tag("ETag", etag),
  ]);
  return { status: 201, headers, body: plainXmlDocument(document) };
}
