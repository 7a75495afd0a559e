"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { FolderKanban, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { fillOf, Meter } from "../../components/meter";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { RequireScope, useHasScope } from "../../components/shell/access";
import type { Project } from "./project";
import { ProjectDialog } from "./project-dialog";
import { ProjectMenu } from "./project-menu";

export const ProjectList = () => (
  <RequireScope scope="projects:read" title="Projects" what="the projects that group API keys">
    <Projects />
  </RequireScope>
);

function Projects() {
  const trpc = useTRPC();
  const canWrite = useHasScope("projects:write");
  const [open, setOpen] = useState<Project | "new">();
  const query = useInfiniteQuery(trpc.listProjects.infiniteQueryOptions({}, { getNextPageParam: nextCursor }));
  const create = canWrite && (
    <Button onClick={() => setOpen("new")}>
      <Plus aria-hidden />
      Create project
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Projects"
        description="A project groups API keys: one for each program, team or environment. Test and live share them."
        actions={create}
      />
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={FolderKanban} title="No projects yet" action={create}>
            Every API key belongs to a project. Create one, then its first key.
          </EmptyState>
        }
      >
        {(projects) => (
          <Table caption="Projects" columns={canWrite ? COLUMNS : COLUMNS.slice(0, -1)}>
            {projects.map((project) => (
              <ProjectRow
                key={project.id}
                project={project}
                isOnly={projects.length === 1}
                onRename={() => setOpen(project)}
              />
            ))}
          </Table>
        )}
      </PagedContent>
      <ProjectDialog project={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

const COLUMNS = [{ label: "Name" }, { label: "Active keys" }, { label: "Created" }, { label: "" }];

interface ProjectRowProps {
  project: Project;
  /** The tenant has no other. */
  isOnly: boolean;
  onRename: () => void;
}

function ProjectRow({ project, isOnly, onRename }: ProjectRowProps) {
  const { id, name, created_at } = project;
  return (
    <Row>
      <RowHeading>
        <Link href={`/account/api-keys?project=${id}`} className={ROW_LINK_STYLE}>
          {name}
        </Link>
        <span className="block font-mono font-normal text-muted-foreground text-xs">{id}</span>
      </RowHeading>
      <Cell className="min-w-40">
        <ActiveKeys project={project} />
      </Cell>
      <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(created_at)}</Cell>
      {useHasScope("projects:write") && (
        <ActionsCell>
          <ProjectMenu project={project} isOnly={isOnly} onRename={onRename} />
        </ActionsCell>
      )}
    </Row>
  );
}

const FILL_LABELS = { fine: "", near: ", nearly at the limit", full: ", at the limit" };

function ActiveKeys({ project: { active_keys } }: { project: Project }) {
  const trpc = useTRPC();
  const quotas = useQuery(trpc.listQuotas.queryOptions()).data?.data;
  const limit = quotas?.find(({ resource }) => resource === "active_keys_per_project")?.limit;
  if (limit === undefined) return active_keys;
  return (
    <>
      <span className="tabular-nums">
        {active_keys}{" "}
        <span className="text-muted-foreground">
          of {limit}
          {FILL_LABELS[fillOf(active_keys, limit)]}
        </span>
      </span>
      <Meter used={active_keys} limit={limit} className="mt-1.5 max-w-40" />
    </>
  );
}
