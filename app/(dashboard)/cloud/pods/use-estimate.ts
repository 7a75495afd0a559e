import { skipToken, useQuery } from "@tanstack/react-query";
import { useTRPCClient } from "../../../trpc/client";
import { FieldError, failureOf } from "../../../trpc/failure";
import { refreshEvery } from "../../../trpc/query-client";
import { useMode } from "../../components/shell/mode";
import { podFieldOf } from "./read-pod";
import { type Shape, shapeInput } from "./shape";
import { useDebounced } from "./use-debounced";

const TYPING_MS = 300;
const REFRESH_MS = 10_000;

/** The estimate of a shape in a project, a moment after the last change, and what is wrong with it. */
export function useEstimate(shape: Shape, project: string | undefined) {
  const client = useTRPCClient();
  const { mode } = useMode();
  const { shape: settled, project: place } = useDebounced({ shape, project }, TYPING_MS);
  const input = inputOf(settled);
  const isWrong = input instanceof FieldError;
  const sent = isWrong ? undefined : { mode, ...(place && { project: place }), ...input };
  const query = useQuery({
    queryKey: ["pod estimate", sent],
    queryFn: sent ? ({ signal }) => client.estimatePod.mutate(sent, { signal }) : skipToken,
    refetchInterval: refreshEvery(REFRESH_MS),
    placeholderData: (previous) => previous,
  });
  const fields = query.error ? failureOf(query.error).fields : [];
  return {
    query,
    problem: isWrong ? input.message : undefined,
    /** What the server says about a field of the shape. */
    problemOf: (name: string): string | undefined =>
      isWrong ? undefined : fields.find(({ param }) => podFieldOf(param) === name)?.message,
  };
}

function inputOf(shape: Shape): ReturnType<typeof shapeInput> | FieldError {
  try {
    return shapeInput(shape);
  } catch (thrown) {
    if (thrown instanceof FieldError) return thrown;
    throw thrown;
  }
}
