"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Globe, Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "../../../components/ui/badge";
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
import { CreateEdgeFunctionDialog } from "./create-edge-function-dialog";
import type { EdgeFunction } from "./edge-function";

export const EdgeFunctionList = () => (
  <RequireScope scope="edge:read" title="Edge functions" what="the edge functions">
    <EdgeFunctions />
  </RequireScope>
);

function EdgeFunctions() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const [creating, setCreating] = useState(false);
  const query = useInfiniteQuery(
    trpc.listEdgeFunctions.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor }),
  );
  const create = useHasScope("edge:write") && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create edge function
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Edge functions"
        description="JavaScript that responds to the requests of a host of its own."
        actions={create}
      />
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={Globe} title={`No edge functions in ${mode} mode yet`} action={create}>
            Write a module, publish it, and open its host in a browser.{" "}
            <Link href="/docs/edge" className="underline underline-offset-2">
              How edge functions work
            </Link>
          </EmptyState>
        }
      >
        {(functions) => <EdgeFunctionTable functions={functions} />}
      </PagedContent>
      <CreateEdgeFunctionDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}

const COLUMNS = [
  { label: "Name" },
  { label: "Project" },
  { label: "Published" },
  { label: "Draft", numeric: true },
  { label: "Updated" },
];

function EdgeFunctionTable({ functions }: { functions: EdgeFunction[] }) {
  const { nameOf } = useProjects();
  return (
    <Table caption="Edge functions" columns={COLUMNS}>
      {functions.map(({ id, name, project_id, version, published_version, updated_at }) => (
        <Row key={id}>
          <RowHeading className="max-w-80">
            <Link href={`/cloud/edge/${id}`} className={`${ROW_LINK_STYLE} break-all`}>
              {name}
            </Link>
          </RowHeading>
          <Cell className="text-muted-foreground">{nameOf(project_id)}</Cell>
          <Cell>
            {published_version === null ? (
              <Badge>not published</Badge>
            ) : (
              <Badge tone="good">version {published_version}</Badge>
            )}
          </Cell>
          <Cell numeric>{version}</Cell>
          <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(updated_at)}</Cell>
        </Row>
      ))}
    </Table>
  );
}
