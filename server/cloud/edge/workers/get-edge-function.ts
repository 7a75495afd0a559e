import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import type { EdgeCtx } from "./edge-ctx";
import { edgeChoice } from "./edge-fields";
import { EdgeFunction, toEdgeFunction } from "./edge-function";
import { edgeExample } from "./edge-function.example";
import { findEdgeFunction } from "./find-edge-function";

/** Returns an edge function, without its code. Throws `not_found`. */
export const getEdgeFunction = operation({
  id: "getEdgeFunction",
  summary: "Get an edge function",
  access: "edge:read",
  input: z.strictObject(edgeChoice),
  output: EdgeFunction,
  example: { input: { id: edgeExample.id }, output: edgeExample },
  run: async (ctx: ActorCtx & Pick<EdgeCtx, "edge">, { id }) => toEdgeFunction(ctx, await findEdgeFunction(ctx, id)),
});
