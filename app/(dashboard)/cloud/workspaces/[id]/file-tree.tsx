import { ChevronDown, ChevronRight, FilePlus, FolderPlus, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { Button } from "../../../../components/ui/button";
import { RowMenu } from "../../../../components/ui/row-menu";
import type { Outputs } from "../../../../trpc/client";
import { useMutationOf, useQueryOf } from "../../../../trpc/use-operation";
import { FolderEnd } from "../../components/folder-end";
import { ROOT, shownPath } from "./file-paths";
import { PathDialog } from "./path-dialog";

type File = Outputs["listWorkspaceFiles"]["data"][number];

interface FileTreeProps {
  id: string;
  canWrite: boolean;
  /** The file that is open. */
  selected: string | undefined;
  onOpen: (path: string) => void;
  /** A file or a folder was moved or deleted. */
  onGone: (path: string) => void;
}

/** The folders of a workspace, which are read when they are opened, with what can be done to files. */
export function FileTree(props: FileTreeProps) {
  return (
    <nav aria-label="Files of the workspace" className="min-w-0 space-y-3">
      {props.canWrite && <NewEntries id={props.id} onOpen={props.onOpen} />}
      <Folder path={ROOT} {...props} />
    </nav>
  );
}

function NewEntries({ id, onOpen }: Pick<FileTreeProps, "id" | "onOpen">) {
  const [asked, setAsked] = useState<"file" | "folder">();
  const options = { meta: { inline: true } };
  const file = useMutationOf("writeWorkspaceFile", options);
  const folder = useMutationOf("createWorkspaceFolder", options);
  const close = () => setAsked(undefined);
  const create = (path: string) => {
    if (asked === "folder") return folder.mutate({ id, path }, { onSuccess: close });
    const onSuccess = () => {
      close();
      onOpen(path);
    };
    file.mutate({ id, path, content: "", expected_version: "none" }, { onSuccess });
  };
  const made = asked === "folder" ? folder : file;
  return (
    <div className="flex gap-2">
      <Button variant="outline" size="sm" onClick={() => setAsked("file")} icon={FilePlus}>
        New file
      </Button>
      <Button variant="outline" size="sm" onClick={() => setAsked("folder")} icon={FolderPlus}>
        New folder
      </Button>
      <PathDialog
        open={asked !== undefined}
        onOpenChange={close}
        title={asked === "folder" ? "New folder" : "New file"}
        action="Create"
        initial=""
        error={made.error}
        isPending={made.isPending}
        onSubmit={create}
      />
    </div>
  );
}

/** Folders first, then by name. */
const sorted = (files: readonly File[]): File[] =>
  [...files].sort((a, b) => Number(b.type === "folder") - Number(a.type === "folder") || a.name.localeCompare(b.name));

function Folder({ path, ...tree }: FileTreeProps & { path: string }) {
  const files = useQueryOf("listWorkspaceFiles", { id: tree.id, path });
  return (
    <QueryContent query={files}>
      {(folder) => (
        <>
          <ul className="space-y-0.5">
            {sorted(folder.data).map((file) => (
              <Entry key={file.name} file={file} path={`${path}/${file.name}`} {...tree} />
            ))}
          </ul>
          <FolderEnd {...folder} />
        </>
      )}
    </QueryContent>
  );
}

const NAME = "flex min-w-0 flex-1 items-center gap-1 rounded px-1.5 py-1 text-left text-sm hover:bg-accent";

function Entry({ file: { name, type }, path, ...tree }: FileTreeProps & { file: File; path: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { selected, onOpen } = tree;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <div className="flex items-center">
        {type === "folder" ? (
          <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} className={NAME}>
            <Chevron aria-hidden className="size-4 shrink-0" />
            <span className="truncate">{name}</span>
          </button>
        ) : (
          <button
            type="button"
            aria-current={selected === path}
            disabled={type === "other"}
            onClick={() => onOpen(path)}
            className={`${NAME} pl-6 aria-[current=true]:bg-accent aria-[current=true]:font-medium`}
          >
            <span className="truncate">{name}</span>
          </button>
        )}
        {tree.canWrite && <EntryMenu name={name} path={path} {...tree} />}
      </div>
      {isOpen && (
        <div className="ml-3 border-l pl-2">
          <Folder path={path} {...tree} />
        </div>
      )}
    </li>
  );
}

function EntryMenu({ id, name, path, onGone }: Pick<FileTreeProps, "id" | "onGone"> & { name: string; path: string }) {
  const [isMoving, setIsMoving] = useState(false);
  const move = useMutationOf("moveWorkspaceFile", { meta: { inline: true } });
  const remove = useMutationOf("deleteWorkspaceFile");
  const question = {
    title: `Delete ${name}?`,
    consequence: "It is deleted with everything in it. This cannot be undone.",
    action: "Delete",
  };
  const rename = (to: string) => {
    const onSuccess = () => {
      setIsMoving(false);
      onGone(path);
    };
    move.mutate({ id, path, to }, { onSuccess });
  };
  const onConfirm = () => remove.mutateAsync({ id, path }).then(() => onGone(path));
  return (
    <>
      <RowMenu
        name={name}
        actions={[
          { label: "Rename or move", icon: Pencil, onSelect: () => setIsMoving(true) },
          { label: "Delete", icon: Trash2, question, onConfirm },
        ]}
      />
      <PathDialog
        open={isMoving}
        onOpenChange={setIsMoving}
        title={`Rename or move ${name}`}
        action="Rename"
        initial={shownPath(path)}
        error={move.error}
        isPending={move.isPending}
        onSubmit={rename}
      />
    </>
  );
}
