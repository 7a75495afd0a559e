import path from "node:path";
import { expect, it } from "vitest";
import { cloudOpenApi, offersOpenApi } from "../../server/surfaces/http/openapi";
import { offersGroups, orderGroups, platformGroups } from "../../server/surfaces/http/routes";
import { offersRows, orderRows, platformRows, type Row } from "../factories/rows";
import { NOT_IN_SDK, type OpenApi } from "./sdk-operations";
import { sdkSource } from "./sdk-source";

const PUBLIC_URL = "https://svc.example";
const rows = [...platformRows, ...offersRows, ...orderRows] as readonly unknown[] as readonly Row[];
const documents = [cloudOpenApi(PUBLIC_URL, platformGroups), offersOpenApi(PUBLIC_URL, offersGroups, orderGroups)];
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
