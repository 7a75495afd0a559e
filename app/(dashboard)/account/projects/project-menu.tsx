"use client";

import { useMutation } from "@tanstack/react-query";
import { Archive, Pencil } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { Link } from "../../../components/ui/link";
import { type RowAction, RowMenu } from "../../../components/ui/row-menu";
import { useTRPC } from "../../../trpc/client";
import type { Project } from "./project";

interface ProjectMenuProps {
  project: Project;
  /** The tenant has no other. */
  isOnly: boolean;
  onRename: () => void;
}

/** Renames a project, and archives it or explains why it cannot be archived. */
export function ProjectMenu({ project, isOnly, onRename }: ProjectMenuProps) {
  const { id, name, active_keys } = project;
  const trpc = useTRPC();
  const [isExplained, setExplained] = useState(false);
  const restore = useMutation(trpc.restoreProject.mutationOptions({ meta: { done: "Project restored." } }));
  const archive = useMutation(
    trpc.deleteProject.mutationOptions({
      meta: { done: "Project archived.", undo: () => restore.mutateAsync({ id }) },
    }),
  );
  const archiving: RowAction =
    isOnly || active_keys > 0
      ? { label: "Archive", icon: Archive, onSelect: () => setExplained(true) }
      : {
          label: "Archive",
          icon: Archive,
          question: {
            title: `Archive ${name}?`,
            consequence:
              "It disappears from all lists, and no more keys can be created in it. Its revoked keys stay in the audit log. You can undo this for 10 seconds.",
            action: "Archive project",
          },
          onConfirm: () => archive.mutateAsync({ id }),
        };
  return (
    <>
      <RowMenu name={name} actions={[{ label: "Rename", icon: Pencil, onSelect: onRename }, archiving]} />
      <CannotArchive project={project} isOnly={isOnly} open={isExplained} onClose={() => setExplained(false)} />
    </>
  );
}

interface CannotArchiveProps extends Pick<ProjectMenuProps, "project" | "isOnly"> {
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
