import type { TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
import type { z } from "zod";
import type { AnyOperation } from "../../operation/operation";
import type { Reply } from "../../operation/reply";
import { type ApiOnly, type Endpoint, isApiOnly, type RouteGroup } from "../../operation/route";
import { type Callable, mutation, query, type Sendable } from "./procedures";

/** The procedures of endpoints, by the ids of their operations. */
type ProceduresOf<E extends Endpoint> = {
  [One in E as One extends ApiOnly ? never : CallableId<One["operation"]>]: One["isSafe"] extends true
    ? TRPCQueryProcedure<TypesOf<One["operation"]>>
    : TRPCMutationProcedure<TypesOf<One["operation"]>>;
};

interface TypesOf<O extends AnyOperation> {
  input: Sendable<O["input"]>;
  output: z.output<O["output"]>;
  meta: unknown;
}

/** The id of an operation whose result is always JSON. */
type CallableId<O extends AnyOperation> = [Extract<Awaited<ReturnType<O["run"]>>, Reply>] extends [never]
  ? O["id"]
  : never;

/**
 * The procedures of a product's endpoints: a query for what only reads, otherwise a mutation. Operations with a streamed
 * body or result have none, and neither have routes that only the API has.
 */
export const proceduresOf = <G extends readonly RouteGroup[]>(
  groups: G,
): ProceduresOf<G[number]["endpoints"][number]> =>
  Object.fromEntries(
    groups
      .flatMap(({ endpoints }) => endpoints)
      .filter((one) => !isApiOnly(one))
      .filter(({ operation: { upload, streams, mayStream } }) => !upload && !streams && !mayStream)
      .map(({ operation, isSafe }) => [operation.id, (isSafe ? query : mutation)(operation as unknown as Callable)]),
  ) as unknown as ProceduresOf<G[number]["endpoints"][number]>;
