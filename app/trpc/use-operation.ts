import {
  type SkipToken,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from "@tanstack/react-query";
import type { TRPCClientErrorLike } from "@trpc/client";
import type { AppRouter } from "../../server/surfaces/trpc/router";
import { type Inputs, type Outputs, useTRPC } from "./client";

type Api = ReturnType<typeof useTRPC>;
type Failed = TRPCClientErrorLike<AppRouter>;
type Has<Part extends string> = keyof Outputs &
  keyof Inputs &
  { [Id in keyof Api]: Api[Id] extends Record<Part, unknown> ? Id : never }[keyof Api];
type QueryId = Has<"queryOptions">;
export type MutationId = Has<"mutationOptions">;

export type MutationInput<Id extends MutationId> = Inputs[Id];

type QueryOptions<Id extends QueryId> = Omit<
  UseQueryOptions<Outputs[Id], Failed>,
  "queryKey" | "queryFn" | "select" | "initialData"
>;
type MutationOptions<Id extends MutationId> = Omit<
  UseMutationOptions<Outputs[Id], Failed, Inputs[Id]>,
  "mutationKey" | "mutationFn"
>;

/** The result of an operation that only reads; `skipToken` as its input waits. */
export function useQueryOf<Id extends QueryId>(
  id: Id,
  input?: Inputs[Id] | SkipToken,
  options?: QueryOptions<Id>,
): UseQueryResult<Outputs[Id], Failed> {
  const { queryOptions } = useTRPC()[id] as unknown as {
    queryOptions: (input: unknown, options: unknown) => UseQueryOptions<Outputs[Id], Failed>;
  };
  return useQuery(queryOptions(input, options));
}

/** Calls an operation that changes something. */
export function useMutationOf<Id extends MutationId>(
  id: Id,
  options?: MutationOptions<Id>,
): UseMutationResult<Outputs[Id], Failed, Inputs[Id]> {
  const { mutationOptions } = useTRPC()[id] as unknown as {
    mutationOptions: (options: unknown) => UseMutationOptions<Outputs[Id], Failed, Inputs[Id]>;
  };
  return useMutation(mutationOptions(options));
}
