import { useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { formatCount } from "../../../../format/numbers";
import { useQueryOf } from "../../../../trpc/use-operation";
import { FileEditor } from "./file-editor";
import { shownPath } from "./file-paths";

/** The editor becomes slow with more. */
const CHARACTERS_MAX = 2_000_000;

interface OpenFileProps {
  id: string;
  path: string;
  canWrite: boolean;
}

/** Reads a file, and edits it if it is text. */
export function OpenFile({ id, path, canWrite }: OpenFileProps) {
  const [readings, setReadings] = useState(0);
  const query = useQueryOf("readWorkspaceFile", { id, path });
  const reload = () => void query.refetch().then(() => setReadings((count) => count + 1));
  return (
    <div className="min-w-0 space-y-3">
      <h3 className="break-all font-mono text-sm">{shownPath(path)}</h3>
      <QueryContent query={query}>
        {({ content, encoding, size, version }) =>
          encoding === "utf8" && content.length <= CHARACTERS_MAX ? (
            <FileEditor
              key={readings}
              id={id}
              path={path}
              canWrite={canWrite}
              onReload={reload}
              opened={{ content, version }}
            />
          ) : (
            <p className="text-muted-foreground text-sm">
              {encoding === "utf8" ? "It is too long for this editor" : "It is not text"}: {formatCount(size)} bytes.
            </p>
          )
        }
      </QueryContent>
    </div>
  );
}
