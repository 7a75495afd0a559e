import { describe, expect, it } from "vitest";
import { ContentScanner, type FoundValue } from "./content-scanner";
import { masked } from "./masked";
import { CONTENT_RULES } from "./rules";

function scan(text: string | Buffer, chunkBytes = Number.POSITIVE_INFINITY): FoundValue[] {
  const found: FoundValue[] = [];
  const scanner = new ContentScanner((value) => found.push(value));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) scanner.add(bytes.subarray(at, at + chunkBytes));
  scanner.end();
  return found;
}

const rulesIn = (text: string): string[] => scan(text).map(({ rule, confidence }) => `${rule} ${confidence}`);
/** Random characters that are the same in every run. */
const random = (length: number, alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789"): string =>
  Array.from({ length }, (_, i) => alphabet[(i * i * 7 + i * 13 + 5) % alphabet.length]).join("");
const HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
const CHECKED_TOKEN = "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";
const JWT =
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI5OTgiLCJuYW1lIjoiQWRhIn0.TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ";
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${random(64)}\n${random(64)}\n-----END RSA PRIVATE KEY-----`;

describe("a value is found by the rule for it", () => {
  it.each([
    ["id = AKIAQ3EGRPNJKLMT7ABC", "aws_access_key_id high"],
    ["the example of AWS: AKIAIOSFODNN7EXAMPLE", "aws_access_key_id low"],
    [`aws_secret_access_key = ${random(40)}`, "aws_secret_access_key high"],
    [`"AccountKey=${random(86)}=="`, "azure_storage_key high"],
    [`export T=${CHECKED_TOKEN}`, "github_token high"],
    [`T=${CHECKED_TOKEN.slice(0, -1)}8`, "github_token low"],
    [`url: https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/${random(24)}`, "slack_webhook high"],
    [`STRIPE=sk_live_${random(24)}`, "stripe_live_key high"],
    [`k: "sk-ant-api03-${random(93)}AA"`, "anthropic_key high"],
    [`{"k":"line\\nSG.${random(22)}.${random(43)}"}`, "sendgrid_key high"],
    [`token ${HEX}-us12`, "mailchimp_key high"],
    [`key svc_live_${random(48, "abcdefghijklmnopqrstuvwxyz234567")}`, "svc_key high"],
    [PEM, "private_key high"],
    [`{"private_key":"${PEM.replaceAll("\n", "\\n")}"}`, "private_key high"],
    [`Authorization: Bearer ${JWT}`, "json_web_token high"],
    ["DB=postgres://app:Tr0ub4dor&3@db.corp:5432/app", "url_password high"],
    [`Authorization: Basic ${Buffer.from("ada:Tr0ub4dor&3").toString("base64")}`, "basic_authorization medium"],
    ['password = "S3cure!Pass99"', "assigned_password medium"],
    ["DB_PASSWORD=Tr0ub4dor&3", "assigned_password medium"],
    [`"client_secret": "${HEX}"`, "assigned_key medium"],
    ["<apiKey>qL7vX2mN9pR4tY6wZ8bC</apiKey>", "assigned_key medium"],
    ["pay with 4539 1488 0343 6467 now", "payment_card high"],
    ["2026-11-27 4539-1488-0343-6467", "payment_card high"],
    ["5425233430109903", "payment_card medium"],
    ["card 4111111111111111", "payment_card low"],
    ["GB82 WEST 1234 5698 7654 32", "iban high"],
    ["DE89370400440532013000", "iban high"],
    ["536-90-4399", "us_social_security_number medium"],
    ["SSN: 536904399", "us_social_security_number high"],
    ["name,ssn\nAda,536904399", "us_social_security_number high"],
    ["マイナンバー：123456789018", "japan_my_number high"],
    ["+81 3-1234-5678", "phone_number high"],
    ["+14155552671", "phone_number medium"],
    ["090-1234-5678", "phone_number high"],
    ["(212) 555-4567", "phone_number high"],
    ["<jane.doe+x@corp-mail.co.jp>", "email_address high"],
  ])("%s", (text, expected) => {
    expect(rulesIn(text)).toEqual([expected]);
  });
});

describe("no value is found", () => {
  it.each([
    ["a longer word", `xAKIAQ3EGRPNJKLMT7ABC AKIAQ3EGRPNJKLMT7ABCD`],
    ["characters in their order", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"],
    ["a variable", `api_key: \${API_KEY}\npassword = process.env.DB_PASSWORD\ntoken={{ token }}`],
    ["code", "password = getPassword(user1)\nconst token = request.headers.token2\nsecret: V1SecretEnvSource"],
    [
      "a type and a name",
      'password: Uint8Array;\ntokenName = "my-service-token-2"\npassword_hash: "$2b$10$abcdefghijk1"',
    ],
    ["a word as its own value", 'password="password123"\nsecret=changeme1234567890'],
    ["the header of a key alone", "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----"],
    ["three parts that are no token", "eyJub3QganNvbg.eyJub3QganNvbg.c2lnbmF0dXJlLXRleHQ"],
    ["a URL without a password", "https://user@host.corp/a:b@c and http://host:8080/x@y"],
    ["a usual password of examples", "postgres://postgres:postgres@localhost and mysql://root:password@db"],
    ["a number without its check digit", "4539 1488 0343 6468 and 5425233430109904"],
    ["a part of a longer number", "14539148803436467 4539148803436467.5 a4539148803436467"],
    ["columns of numbers", "4539 1488 0343 6467 4539 1488"],
    ["an IBAN of a wrong length or sum", "DE8937040044053201300 GB83 WEST 1234 5698 7654 32"],
    ["numbers that are never assigned", "000-12-3456 666-12-3456 912-34-5678 123-00-4567 123-45-0000 078-05-1120"],
    ["digits without a word", "536904399 and 123456789018 and 09012345678"],
    ["a wrong check digit of a My Number", "マイナンバー 123456789019"],
    ["sums, dates and versions", "a+3864292196 2026-11-27T10:00:00+0900 1.2.3-4.5.6 192.168.100.200"],
    ["reserved domains and names of files", "a@example.com b@host.test icon@2x.png git@github.com:a/b lodash@4.17.21"],
  ])("in %s", (_, text) => {
    expect(rulesIn(text)).toEqual([]);
  });
});

it("what is found does not depend on how the text is divided, and each value is found once, where it is", () => {
  const values = [CHECKED_TOKEN, PEM, "jane@corp-mail.com", "4539 1488 0343 6467", `secret="${HEX}"`, JWT];
  const filler = "plain words between the values, with a number 12345 in them.\n".repeat(40);
  const text = values.map((value) => `${filler}${value}\n`).join("");
  const whole = scan(text);
  expect(whole).toHaveLength(values.length);
  for (const { value, offset } of whole) expect(text.slice(offset, offset + value.length)).toBe(value);
  const sorted = (found: FoundValue[]) => found.sort((a, b) => a.offset - b.offset);
  for (const bytes of [997, 4096, 8191]) expect(sorted(scan(text, bytes))).toEqual(sorted([...whole]));
  // Around one value byte by byte: a border at each place of it.
  const long = `${filler.repeat(5)}${CHECKED_TOKEN} ${filler.repeat(5)}`;
  const at = long.indexOf(CHECKED_TOKEN);
  for (let border = at - 1; border <= at + CHECKED_TOKEN.length + 1; border++) {
    expect(scan(long, border).map(({ offset }) => offset)).toEqual([at]);
  }
});

it("evidence shows few characters of long values, fewer of short ones, and the length", () => {
  expect(masked(CHECKED_TOKEN)).toBe("ghp_…17 (40 characters)");
  expect(masked("hunter2hunter")).toBe("h…r (13 characters)");
  expect(masked("secret")).toBe("… (6 characters)");
});

it("rules have different ids", () => {
  expect(new Set(CONTENT_RULES.map(({ id }) => id)).size).toBe(CONTENT_RULES.length);
});
