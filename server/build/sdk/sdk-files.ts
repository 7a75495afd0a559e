import { cloudOpenApi, offersOpenApi } from "../../surfaces/http/openapi";
import {
  offersGroups,
  offersRoutes,
  orderGroups,
  orderRoutes,
  platformGroups,
  platformRoutes,
} from "../../surfaces/http/routes";
import { rowOf } from "./row";
import type { OpenApi } from "./sdk-operations";
import { sdkSource } from "./sdk-source";

/** Only the SDK's own address counts: no text of the generated files contains this one. */
const PUBLIC_URL = "https://svc.example";

/** The text of each file of `sdk/generated`, by name, from the routes of both APIs and the documents made from them. */
export function sdkFiles(): Record<string, string> {
  const rows = [...platformRoutes, ...offersRoutes, ...orderRoutes].map(rowOf);
  const documents = [cloudOpenApi(PUBLIC_URL, platformGroups), offersOpenApi(PUBLIC_URL, offersGroups, orderGroups)];
  const { operations, types, commands } = sdkSource(rows, documents as OpenApi[]);
  return { "operations.ts": operations, "platform-types.ts": types, "commands.ts": commands };
}
