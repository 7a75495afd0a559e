import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { inputFiles } from "../../server/build/sdk/input-files";
import { sdkFiles } from "../../server/build/sdk/sdk-files";
import { NOT_IN_SDK } from "../../server/build/sdk/sdk-operations";
import { offersRows, orderRows, platformRows, type Row } from "../factories/rows";

const rows = [...platformRows, ...offersRows, ...orderRows] as readonly unknown[] as readonly Row[];
const generated = (name: string): string => path.resolve(import.meta.dirname, "../../sdk/generated", name);

it("the SDK and the command line are built with the endpoints as they are (npm run verify builds them)", () => {
  const files = sdkFiles();
  expect(Object.keys(files)).toEqual(["operations.ts", "platform-types.ts", "commands.ts"]);
  for (const [name, text] of Object.entries(files)) expect.soft(readFileSync(generated(name), "utf8")).toBe(text);
});

it("forms are built with the inputs of the operations as they are (npm run verify builds them)", () => {
  const folder = path.resolve(import.meta.dirname, "../../app/generated/inputs");
  const files = inputFiles();
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(files).toSorted());
  for (const [name, text] of Object.entries(files))
    expect.soft(readFileSync(path.join(folder, name), "utf8")).toBe(text);
});

it("an operation is left out of them for a reason or not at all", () => {
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(Object.keys(NOT_IN_SDK)));
});
