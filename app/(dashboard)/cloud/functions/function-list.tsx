"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus, SquareFunction } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { useProjects } from "../../account/api-keys/use-projects";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { CreateFunctionDialog } from "./create-function-dialog";
import type { CloudFunction } from "./function";

export const FunctionList = () => (
  <RequireScope scope="functions:read" title="Functions" what="the functions">
    <Functions />
  </RequireScope>
);

function Functions() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const [creating, setCreating] = useState(false);
  const query = useInfiniteQuery(trpc.listFunctions.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor }));
  const create = useHasScope("functions:write") && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create function
    </Button>
  );
  return (
    <>
      <PageHeader title="Functions" description="JavaScript or Python that runs when it is called." actions={create} />
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={SquareFunction} title={`No functions in ${mode} mode yet`} action={create}>
            Write a module, call it with a JSON value, and see what it returns and prints.{" "}
            <Link href="/docs/functions" className="underline underline-offset-2">
              How functions work
            </Link>
          </EmptyState>
        }
      >
        {(functions) => <FunctionTable functions={functions} />}
      </PagedContent>
      <CreateFunctionDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}

const COLUMNS = [{ label: "Name" }, { label: "Project" }, { label: "Version", numeric: true }, { label: "Updated" }];

function FunctionTable({ functions }: { functions: CloudFunction[] }) {
  const { nameOf } = useProjects();
  return (
    <Table caption="Functions" columns={COLUMNS}>
      {functions.map(({ id, name, project_id, version, updated_at }) => (
        <Row key={id}>
          <RowHeading className="max-w-80">
            <Link href={`/cloud/functions/${id}`} className={`${ROW_LINK_STYLE} break-all`}>
              {name}
            </Link>
          </RowHeading>
          <Cell className="text-muted-foreground">{nameOf(project_id)}</Cell>
          <Cell numeric>{version}</Cell>
          <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(updated_at)}</Cell>
        </Row>
      ))}
    </Table>
  );
}
