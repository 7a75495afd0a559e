import { expect, test } from "vitest";
import { parseExport } from "./parse-export";

const NOW = new Date("2026-11-30T12:00:00Z");
const request = (body: Uint8Array) => ({
  signal: "log" as const,
  body,
  owner: { tenant_id: "ten_1", rid: "rid_1", expires: 0 },
  now: NOW,
});
const logs = (record: string): Buffer => Buffer.from(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record}]}]}]}`);

test("times and integers that are sent as numbers keep all their digits", () => {
  const nanos = `${NOW.getTime()}123457`;
  const attributes = '[{"key":"id","value":{"intValue":9223372036854775807}}]';
  const { line, refused } = parseExport(request(logs(`{"timeUnixNano":${nanos},"attributes":${attributes}}`)));
  expect(refused).toBe(0);
  expect(line).toContain("2026-11-30 12:00:00.000123457");
  expect(line).toContain("9223372036854775807");
});

test("bytes that are not UTF-8 are refused by their offset", () => {
  const body = Buffer.from('{"resourceLogs":["caf\xe9"]}', "latin1");
  expect(() => parseExport(request(body))).toThrow(
    expect.objectContaining({ code: "invalid_request", details: { reason: "not_utf8", offset: 21 } }),
  );
});
