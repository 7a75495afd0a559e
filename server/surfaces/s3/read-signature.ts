import { S3Error } from "./s3-error";
import type { S3Query } from "./s3-query";
import type { S3Request } from "./s3-request";
import { ALGORITHM, EXPIRES_SECONDS_MAX, type SigningScope } from "./signature";

const AMZ_DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const CREDENTIAL = /^([A-Za-z0-9_.~-]{1,300})\/(\d{8})\/([A-Za-z0-9-]{1,64})\/s3\/aws4_request$/;
const SIGNATURE = /^[0-9a-f]{64}$/;
const SIGNED_HEADERS = /^[a-z0-9!#$%&'*+.^_`|~-]+(;[a-z0-9!#$%&'*+.^_`|~-]+)*$/;
const QUERY_NAMES = [
  "X-Amz-Algorithm",
  "X-Amz-Credential",
  "X-Amz-Date",
  "X-Amz-Expires",
  "X-Amz-SignedHeaders",
  "X-Amz-Signature",
];
const SHA256 = "x-amz-content-sha256";

/** What a request says about its own signature; nothing of it is verified yet. */
export interface RequestSignature {
  in: "header" | "query";
  accessKeyId: string;
  scope: SigningScope;
  signedHeaders: readonly string[];
  /** Hex. */
  signature: string;
  /** As signed: `YYYYMMDDTHHMMSSZ`. */
  time: string;
  signedAt: Date;
  /** Only for presigned URLs. */
  expiresSeconds?: number;
  /** Hex SHA-256 of the body, or one of the words that S3 has for it. */
  payload: string;
}

/** The signature of a request; undefined if it has none. Throws what is malformed or missing. */
export function readSignature({ headers, query }: S3Request): RequestSignature | undefined {
  const authorization = headers.get("authorization");
  const isPresigned = QUERY_NAMES.some((name) => query.has(name));
  if (authorization === undefined) return isPresigned ? querySignature(query, headers) : undefined;
  if (isPresigned) {
    throw new S3Error(
      "InvalidArgument",
      "Only one kind of credentials is allowed: send either the Authorization header or the X-Amz-* query parameters of a presigned URL.",
    );
  }
  if (/^bearer\s/i.test(authorization)) return undefined;
  return headerSignature(authorization, headers);
}

function headerSignature(authorization: string, headers: ReadonlyMap<string, string>): RequestSignature {
  if (!authorization.startsWith(`${ALGORITHM} `)) {
    throw malformedHeader(`expected ${ALGORITHM} Credential=…, SignedHeaders=…, Signature=…`);
  }
  const fields = fieldsOf(authorization.slice(ALGORITHM.length + 1));
  const payload = headers.get(SHA256);
  if (payload === undefined) throw new S3Error("InvalidRequest", `The header ${SHA256} is missing.`);
  return {
    in: "header",
    ...credentialOf(fields.get("Credential"), malformedHeader),
    ...timeOf(headers, fields.get("Credential") ?? ""),
    signedHeaders: signedHeadersOf(fields.get("SignedHeaders"), malformedHeader),
    signature: signatureOf(fields.get("Signature"), malformedHeader),
    payload,
  };
}

function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const part of text.split(",")) {
    const [, name = "", value = ""] = /^\s*([A-Za-z]+)=(\S*)\s*$/.exec(part) ?? [];
    if (name === "" || fields.has(name)) throw malformedHeader("each of its fields must be sent once, as Name=value");
    fields.set(name, value);
  }
  return fields;
}

