import { CircleAlert, CircleCheck, Clock, LoaderCircle, RotateCw, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "../../../../components/ui/button";
import { ProgressBar } from "../../../../components/ui/progress-bar";
import { useUnsaved } from "../../../../components/ui/unsaved-context";
import { formatBytes } from "../../../../format/bytes";
import { countText } from "../../../../format/count-text";
import { formatCount } from "../../../../format/numbers";
import { isOpen, type UploadState } from "./use-uploads";

interface UploadListProps {
  uploads: readonly UploadState[];
  onStop: (id: number) => void;
  onRetry: (id: number) => void;
  onClear: () => void;
}

const LEAVING = {
  title: "Stop the uploads?",
  consequence: "Files that are not completely uploaded are not stored.",
  stay: "Keep uploading",
  leave: "Stop and leave",
};

/** Uploads of this visit with their progress; nothing before the first one. */
export const UploadList = (props: UploadListProps) => (props.uploads.length === 0 ? null : <Uploads {...props} />);

function Uploads({ uploads, onClear, ...actions }: UploadListProps) {
  const section = useRef<HTMLElement>(null);
  const { watch } = useUnsaved();
  const open = uploads.some(isOpen);
  useEffect(() => {
    if (!open || !section.current) return undefined;
    return watch(section.current, () => true, LEAVING);
  }, [open, watch]);
  const done = uploads.filter(({ status }) => status === "done").length;
  const failed = uploads.filter(({ status }) => status === "failed").length;
  return (
    <section ref={section} aria-label="Uploads" className="rounded-lg border bg-card">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b py-1 pr-2 pl-3 text-sm sm:pl-4">
        <span role="status" className="font-medium">
          {formatCount(done)} of {countText(uploads.length, "file")} uploaded
          {failed > 0 && `, ${formatCount(failed)} failed`}
        </span>
        {done + failed > 0 && (
          <Button variant="ghost" size="sm" onClick={onClear}>
            Clear list
          </Button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1). */}
      <ul className="max-h-72 divide-y overflow-y-auto" tabIndex={0} aria-label="Files">
        {uploads.toSorted(byUrgency).map((upload) => (
          <UploadItem key={upload.id} upload={upload} {...actions} />
        ))}
      </ul>
    </section>
  );
}

const URGENCY: readonly UploadState["status"][] = ["failed", "running", "waiting", "done"];

/** Failed uploads first, then running ones; otherwise in the order in which the files were chosen. */
const byUrgency = (a: UploadState, b: UploadState): number => URGENCY.indexOf(a.status) - URGENCY.indexOf(b.status);

type UploadItemProps = Pick<UploadListProps, "onStop" | "onRetry"> & { upload: UploadState };

const UploadItem = ({ upload, onStop, onRetry }: UploadItemProps) => {
  const { id, key, size, sentBytes, status, error, canRetry } = upload;
  return (
    <li className="flex min-h-10 items-center gap-3 px-3 py-1 text-sm sm:px-4">
      <StatusIcon status={status} />
      <div className="min-w-0 flex-1 py-1">
        <div className="flex items-baseline gap-3">
          <span className="min-w-0 flex-1 truncate" title={key}>
            {key}
          </span>
          <span className="whitespace-nowrap text-muted-foreground text-xs tabular-nums">
            {status === "running" ? `${formatBytes(sentBytes)} of ${formatBytes(size)}` : formatBytes(size)}
          </span>
        </div>
        {status === "running" && (
          <ProgressBar
            className="mt-1.5 block h-1.5 w-full"
            aria-label={`Progress of ${key}`}
            value={sentBytes}
            max={Math.max(1, size)}
          />
        )}
        {error && <p className="break-words text-destructive text-xs leading-5">{error}</p>}
      </div>
      {isOpen(upload) && (
        <Button
          variant="ghost"
          size="icon"
          className="-mr-2 size-8"
          aria-label={`Stop ${key}`}
          onClick={() => onStop(id)}
        >
          <X aria-hidden />
        </Button>
      )}
      {status === "failed" && canRetry && (
        <Button variant="outline" size="sm" aria-label={`Try again: ${key}`} onClick={() => onRetry(id)}>
          <RotateCw aria-hidden />
          <span className="max-sm:sr-only">Try again</span>
        </Button>
      )}
    </li>
  );
};

const StatusIcon = ({ status }: Pick<UploadState, "status">) => {
  if (status === "done")
    return <CircleCheck aria-label="Uploaded" className="size-4 shrink-0 text-success-foreground" />;
  if (status === "failed")
    return <CircleAlert aria-label="Not uploaded" className="size-4 shrink-0 text-destructive" />;
  if (status === "waiting") return <Clock aria-label="Waiting" className="size-4 shrink-0 text-muted-foreground" />;
  return <LoaderCircle aria-label="Uploading" className="size-4 shrink-0 animate-spin text-primary" />;
};
