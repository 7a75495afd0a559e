"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { LockKeyhole, Plus } from "lucide-react";
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
import { CreateSecretDialog } from "./create-secret-dialog";
import { type ListedSecret, placeText } from "./secret";

export const SecretList = () => (
  <RequireScope scope="secrets:read" title="Secrets" what="the secrets">
    <Secrets />
  </RequireScope>
);

function Secrets() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const [creating, setCreating] = useState(false);
  const query = useInfiniteQuery(trpc.listSecrets.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor }));
  const create = useHasScope("secrets:write") && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create secret
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Secrets"
        description="Passwords, tokens and keys of your programs, encrypted, with versions."
        actions={create}
      />
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={LockKeyhole} title={`No secrets in ${mode} mode yet`} action={create}>
            Store a value once and refer to it by its name. Lists never show values; who reads one is recorded in the
            audit log.{" "}
            <Link href="/docs/secrets" className="underline underline-offset-2">
              How secrets work
            </Link>
          </EmptyState>
        }
      >
        {(secrets) => <SecretTable secrets={secrets} />}
      </PagedContent>
      <CreateSecretDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}

const COLUMNS = [{ label: "Name" }, { label: "Project" }, { label: "Version", numeric: true }, { label: "Updated" }];

function SecretTable({ secrets }: { secrets: ListedSecret[] }) {
  const { nameOf } = useProjects();
  return (
    <Table caption="Secrets" columns={COLUMNS}>
      {secrets.map(({ id, name, project_id, version, updated_at }) => (
        <Row key={id}>
          <RowHeading className="max-w-80">
            <Link href={`/cloud/secrets/${id}`} className={`${ROW_LINK_STYLE} break-all`}>
              {name}
            </Link>
          </RowHeading>
          <Cell className="text-muted-foreground">{placeText(project_id, nameOf)}</Cell>
          <Cell numeric>{version}</Cell>
          <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(updated_at)}</Cell>
        </Row>
      ))}
    </Table>
  );
}