/** The time is in x-amz-date, or else in Date. */
function timeOf(headers: ReadonlyMap<string, string>, credential: string): Pick<RequestSignature, "time" | "signedAt"> {
  const [amzDate, date] = [headers.get("x-amz-date"), headers.get("date")];
  const signedAt = amzDate === undefined ? new Date(date ?? "") : parseAmzDate(amzDate);
  if (signedAt === undefined || Number.isNaN(signedAt.getTime())) {
    throw new S3Error("AccessDenied", "A signed request needs a valid x-amz-date (YYYYMMDDTHHMMSSZ) or Date header.");
  }
  const time = amzDate ?? toAmzDate(signedAt);
  if (credential.split("/")[1] !== time.slice(0, 8)) {
    throw malformedHeader(`the date of Credential is not that of the request, ${time.slice(0, 8)}`);
  }
  return { time, signedAt };
}

function querySignature(query: S3Query, headers: ReadonlyMap<string, string>): RequestSignature {
  for (const name of QUERY_NAMES) {
    if (!query.has(name)) throw malformedQuery(`${name} is missing`);
    if (query.isRepeated(name)) throw malformedQuery(`${name} is repeated`);
  }
  if (query.get("X-Amz-Algorithm") !== ALGORITHM) throw malformedQuery(`X-Amz-Algorithm must be ${ALGORITHM}`);
  const credential = credentialOf(query.get("X-Amz-Credential"), malformedQuery);
  const time = query.get("X-Amz-Date") ?? "";
  const signedAt = parseAmzDate(time);
  if (!signedAt) throw malformedQuery("X-Amz-Date must have the form YYYYMMDDTHHMMSSZ");
  if (credential.scope.day !== time.slice(0, 8)) throw malformedQuery("X-Amz-Credential has another date");
  const expires = query.get("X-Amz-Expires") ?? "";
  const expiresSeconds = /^\d{1,7}$/.test(expires) ? Number(expires) : 0;
  if (expiresSeconds < 1 || expiresSeconds > EXPIRES_SECONDS_MAX) {
    throw malformedQuery(`X-Amz-Expires must be a number of seconds from 1 to ${EXPIRES_SECONDS_MAX}`);
  }
  return {
    in: "query",
    ...credential,
    time,
    signedAt,
    expiresSeconds,
    signedHeaders: signedHeadersOf(query.get("X-Amz-SignedHeaders"), malformedQuery),
    signature: signatureOf(query.get("X-Amz-Signature"), malformedQuery),
    payload: headers.get(SHA256) ?? query.get("X-Amz-Content-Sha256") ?? "UNSIGNED-PAYLOAD",
  };
}

export type Malformed = (what: string) => S3Error;

/** The parts of a credential `<access key id>/<day>/<region>/s3/aws4_request`. */
export function credentialOf(text: string | undefined, malformed: Malformed) {
  const [, accessKeyId, day, region] = CREDENTIAL.exec(text ?? "") ?? [];
  if (accessKeyId === undefined || day === undefined || region === undefined) {
    throw malformed("the credential must be <access key id>/<YYYYMMDD>/<region>/s3/aws4_request");
  }
  return { accessKeyId, scope: { day, region } };
}

function signedHeadersOf(text: string | undefined, malformed: Malformed): string[] {
  if (!SIGNED_HEADERS.test(text ?? "")) throw malformed("SignedHeaders must be lower-case names joined by semicolons");
  return (text ?? "").split(";");
}

function signatureOf(text: string | undefined, malformed: Malformed): string {
  if (!SIGNATURE.test(text ?? "")) throw malformed("Signature must be 64 lower-case hexadecimal digits");
  return text ?? "";
}

function parseAmzDate(text: string): Date | undefined {
  const [, ...parts] = AMZ_DATE.exec(text) ?? [];
  if (parts.length === 0) return undefined;
  const [year, month, day, hour, minute, second] = parts;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const toAmzDate = (date: Date): string => date.toISOString().replaceAll(/[-:]|\.\d+/g, "");

const malformedHeader: Malformed = (what) =>
  new S3Error("AuthorizationHeaderMalformed", `The Authorization header is malformed: ${what}.`);

const malformedQuery: Malformed = (what) =>
  new S3Error("AuthorizationQueryParametersError", `The query parameters of the signature are malformed: ${what}.`);
