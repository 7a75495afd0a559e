"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { SquareFunction } from "lucide-react";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { NounList } from "../../components/noun-list";
import { type NounColumn, NounTable } from "../../components/noun-table";
import { nextCursor } from "../../components/paged-content";
import { useMode } from "../../components/shell/mode";
import { CreateFunctionDialog } from "./create-function-dialog";
import type { CloudFunction } from "./function";

const COLUMNS: NounColumn<CloudFunction>[] = [
  {
    label: "Project",
    className: "text-muted-foreground",
    cell: ({ project_id }, projectOf) => projectOf(project_id),
  },
  { label: "Version", numeric: true, cell: ({ version }) => version },
  {
    label: "Updated",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ updated_at }) => formatDateTime(updated_at),
  },
];

export const FunctionList = () => (
  <NounList
    title="Functions"
    description="JavaScript or Python that runs when it is called."
    noun="function"
    icon={SquareFunction}
    about="Write a module, call it with a JSON value, and see what it returns and prints."
    docs="/docs/functions"
    scopes="functions"
    usePages={useFunctions}
    dialog={(state) => <CreateFunctionDialog {...state} />}
  >
    {(functions) => (
      <NounTable caption="Functions" rows={functions} href={({ id }) => `/cloud/functions/${id}`} columns={COLUMNS} />
    )}
  </NounList>
);

function useFunctions() {
  const trpc = useTRPC();
  const { mode } = useMode();
  return useInfiniteQuery(trpc.listFunctions.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor }));
}
