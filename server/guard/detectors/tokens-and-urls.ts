import { RE2JS } from "re2js";
import { beginsWord, IS_USER_INFO, isIn, latin1 } from "./byte-classes";
import { isPlaceholder } from "./placeholders";
import type { Match, RuleText, Window } from "./rule";

const JSON_WEB_TOKEN = "json_web_token";
const CONNECTION_URL = "url_password";
const BASIC = "basic_authorization";

/** Secrets that are recognized by their structure. */
export const STRUCTURED_RULES: readonly RuleText[] = [
  {
    id: JSON_WEB_TOKEN,
    category: "secret",
    severity: "medium",
    title: "JSON Web Token",
    remedy: "Delete the object; if the token has not expired, end the session or replace the signing key.",
  },
  {
    id: CONNECTION_URL,
    category: "secret",
    severity: "high",
    title: "URL with a password",
    remedy: "Delete the object and change the password.",
  },
  {
    id: BASIC,
    category: "secret",
    severity: "high",
    title: "HTTP Basic authorization header",
    remedy: "Delete the object and change the password.",
  },
];

export const JWT_LITERAL = "eyJ";
export const URL_LITERAL = "://";
export const BASIC_LITERAL = "basic ";

const JWT = RE2JS.compile("(eyJ[\\w-]{8,})\\.(eyJ[\\w-]{8,})\\.[\\w-]{16,}");
const JWT_BYTES = 3000;

/** A signed token of RFC 7519 whose header and payload are JSON objects. */
export function webTokenAt({ bytes }: Window, at: number): Match | undefined {
  if (!beginsWord(bytes, at)) return undefined;
  // Most words that begin so are other base64, which ends without a dot.
  const dot = bytes.subarray(at, at + 400).indexOf(".");
  if (dot < 0) return undefined;
  const matcher = JWT.matcher(latin1(bytes, at, at + JWT_BYTES));
  if (!matcher.lookingAt()) return undefined;
  const header = jsonOf(matcher.group(1));
  if (typeof header?.alg !== "string" || header.alg === "none" || !jsonOf(matcher.group(2))) return undefined;
  return { rule: JSON_WEB_TOKEN, start: at, end: at + matcher.end(), confidence: "high" };
}

function jsonOf(part: string | null): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? "", "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const AT_SIGN = 0x40;
const SCHEME_BYTES = 20;
const SCHEME = /(?:^|[^A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{1,15})$/;
/** User, password and the first character of the host. */
const USER_INFO = RE2JS.compile(`://([^\\s:/@"'<>\\\\?#\\x60]*):([^\\s:/@"'<>\\\\?#\\x60]{3,200})@[A-Za-z0-9\\[_-]`);
const USER_INFO_BYTES = 300;
const WEAK = /^(?:pwd|root|admin|x-oauth-basic|postgres|mysql|guest|\d{1,4}|.{1,3})$/i;

/** A URL with user and password, such as that of a database. `at` is where `://` begins. */
export function urlPasswordAt({ bytes }: Window, at: number): Match | undefined {
  // Nearly all URLs have no user.
  let end = at + URL_LITERAL.length;
  while (end < at + USER_INFO_BYTES && isIn(IS_USER_INFO, bytes, end)) end++;
  if (bytes[end] !== AT_SIGN) return undefined;
  const text = latin1(bytes, at, at + USER_INFO_BYTES);
  if (!SCHEME.test(latin1(bytes, Math.max(0, at - SCHEME_BYTES), at))) return undefined;
  const matcher = USER_INFO.matcher(text);
  if (!matcher.lookingAt()) return undefined;
  const [user, password] = [matcher.group(1) ?? "", matcher.group(2) ?? ""];
  if (password === user || WEAK.test(password) || isPlaceholder(password)) return undefined;
  return { rule: CONNECTION_URL, start: at + matcher.start(2), end: at + matcher.end(2), confidence: "high" };
}

const CREDENTIALS = /^[\x21-\x7e]{1,100}:[\x21-\x7e]{3,100}$/;
const BASE64 = /^[A-Za-z0-9+/]{8,270}={0,2}/;

/** `Basic` and base64 of a user and a password (RFC 7617). */
export function basicAuthorizationAt({ bytes }: Window, at: number): Match | undefined {
  if (!beginsWord(bytes, at)) return undefined;
  const start = at + BASIC_LITERAL.length;
  const [base64] = BASE64.exec(latin1(bytes, start, start + USER_INFO_BYTES)) ?? [];
  if (base64 === undefined || base64.length % 4 === 1) return undefined;
  const text = Buffer.from(base64, "base64").toString("latin1");
  const password = text.slice(text.indexOf(":") + 1);
  if (!CREDENTIALS.test(text) || WEAK.test(password) || isPlaceholder(password)) return undefined;
  return { rule: BASIC, start, end: start + base64.length, confidence: "medium" };
}
