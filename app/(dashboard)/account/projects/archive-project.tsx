"use client";

import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { Confirm } from "../../../components/ui/confirm";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import type { Project } from "./project";

interface ArchiveProjectProps {
  project: Project;
  isOnly: boolean;
}

/** Archives a project after confirmation, or explains why it cannot be archived. */
export function ArchiveProject({ project, isOnly }: ArchiveProjectProps) {
  const { id, name, active_keys } = project;
  const trpc = useTRPC();
  const archive = useMutation(trpc.projects.delete.mutationOptions({ meta: { done: "Project archived." } }));
  if (isOnly || active_keys > 0) return <CannotArchive project={project} isOnly={isOnly} />;
  return (
    <Confirm
      trigger={
        <Button variant="ghost" size="sm" aria-label={`Archive ${name}`}>
          Archive
        </Button>
      }
      title={`Archive ${name}?`}
      consequence="It disappears from all lists, and no more keys can be created in it. Its revoked keys stay in the audit log. This cannot be undone."
      action="Archive project"
      onConfirm={() => archive.mutateAsync({ id })}
    />
  );
}

function CannotArchive({ project: { id, name, active_keys }, isOnly }: ArchiveProjectProps) {
  const [open, setOpen] = useState(false);
  const reason = isOnly
    ? "It is the only project, and keys need one. Create another project first."
    : `It has ${active_keys === 1 ? "an active key" : `${active_keys} active keys`}, and archiving must not stop a running program. Revoke ${active_keys === 1 ? "it" : "them"} first.`;
  return (
    <>
      <Button variant="ghost" size="sm" aria-label={`Archive ${name}`} onClick={() => setOpen(true)}>
        Archive
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={`${name} cannot be archived yet`} description={reason}>
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="outline" onClick={() => setOpen(false)}>
            Close
          </Button>
          {active_keys > 0 && (
            <Button asChild>
              <Link href={`/account/api-keys?project=${id}&state=active`}>Show its keys</Link>
            </Button>
          )}
        </div>
      </Dialog>
    </>
  );
}
