import { corsRulesOf } from "../../cloud/data/buckets/bucket";
import type { BucketSettings } from "../../cloud/data/buckets/buckets-by-name";

type Rule = ReturnType<typeof corsRulesOf>[number];
type Headers = ReadonlyMap<string, string>;

/**
 * The CORS headers of a response, by the first rule of the bucket for the origin and method; empty without an Origin
 * header. `Vary` is also sent if no rule matches, since another origin may get another response.
 */
export function corsHeaders(bucket: BucketSettings, method: string, headers: Headers): Record<string, string> {
  const rules = corsRulesOf(bucket);
  if (rules.length === 0) return {};
  const origin = headers.get("origin");
  const rule = origin === undefined ? undefined : rules.find((each) => allows(each, origin, method));
  if (!rule || origin === undefined) return { vary: "Origin" };
  return { ...allowed(rule, origin), ...exposed(rule) };
}

/** The headers of the response to a preflight request; undefined if no rule allows what it asks for. */
export function preflightHeaders(bucket: BucketSettings, headers: Headers): Record<string, string> | undefined {
  const origin = headers.get("origin") ?? "";
  const method = headers.get("access-control-request-method") ?? "";
  const asked = (headers.get("access-control-request-headers") ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const rule = corsRulesOf(bucket).find(
    (each) => allows(each, origin, method) && asked.every((name) => matches(each.allowed_headers, name)),
  );
  return (
    rule && {
      ...allowed(rule, origin),
      ...(asked.length > 0 && { "access-control-allow-headers": asked.join(", ") }),
      ...(rule.max_age_seconds > 0 && { "access-control-max-age": String(rule.max_age_seconds) }),
      ...exposed(rule),
    }
  );
}

function allowed({ allowed_origins, allowed_methods }: Rule, origin: string): Record<string, string> {
  const isAny = allowed_origins.includes("*");
  return {
    "access-control-allow-origin": isAny ? "*" : origin,
    "access-control-allow-methods": allowed_methods.join(", "),
    ...(!isAny && { "access-control-allow-credentials": "true" }),
    vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  };
}

const exposed = ({ expose_headers }: Rule): Record<string, string> =>
  expose_headers.length > 0 ? { "access-control-expose-headers": expose_headers.join(", ") } : {};

const allows = ({ allowed_origins, allowed_methods }: Rule, origin: string, method: string): boolean =>
  (allowed_methods as string[]).includes(method) && matches(allowed_origins, origin);

/** Whether a text is one of the patterns, each with at most one `*`; names of headers are compared in lower case. */
const matches = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => {
    const [before = "", after] = pattern.toLowerCase().split("*");
    const lower = text.toLowerCase();
    if (after === undefined) return lower === before;
    return lower.length >= before.length + after.length && lower.startsWith(before) && lower.endsWith(after);
  });
