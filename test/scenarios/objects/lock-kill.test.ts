import { execFile } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { objectsTest } from "../../factories/objects";
import { openForFile } from "../../factories/open-for-file";
import { testProgram } from "../../factories/test-program";

interface Acknowledged {
  key: string;
  versionId: string;
  /** Milliseconds since 1970. */
  until: number;
}

const t = await openForFile(objectsTest());
const program = await testProgram(path.join(import.meta.dirname, "lock-process.ts"));

/** The locks that a process was told of until it killed itself. */
function runToDeath(args: readonly string[]): Promise<Acknowledged[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, t.url, t.dataDir, ...args], (failure, stdout, stderr) => {
      if (failure?.signal !== "SIGKILL") return reject(new Error(`It ended otherwise: ${failure?.message} ${stderr}`));
      resolve(
        stdout
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Acknowledged),
      );
    });
  });
}

it("kill -9 loses no lock that was acknowledged, and no version that has one", async () => {
  const bucket = await t.bucket(await t.tenant(), "on");
  await t.db.bucket.update({ where: { id: bucket.id }, data: { objectLock: { default_retention: null } } });
  let acknowledged = 0;
  for (const [run, moment] of ["before", "during", "after"].entries()) {
    const locks = await runToDeath([JSON.stringify(bucket), `${run}`, "objects_lock", `${12 + run}`, moment]);
    acknowledged += locks.length;
    for (const { key, versionId, until } of locks) {
      const found = await t.objects.find(bucket, { key, versionId });
      expect(found?.retention?.mode, key).toBe("compliance");
      expect(found?.retention?.until, key).toBeGreaterThanOrEqual(until);
      t.clock.advance(Date.now() - t.clock.now().getTime());
      const [deleted] = await t.objects.delete(bucket, [{ key, versionId, bypassGovernance: true }]);
      expect(deleted?.failure?.details?.reason, key).toBe("object_locked");
    }
  }
  expect(acknowledged).toBeGreaterThan(20);
  const { counted, summed } = await t.usage(bucket.tenantId);
  expect(counted).toEqual(summed);
}, 120_000);
