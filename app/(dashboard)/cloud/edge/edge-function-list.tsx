"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Globe } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { NounList } from "../../components/noun-list";
import { type NounColumn, NounTable } from "../../components/noun-table";
import { nextCursor } from "../../components/paged-content";
import { useMode } from "../../components/shell/mode";
import { CreateEdgeFunctionDialog } from "./create-edge-function-dialog";
import type { EdgeFunction } from "./edge-function";

const COLUMNS: NounColumn<EdgeFunction>[] = [
  {
    label: "Project",
    className: "text-muted-foreground",
    cell: ({ project_id }, projectOf) => projectOf(project_id),
  },
  {
    label: "Published",
    cell: ({ published_version }) =>
      published_version === null ? (
        <Badge>not published</Badge>
      ) : (
        <Badge tone="good">version {published_version}</Badge>
      ),
  },
  { label: "Draft", numeric: true, cell: ({ version }) => version },
  {
    label: "Updated",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ updated_at }) => formatDateTime(updated_at),
  },
];

export const EdgeFunctionList = () => (
  <NounList
    title="Edge functions"
    description="JavaScript that responds to the requests of a host of its own."
    noun="edge function"
    icon={Globe}
    about="Write a module, publish it, and open its host in a browser."
    docs="/docs/edge"
    scopes="edge"
    usePages={useEdgeFunctions}
    dialog={(state) => <CreateEdgeFunctionDialog {...state} />}
  >
    {(functions) => (
      <NounTable caption="Edge functions" rows={functions} href={({ id }) => `/cloud/edge/${id}`} columns={COLUMNS} />
    )}
  </NounList>
);

function useEdgeFunctions() {
  const trpc = useTRPC();
  const { mode } = useMode();
  return useInfiniteQuery(trpc.listEdgeFunctions.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor }));
}
