import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, it } from "vitest";
import { rootKeysOf } from "../../../server/cloud/data/objects/encryption";
import type { Objects } from "../../../server/cloud/data/objects/objects";
import { rewrapObjectKeys } from "../../../server/cloud/data/objects/rewrap-object-keys";
import { bodyOf, contentOf, objectsTest, PLAIN, TEST_SECRET } from "../../factories/objects";
import { openForFile } from "../../factories/open-for-file";
import { testProgram } from "../../factories/test-program";

const t = await openForFile(objectsTest());
const program = await testProgram(path.join(import.meta.dirname, "rewrap-process.ts"));
const NEW_SECRET = "the secret that comes after it";
const KEYS = Array.from({ length: 45 }, (_, i) => `key-${i}`);
const bucket = await t.bucket(await t.tenant());
const customerKey = Buffer.alloc(32, 7);

const put = (objects: Objects, key: string, encryption?: "AES256" | { customerKey: Buffer }) =>
  objects.put(bucket, { key, ...PLAIN, body: bodyOf(`content of ${key}`), ...(encryption && { encryption }) });
async function textOf(objects: Objects, key: string, choice: object = {}): Promise<string> {
  const { open } = await objects.read(bucket, { key, ...choice });
  return (await contentOf(open())).toString();
}
const keysInRows = async () =>
  (
    await t.sql.query<{ id: string; key: string }>(
      "SELECT id, encryption ->> 'key' AS key FROM object_versions ORDER BY id",
    )
  ).rows;

it("a run that is killed is completed by the next one: no key is lost, and no content is rewritten", async () => {
  for (const key of KEYS) await put(t.objects, key, "AES256");
  await put(t.objects, "plain");
  await put(t.objects, "of a client", { customerKey });
  const upload = await t.objects.createUpload(bucket, { key: "upload", properties: PLAIN, encryption: "AES256" });
  const part = await t.objects.putPart(bucket, { ...upload, number: 1, body: bodyOf("content of upload") });
  const [stored, before] = [await t.stored(), await keysInRows()];

  const alone = t.another({ secret: NEW_SECRET });
  await expect(textOf(alone, "key-0")).rejects.toMatchObject({ details: { reason: "other_svc_secret" } });
  const both = t.another({ secret: NEW_SECRET, previousSecret: TEST_SECRET });
  expect(await textOf(both, "key-0")).toBe("content of key-0");

  const { connectionString: url = "" } = t.sql.options;
  const rewrappedBy = [];
  for (const [pass, moment] of [
    ["2", "before"],
    ["1", "during"],
    ["2", "after"],
  ] as const) {
    const child = spawn(process.execPath, [program, url, NEW_SECRET, TEST_SECRET, pass, moment], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    for (const key of KEYS) expect(await textOf(both, key)).toBe(`content of ${key}`);
    const now = await keysInRows();
    rewrappedBy.push(now.filter(({ key }, i) => key !== before[i]?.key).length);
  }
  // Ten at a time; the statement that it was killed in may have been committed.
  expect(rewrappedBy[0]).toBe(10);
  expect(rewrappedBy[1]).toBeOneOf([10, 20]);
  expect(rewrappedBy[2]).toBe((rewrappedBy[1] ?? 0) + 20);

  const objectKeys = rootKeysOf(NEW_SECRET, TEST_SECRET);
  const steps: string[] = [];
  const left = KEYS.length - (rewrappedBy[2] ?? 0);
  expect(await rewrapObjectKeys({ sql: t.sql, objectKeys, batch: 10 }, (step) => steps.push(step))).toEqual({
    rewrapped: left + 1,
    unreadable: 0,
  });
  expect(steps.at(-1)).toBe(`rewrapped ${left + 1} data keys`);
  expect(await rewrapObjectKeys({ sql: t.sql, objectKeys }, () => undefined)).toEqual({ rewrapped: 0, unreadable: 0 });

  for (const key of KEYS) expect(await textOf(alone, key)).toBe(`content of ${key}`);
  await alone.completeUpload(bucket, { ...upload, parts: [part] });
  expect(await textOf(alone, "upload")).toBe("content of upload");
  expect(await textOf(alone, "plain")).toBe("content of plain");
  expect(await textOf(alone, "of a client", { customerKey })).toBe("content of of a client");
  // The old secret opens nothing more, and every blob is the one that was stored.
  await expect(textOf(t.objects, "key-0")).rejects.toMatchObject({ details: { reason: "other_svc_secret" } });
  expect(await t.stored()).toEqual(stored);
});

it("a copy has its data key under the new secret at once", async () => {
  await put(t.objects, "from", "AES256");
  const both = t.another({ secret: NEW_SECRET, previousSecret: TEST_SECRET });
  await both.copy({ bucket, choice: { key: "from" } }, { bucket, key: "to", encryption: "AES256" });
  expect(await textOf(t.another({ secret: NEW_SECRET }), "to")).toBe("content of from");
});

it("what is encrypted under a third secret is counted, and left as it is", async () => {
  await put(t.another({ secret: "a third secret of nobody" }), "third", "AES256");
  const before = await keysInRows();
  const found = await rewrapObjectKeys(
    { sql: t.sql, objectKeys: rootKeysOf(NEW_SECRET, undefined), batch: 10 },
    () => undefined,
  );
  // "from" of the test before is under the old one.
  expect(found).toEqual({ rewrapped: 0, unreadable: 2 });
  expect(await keysInRows()).toEqual(before);
});
