import { Archive, Pencil } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { Link } from "../../../components/ui/link";
import { RowMenu } from "../../../components/ui/row-menu";
import { useMutationOf } from "../../../trpc/use-operation";
import { archiveAction } from "../../components/row-actions";
import { useProjects } from "../api-keys/use-projects";
import type { Project } from "./project";
import { ProjectDialog } from "./project-dialog";

/** Renames a project, and archives it or explains why it cannot be archived. */
export function ProjectMenu({ project }: { project: Project }) {
  const { id, name, active_keys } = project;
  const isOnly = useProjects().projects.length === 1;
  const [shown, setShown] = useState<"name" | "reason">();
  const restore = useMutationOf("restoreProject", { meta: { done: "Project restored." } });
  const archive = useMutationOf("deleteProject", {
    meta: { done: "Project archived.", undo: () => restore.mutateAsync({ id }) },
  });
  const archiving = archiveAction({
    noun: "project",
    name,
    consequence:
      "It disappears from all lists, and no more keys can be created in it. Its revoked keys stay in the audit log. You can undo this for 10 seconds.",
    onConfirm: () => archive.mutateAsync({ id }),
  });
  const explaining = { label: "Archive", icon: Archive, onSelect: () => setShown("reason") };
  const close = () => setShown(undefined);
  return (
    <>
      <RowMenu
        name={name}
        actions={[
          { label: "Rename", icon: Pencil, onSelect: () => setShown("name") },
          isOnly || active_keys > 0 ? explaining : archiving,
        ]}
      />
      <ProjectDialog project={shown === "name" ? project : undefined} onClose={close} />
      <CannotArchive project={project} isOnly={isOnly} open={shown === "reason"} onClose={close} />
    </>
  );
}

interface CannotArchiveProps {
  project: Project;
  /** The tenant has no other. */
  isOnly: boolean;
  open: boolean;
  onClose: () => void;
}

function CannotArchive({ project: { id, name, active_keys }, isOnly, open, onClose }: CannotArchiveProps) {
  const reason = isOnly
    ? "It is the only project, and keys need one. Create another project first."
    : `It has ${active_keys === 1 ? "an active key" : `${active_keys} active keys`}, and archiving must not stop a running program. Revoke ${active_keys === 1 ? "it" : "them"} first.`;
  return (
    <Dialog open={open} onOpenChange={onClose} title={`${name} cannot be archived yet`} description={reason}>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={onClose}>
          Close
        </Button>
        {active_keys > 0 && (
          <Button asChild>
            <Link href={`/account/api-keys?project=${id}&state=active`}>Show its keys</Link>
          </Button>
        )}
      </div>
    </Dialog>
  );
}
