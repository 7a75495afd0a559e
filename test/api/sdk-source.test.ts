import path from "node:path";
import { expect, it } from "vitest";
import { cloudRows } from "../../server/http/cloud-rows";
import { conversionRows } from "../../server/http/conversion-rows";
import { offersRows } from "../../server/http/offers-rows";
import { cloudOpenApi, offersOpenApi } from "../../server/http/openapi";
import { NOT_IN_SDK, type OpenApi, type Row } from "./sdk-operations";
import { sdkSource } from "./sdk-source";

const PUBLIC_URL = "https://svc.example";
const rows = [...cloudRows, ...offersRows, ...conversionRows] as readonly unknown[] as readonly Row[];
const documents = [cloudOpenApi(PUBLIC_URL, cloudRows), offersOpenApi(PUBLIC_URL, offersRows, conversionRows)];
const generated = (name: string): string => path.resolve(import.meta.dirname, "../../sdk/generated", name);

it("the SDK and the command line know the endpoints as they are (npx vitest run --project api sdk-source -u)", async () => {
  const { operations, types, commands } = sdkSource(rows, documents as OpenApi[]);
  await expect.soft(operations).toMatchFileSnapshot(generated("operations.ts"));
  await expect.soft(types).toMatchFileSnapshot(generated("platform-types.ts"));
  await expect.soft(commands).toMatchFileSnapshot(generated("commands.ts"));
});

it("an operation is left out of them for a reason or not at all", () => {
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(Object.keys(NOT_IN_SDK)));
});
