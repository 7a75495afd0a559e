"use client";

import { Globe } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { type Columns, nameColumn, PROJECT_COLUMN, timeColumn } from "../../components/data-table";
import { NounList } from "../../components/noun-list";
import { PAGES } from "../../components/pages";
import { CreateEdgeFunctionDialog } from "./create-edge-function-dialog";
import type { EdgeFunction } from "./edge-function";

const COLUMNS: Columns<EdgeFunction> = [
  nameColumn("/cloud/edge"),
  PROJECT_COLUMN,
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
  timeColumn("Updated", ({ updated_at }) => updated_at),
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
    pages={({ trpc, mode }) => trpc.listEdgeFunctions.infiniteQueryOptions({ mode }, PAGES)}
    columns={COLUMNS}
    dialog={(state) => <CreateEdgeFunctionDialog {...state} />}
  />
);
