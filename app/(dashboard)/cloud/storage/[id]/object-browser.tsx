import { useInfiniteQuery } from "@tanstack/react-query";
import { FolderOpen, RefreshCw, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { Button } from "../../../../components/ui/button";
import { EmptyState } from "../../../../components/ui/empty-state";
import { useTRPC } from "../../../../trpc/client";
import { NextPage } from "../../../components/paged-content";
import { nextCursor } from "../../../components/pages";
import { useHasScope } from "../../../components/shell/access";
import { useUrlParams } from "../../../components/use-url-params";
import type { Bucket, StoredObject } from "../bucket";
import { DeleteButton } from "./delete-button";
import type { Chosen } from "./delete-chosen";
import { DropArea } from "./drop-area";
import { FolderPath } from "./folder-path";
import { ObjectDialog } from "./object-dialog";
import { ObjectTable } from "./object-table";
import { ReplaceDialog } from "./replace-dialog";
import { UploadList } from "./upload-list";
import { keyOf, useUploads } from "./use-uploads";

const DELIMITER = "/";
const PAGE = 100;
const NONE: Chosen = { keys: [], folders: [] };

interface ObjectBrowserProps {
  bucket: Bucket;
  publicUrl: string;
}

/** The objects of one folder, which is the prefix in the address; files can be dropped on it. */
export function ObjectBrowser({ bucket, publicUrl }: ObjectBrowserProps) {
  const { params, change } = useUrlParams();
  const prefix = params.get("prefix") ?? "";
  const canWrite = useHasScope("storage:write");
  const { uploads, add, ...actions } = useUploads(bucket);
  const [asked, setAsked] = useState<{ files: File[]; replaced: string[] }>();
  const query = useFolder(bucket, prefix);
  const take = (files: File[]) => {
    const present = new Set(query.data?.pages.flatMap(({ data }) => data.map(({ key }) => key)));
    const replaced =
      bucket.versioning === "on" ? [] : files.map((file) => keyOf(file, prefix)).filter((key) => present.has(key));
    if (replaced.length > 0) setAsked({ files, replaced });
    else add(files, prefix);
  };
  const picker = useRef<HTMLInputElement>(null);
  const upload = canWrite && (
    <Button onClick={() => picker.current?.click()} icon={Upload}>
      Upload files
    </Button>
  );
  return (
    <DropArea isActive={canWrite} onFiles={take}>
      <FileInput ref={picker} onFiles={take} />
      <Folder
        key={prefix}
        bucket={bucket}
        publicUrl={publicUrl}
        prefix={prefix}
        query={query}
        upload={upload}
        onOpenFolder={(next) => change({ prefix: next }, "push")}
      >
        <UploadList uploads={uploads} onStop={actions.stop} onRetry={actions.retry} onClear={actions.clear} />
      </Folder>
      <ReplaceDialog
        keys={asked?.replaced}
        onCancel={() => setAsked(undefined)}
        onReplace={() => add(asked?.files ?? [], prefix)}
      />
    </DropArea>
  );
}

function useFolder(bucket: Bucket, prefix: string) {
  const trpc = useTRPC();
  return useInfiniteQuery(
    trpc.listObjects.infiniteQueryOptions(
      { bucket: bucket.id, delimiter: DELIMITER, limit: PAGE, ...(prefix && { prefix }) },
      { getNextPageParam: nextCursor },
    ),
  );
}

interface FolderProps extends ObjectBrowserProps {
  prefix: string;
  query: ReturnType<typeof useFolder>;
  upload: React.ReactNode;
  onOpenFolder: (prefix: string) => void;
  children: React.ReactNode;
}

function Folder({ bucket, publicUrl, prefix, query, upload, onOpenFolder, children }: FolderProps) {
  const [chosen, setChosen] = useState(NONE);
  const [shown, setShown] = useState<StoredObject>();
  const objects = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const folders = query.data?.pages.flatMap(({ common_prefixes }) => common_prefixes) ?? [];
  // What was deleted elsewhere meanwhile is not chosen any more.
  const present = {
    keys: chosen.keys.filter((chosenKey) => objects.some(({ key }) => key === chosenKey)),
    folders: chosen.folders.filter((folder) => folders.includes(folder)),
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <FolderPath bucket={bucket.name} prefix={prefix} onOpen={onOpenFolder} />
        <div className="flex flex-wrap gap-2">
          <DeleteButton bucket={bucket} chosen={present} onDeleted={() => setChosen(NONE)} />
          <Button
            variant="outline"
            pending={query.isFetching && !query.isFetchingNextPage}
            onClick={() => void query.refetch()}
          >
            {!query.isFetching && <RefreshCw aria-hidden />}
            Refresh
          </Button>
          {upload}
        </div>
      </div>
      {children}
      <QueryContent query={query}>
        {() => {
          if (objects.length + folders.length === 0) return <Empty bucket={bucket} prefix={prefix} upload={upload} />;
          return (
            <div className="space-y-4">
              <ObjectTable
                bucket={bucket}
                prefix={prefix}
                folders={folders}
                objects={objects}
                onOpenFolder={onOpenFolder}
                chosen={present}
                onChoose={upload ? setChosen : undefined}
                onOpenObject={setShown}
              />
              <NextPage query={query} />
            </div>
          );
        }}
      </QueryContent>
      <ObjectDialog bucket={bucket} object={shown} publicUrl={publicUrl} onClose={() => setShown(undefined)} />
    </>
  );
}

const Empty = ({ bucket, prefix, upload }: Pick<FolderProps, "bucket" | "prefix" | "upload">) => (
  <EmptyState icon={FolderOpen} title={prefix ? "This folder is empty" : "The bucket is empty"} action={upload}>
    {upload ? (
      <>
        Drop files here or choose them. In a terminal:
        <span className="wrap-anywhere mt-1 block font-mono text-foreground text-xs">
          svc storage cp report.pdf svc://{bucket.name}/{prefix}
        </span>
      </>
    ) : (
      "Nothing has been stored yet."
    )}
  </EmptyState>
);

interface FileInputProps {
  ref: React.RefObject<HTMLInputElement | null>;
  onFiles: (files: File[]) => void;
}

/** Opened by the buttons. */
const FileInput = ({ ref, onFiles }: FileInputProps) => (
  <input
    ref={ref}
    type="file"
    multiple
    aria-label="Files to upload"
    className="sr-only"
    tabIndex={-1}
    onChange={({ target }) => {
      onFiles([...(target.files ?? [])]);
      // The same file can be chosen again.
      target.value = "";
    }}
  />
);
