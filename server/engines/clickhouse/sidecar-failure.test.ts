import { expect, test } from "vitest";
import { failureOf } from "./sidecar-failure";

const place = { dir: "/data/clickhouse", port: 8123 };

test.each([
  ["Code: 76. DB::Exception: Cannot lock file /data/clickhouse/status.", "locked", "/data/clickhouse"],
  ["Code: 210. DB::Exception: Listen [127.0.0.1]:8123 failed: Address already in use", "port_taken", "Port 8123"],
  ["Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space", "disk_full", "free some space"],
  ["Error: ENOSPC: no space left on device, write", "disk_full", "free some space"],
  ["Error: EACCES: permission denied, mkdir '/data/clickhouse'", "unreadable", "read and write"],
  ["std::exception. Code: 1001, filesystem error: Permission denied [/data/clickhouse]", "unreadable", "its owner"],
  ["Code: 57. DB::Exception: something new\nlast line", "other", "something new"],
  ["", "other", "it ended with 1"],
])("%j becomes one sentence of the kind %s", (words, kind, part) => {
  const failure = failureOf(words, { ...place, code: 1 });
  expect(failure.kind).toBe(kind);
  expect(failure.message).toContain(part);
  expect(failure.message).toMatch(/^[A-Z/].*\.$/);
});

test("an error of the sidecar itself is passed on", () => {
  const sentence = "The embedded ClickHouse does not run on linux-x64 with musl; set CLICKHOUSE_URL to a server.";
  expect(failureOf(`${sentence}\n`, { ...place, code: 65 })).toMatchObject({ kind: "unsupported", message: sentence });
});
