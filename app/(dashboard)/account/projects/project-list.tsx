"use client";

import { FolderKanban } from "lucide-react";
import { Link } from "../../../components/ui/link";
import { useQueryOf } from "../../../trpc/use-operation";
import { type Columns, IdBelow, timeColumn } from "../../components/data-table";
import { fillOf, Meter } from "../../components/meter";
import { NounList } from "../../components/noun-list";
import { PAGES } from "../../components/pages";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import type { Project } from "./project";
import { ProjectDialog } from "./project-dialog";
import { ProjectMenu } from "./project-menu";

const COLUMNS: Columns<Project> = [
  {
    label: "Name",
    cell: ({ id, name }) => (
      <>
        <Link href={`/account/api-keys?project=${id}`} className={ROW_LINK_STYLE}>
          {name}
        </Link>
        <IdBelow id={id} />
      </>
    ),
  },
  { label: "Active keys", className: "min-w-40", cell: (project) => <ActiveKeys project={project} /> },
  timeColumn("Created", ({ created_at }) => created_at),
];

export const ProjectList = () => (
  <NounList
    title="Projects"
    description="A project groups API keys: one for each program, team or environment. Test and live share them."
    noun="project"
    icon={FolderKanban}
    emptyTitle="No projects yet"
    about="Every API key belongs to a project. Create one, then its first key."
    scopes="projects"
    pages={({ trpc }) => trpc.listProjects.infiniteQueryOptions({}, PAGES)}
    columns={COLUMNS}
    menu={(project) => <ProjectMenu project={project} />}
    dialog={({ open, onOpenChange }) => (
      <ProjectDialog project={open ? "new" : undefined} onClose={() => onOpenChange(false)} />
    )}
  />
);

const FILL_LABELS = { fine: "", near: ", nearly at the limit", full: ", at the limit" };

function ActiveKeys({ project: { active_keys } }: { project: Project }) {
  const quotas = useQueryOf("listQuotas").data?.data;
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
