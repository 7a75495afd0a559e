import { skipToken } from "@tanstack/react-query";
import { useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { formatCount } from "../../../../format/numbers";
import type { Outputs } from "../../../../trpc/client";
import { useQueryOf } from "../../../../trpc/use-operation";
import { FolderEnd } from "../../components/folder-end";
import { LogWindow } from "../../pods/[id]/log-window";

type File = Outputs["listSandboxFiles"]["data"][number];

/** The folders of a sandbox, one at a time, and the text of a file. */
export function SandboxFiles({ id }: { id: string }) {
  const [folder, setFolder] = useState("/");
  const [path, setPath] = useState<string>();
  const files = useQueryOf("listSandboxFiles", { id, path: folder });
  const file = useQueryOf("readSandboxFile", path === undefined ? skipToken : { id, path });
  const open = ({ name, type }: File) => {
    const opened = folder === "/" ? `/${name}` : `${folder}/${name}`;
    setPath(type === "folder" ? undefined : opened);
    if (type === "folder") setFolder(opened);
  };
  const up = folder === "/" ? undefined : folder.slice(0, folder.lastIndexOf("/")) || "/";
  return (
    <Section
      title="Files"
      description={<span className="break-all font-mono text-xs">{folder}</span>}
      actions={
        up !== undefined && (
          <Button variant="outline" size="sm" onClick={() => setFolder(up)}>
            Up
          </Button>
        )
      }
    >
      <div className="space-y-4">
        <QueryContent query={files}>
          {(listed) => (
            <>
              <ul className="grid gap-1 sm:grid-cols-2 lg:grid-cols-3">
                {listed.data.map((one) => (
                  <FileItem key={one.name} file={one} onOpen={() => open(one)} />
                ))}
              </ul>
              <FolderEnd {...listed} />
            </>
          )}
        </QueryContent>
        {path !== undefined && (
          <QueryContent query={file}>
            {({ content, encoding }) => (
              <LogWindow text={encoding === "utf8" ? content : "(not text)"} label={`Content of ${path}`} />
            )}
          </QueryContent>
        )}
      </div>
    </Section>
  );
}

const FileItem = ({ file: { name, type, size }, onOpen }: { file: File; onOpen: () => void }) => (
  <li className="min-w-0 text-sm">
    {type === "other" ? (
      <span className="break-all font-mono text-xs">{name}</span>
    ) : (
      <button type="button" onClick={onOpen} className="break-all text-left font-mono text-xs underline">
        {type === "folder" ? `${name}/` : name}
      </button>
    )}{" "}
    {type === "file" && <span className="whitespace-nowrap text-muted-foreground text-xs">{formatCount(size)} B</span>}
  </li>
);
