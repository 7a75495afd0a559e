import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import { objectServer } from "./object-server";
import { type TypedLine, typeLine } from "./typed-line";

const KEY = `svc_test_${"a".repeat(48)}`;

/** For each test of a file: a double of svc with objects, and a folder, which is `~` in what is typed after `svc storage`. */
export function storageLines() {
  let server: Awaited<ReturnType<typeof objectServer>>;
  let folder: string;
  beforeEach(async () => {
    server = await objectServer();
    folder = mkdtempSync(path.join(os.tmpdir(), "svc-storage-"));
  });
  afterEach(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const at = (...names: string[]): string => path.join(folder, ...names);
  const type = (argv: string[], more: Partial<TypedLine> = {}) =>
    typeLine(["storage", ...argv], { key: KEY, svc: server.url, ...more });
  const start = (line: string, more: Partial<TypedLine> = {}) =>
    type(
      line.split(" ").map((word) => word.replace("~", folder)),
      more,
    );
  return {
    get server() {
      return server;
    },
    at,
    type,
    start,
    async svc(line: string, more: Partial<TypedLine> = {}) {
      const { done, said, asked, written } = start(line, more);
      return { code: await done, ...said, asked, written };
    },
    write(name: string, content: string | Uint8Array): string {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
      return at(name);
    },
    stored: (key: string): string | undefined => server.state.objects.get(key)?.body.toString(),
    /** The requests that fit. */
    sent: (pattern: RegExp): string[] => server.state.requests.filter((line) => pattern.test(line)),
  };
}
