"use client";

import { SquareFunction } from "lucide-react";
import { type Columns, nameColumn, PROJECT_COLUMN, timeColumn } from "../../components/data-table";
import { NounList } from "../../components/noun-list";
import { PAGES } from "../../components/pages";
import { CreateFunctionDialog } from "./create-function-dialog";
import type { CloudFunction } from "./function";

const COLUMNS: Columns<CloudFunction> = [
  nameColumn("/cloud/functions"),
  PROJECT_COLUMN,
  { label: "Version", numeric: true, cell: ({ version }) => version },
  timeColumn("Updated", ({ updated_at }) => updated_at),
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
    pages={({ trpc, mode }) => trpc.listFunctions.infiniteQueryOptions({ mode }, PAGES)}
    columns={COLUMNS}
    dialog={(state) => <CreateFunctionDialog {...state} />}
  />
);
