import { IS_HOST, IS_LOCAL_PART, isIn, latin1 } from "./byte-classes";
import { EMAIL } from "./personal-data";
import type { Match } from "./rule";

const LOCAL_MAX = 64;
const HOST_MAX = 120;
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+([A-Za-z]{2,18})$/;
/** RFC 2606 and 6761 reserve them. */
const RESERVED = /(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid|localhost|local|internal|lan|arpa)$/i;
/** Names of files with a version or a size, such as `icon@2x.png`. */
const FILE_ENDINGS = new Set(
  "png jpg jpeg gif svg webp ico css scss js mjs cjs ts tsx jsx json map html htm xml yml yaml md txt php rb java class cpp hpp dart kt swift conf cfg log zip tgz gz tar jar whl dll exe pdf csv sql service target timer socket".split(
    " ",
  ),
);
/** What does not begin an address: a point, a percent, a plus or a minus sign. */
const PUNCTUATION = new Set([0x2e, 0x25, 0x2b, 0x2d]);
/** `scheme://user:` and a part of the password. */
const USER_INFO = /:\/\/[^\s/?#"'<>]*$/;

/** The email address around an at sign. */
export function emailAddressAt(bytes: Buffer, at: number): Match | undefined {
  let start = at;
  while (start > 0 && at - start < LOCAL_MAX && isIn(IS_LOCAL_PART, bytes, start - 1)) start--;
  while (start < at && PUNCTUATION.has(bytes[start] ?? 0)) start++;
  let end = at + 1;
  while (end - at < HOST_MAX && isIn(IS_HOST, bytes, end)) end++;
  if (start === at || end === at + 1) return undefined;
  const local = latin1(bytes, start, at);
  const host = latin1(bytes, at + 1, end).replace(/[.-]+$/, "");
  const [, topLevel = ""] = HOST.exec(host) ?? [];
  if (topLevel === "" || RESERVED.test(host) || FILE_ENDINGS.has(topLevel.toLowerCase())) return undefined;
  if (/\.\.|\.$/.test(local) || isOfUrl(bytes, start, local)) return undefined;
  return { rule: EMAIL, start, end: at + 1 + host.length, confidence: "high" };
}

/** The user of a URL or of a repository is no address, nor is the end of its password. */
const isOfUrl = (bytes: Buffer, start: number, local: string): boolean =>
  local === "git" ||
  local === "svn" ||
  local === "hg" ||
  USER_INFO.test(latin1(bytes, Math.max(0, start - 200), start));
