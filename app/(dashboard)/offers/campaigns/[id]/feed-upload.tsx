import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { CheckboxField, Field } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { Button } from "../../../../components/ui/button";
import { cn } from "../../../../components/ui/cn";
import { Confirm } from "../../../../components/ui/confirm";
import { ProgressBar } from "../../../../components/ui/progress-bar";
import { FeedReport } from "./feed-report";
import { type FeedResult, fileIn, UnfinishedFeed, uploadFeed } from "./upload-feed";

const ACCEPTED = ".csv,.tsv,.txt,.json,.jsonl,.ndjson,.xml,.rss,.gz";

/** Uploads a feed file, with progress and a report of its lines. A rejected file stays selected. */
export function FeedUpload({ campaignId }: { campaignId: string }) {
  const [share, setShare] = useState(0);
  const [replaces, setReplaces] = useState(false);
  const [round, setRound] = useState(0);
  const queries = useQueryClient();
  const stop = useRef<AbortController>(undefined);
  const container = useRef<HTMLDivElement>(null);
  const upload = useMutation<FeedResult, Error, File>({
    meta: { inline: true },
    mutationFn: (file) => {
      setShare(0);
      stop.current = new AbortController();
      const mode = replaces ? "replace" : "merge";
      return uploadFeed({ campaignId, file, mode, signal: stop.current.signal, onProgress: setShare });
    },
    onSuccess: () => {
      setRound(round + 1);
      // The replace option applies to one upload only.
      setReplaces(false);
    },
    // The products before an error are stored.
    onError: () => queries.invalidateQueries(),
  });
  const submit = (fields: FormData) => {
    // A missing file must not leave the result of the last upload below its error.
    upload.reset();
    upload.mutate(fileIn(fields));
  };
  const unfinished = upload.error instanceof UnfinishedFeed ? upload.error.result : undefined;
  const wasStopped = upload.error?.name === "AbortError";
  return (
    <div ref={container} className="space-y-4">
      <Form key={round} error={wasStopped ? null : upload.error} onSubmit={submit} className="space-y-4">
        <FileField />
        <CheckboxField
          name="replace"
          label="Replace the whole feed"
          hint="Products that are not in the file are archived after the whole file has been processed."
          checked={replaces}
          disabled={upload.isPending}
          onChange={(event) => setReplaces(event.target.checked)}
        />
        {upload.isPending ? (
          <Progress share={share} onStop={() => stop.current?.abort()} />
        ) : replaces ? (
          <ReplaceButton onConfirm={async () => container.current?.querySelector("form")?.requestSubmit()} />
        ) : (
          <SendButton type="submit" />
        )}
      </Form>
      <p role="status" className="text-muted-foreground text-sm empty:hidden">
        {wasStopped && !upload.isPending && "Stopped. Products received so far are kept; nothing was archived."}
      </p>
      {upload.data && <FeedReport key={round} result={upload.data} />}
      {unfinished && <FeedReport result={unfinished} isUnfinished />}
    </div>
  );
}

const FileField = () => (
  <Field
    name="feed"
    label="Feed file"
    hint="CSV, TSV, NDJSON, RSS or Atom with Google Merchant names, plain or gzip, at most 1 GiB."
    render={(control) => (
      <input
        {...control}
        type="file"
        accept={ACCEPTED}
        className="block w-full min-w-0 rounded-md border border-input bg-card p-1.5 text-sm file:mr-3 file:rounded-sm file:border-0 file:bg-accent file:px-3 file:py-1 file:font-medium file:text-accent-foreground aria-invalid:border-destructive"
      />
    )}
  />
);

/** Asks before it sends the form. */
const ReplaceButton = ({ onConfirm }: { onConfirm: () => Promise<void> }) => (
  <Confirm
    trigger={<SendButton type="button" onClick={confirmOnlyWithFile} />}
    title="Replace the whole feed?"
    consequence="Every product that is not in the file stops serving. Include it in a later file to restore it."
    action="Replace feed"
    onConfirm={onConfirm}
  />
);

/** Asks for confirmation only when a file is selected; otherwise the form shows the error at its field. */
function confirmOnlyWithFile(event: MouseEvent<HTMLButtonElement>): void {
  const { form } = event.currentTarget;
  if (!form || hasFile(new FormData(form))) return;
  event.preventDefault();
  form.requestSubmit();
}

function hasFile(fields: FormData): boolean {
  try {
    return fileIn(fields).size > 0;
  } catch {
    return false;
  }
}

const SendButton = (props: { type: "button" | "submit"; onClick?: (event: MouseEvent<HTMLButtonElement>) => void }) => (
  <Button variant="outline" {...props} icon={Upload}>
    Upload feed
  </Button>
);

interface ProgressProps {
  share: number;
  onStop: () => void;
}

/** The upload, then processing by the server. Screen readers announce only the two steps, not each percent. */
function Progress({ share, onStop }: ProgressProps) {
  const room = useRef<HTMLDivElement>(null);
  // The pressed button no longer exists, so the focus must move.
  useEffect(() => room.current?.querySelector("button")?.focus(), []);
  const isSending = share < 1;
  return (
    <div ref={room} className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <ProgressBar
        className={cn("min-w-32 flex-1", !isSending && "animate-pulse")}
        max={1}
        {...(isSending && { value: share })}
        aria-label="Upload progress"
      />
      <span className="text-sm tabular-nums">
        {isSending && <span aria-hidden>{Math.floor(100 * share)}% uploaded</span>}
        <span role="status" className={isSending ? "sr-only" : ""}>
          {isSending ? "Uploading…" : "Uploaded; processing…"}
        </span>
      </span>
      <Button variant="outline" size="sm" onClick={onStop}>
        Stop
      </Button>
    </div>
  );
}
