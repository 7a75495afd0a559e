import { expect, it } from "vitest";
import { identityTest } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { inSavepoint, joinTransaction } from "./join-transaction";

const t = await openForFile(identityTest());

const NOW = new Date("2026-11-22T00:00:00Z");
const names = async () => (await t.db.setting.findMany({ orderBy: { name: "asc" } })).map(({ name }) => name);
const fails = () => {
  throw new Error("refused");
};

it("rolls back a failed part with everything inside it, and nothing before or after", async () => {
  await t.db.$transaction(async (tx) => {
    const write = (name: string, client = tx) => client.setting.create({ data: { name, value: "", setAt: NOW } });
    await write("1 before");
    const outer = inSavepoint(tx, async () => {
      await write("2 outer");
      await joinTransaction(tx)
        .$transaction(async (inner) => {
          await write("3 inner", inner);
          fails();
        })
        .catch(() => undefined);
      await write("4 after the inner one");
      fails();
    });
    await expect(outer).rejects.toThrow("refused");
    await inSavepoint(tx, () => write("5 later"));
  });
  expect(await names()).toEqual(["1 before", "5 later"]);
});

it("releases every savepoint, whether the work succeeds or fails", async () => {
  const statements: string[] = [];
  await t.db.$transaction(async (tx) => {
    const spied = new Proxy(tx, {
      get: (target, name) =>
        name === "$executeRawUnsafe"
          ? (text: string) => {
              statements.push(text);
              return target.$executeRawUnsafe(text);
            }
          : Reflect.get(target, name),
    });
    await inSavepoint(spied, async () => undefined);
    await inSavepoint(spied, async () => fails()).catch(() => undefined);
  });
  const made = statements
    .filter((text) => text.startsWith("SAVEPOINT "))
    .map((text) => text.slice("SAVEPOINT ".length));
  const released = statements.flatMap((text) => /^RELEASE SAVEPOINT (\S+)$/.exec(text)?.[1] ?? []);
  expect(new Set(made).size).toBe(2);
  expect(released).toEqual(made);
});
