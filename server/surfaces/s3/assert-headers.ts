import { HEADER_PREFIXES, HEADERS, type HeaderRule } from "./request-names";
import { S3Error } from "./s3-error";
import { tag } from "./write-xml";

const NONE: HeaderRule = {};

/**
 * Throws `NotImplemented`, which names the header, if a request has one that S3 would act on in this operation and svc
 * does not, or one that is not known. `operation`: as in the S3 API reference.
 */
export function assertHeaders(operation: string, headers: ReadonlyMap<string, string>): void {
  for (const name of headers.keys()) {
    const { refused } = ruleOf(name) ?? NONE;
    if (refused === "all" || refused?.includes(operation)) throw notImplemented(name);
  }
}

/** Of a header of HTTP that S3 gives no meaning there is no rule; every one that begins as those of S3 has one. */
function ruleOf(name: string): HeaderRule | undefined {
  const rule = Object.hasOwn(HEADERS, name) ? HEADERS[name] : undefined;
  if (rule || !name.startsWith("x-amz-")) return rule;
  const prefix = Object.keys(HEADER_PREFIXES).find((each) => name.startsWith(each));
  return prefix === undefined ? { refused: "all" } : HEADER_PREFIXES[prefix];
}

const notImplemented = (name: string): S3Error =>
  new S3Error("NotImplemented", `The header ${name.slice(0, 200)} is not supported for this request.`, {
    elements: [tag("Header", name.slice(0, 200))],
  });
