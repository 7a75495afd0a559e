import { Fragment, useRef, useState } from "react";
import { SelectField } from "../../../../components/form/fields";
import { FailureAlert, Form } from "../../../../components/form/form";
import { textIn } from "../../../../components/form/read-fields";
import { Alert } from "../../../../components/ui/alert";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Link } from "../../../../components/ui/link";
import { countText } from "../../../../format/count-text";
import { formatCount } from "../../../../format/numbers";
import { failureOf } from "../../../../trpc/failure";
import { useMutationOf } from "../../../../trpc/use-operation";
import { ROW_LINK_STYLE } from "../../../components/row-link-style";
import { useHasScope } from "../../../components/shell/access";
import type { Queue } from "../queue";
import { useProjectQueues } from "./use-project-queues";

/** Shown for a dead-letter queue: which queues it serves, and a button that moves its messages back. */
export function Redrive({ queue }: { queue: Queue }) {
  const { sources } = useProjectQueues(queue);
  const canWrite = useHasScope("queues:write");
  if (sources.length === 0) return null;
  return (
    <Section
      title="Dead-letter queue"
      description={
        <>
          Messages arrive here from{" "}
          {sources.map(({ id, name, max_receives }, i) => (
            <Fragment key={id}>
              {i > 0 && (i === sources.length - 1 ? " and " : ", ")}
              <Link href={`/cloud/queues/${id}`} className={`${ROW_LINK_STYLE} break-all text-foreground`}>
                {name}
              </Link>{" "}
              (after {countText(max_receives, "receive")})
            </Fragment>
          ))}
          . When the cause is repaired, move them back: oldest first, with their receive count at zero.
        </>
      }
    >
      {canWrite && <RedriveForm queue={queue} sources={sources} />}
    </Section>
  );
}

interface RedriveFormProps {
  queue: Queue;
  sources: readonly { id: string; name: string }[];
}

function RedriveForm({ queue, sources }: RedriveFormProps) {
  const { run, stop, progress, error, isRunning } = useRedrive(queue);
  const messages = queue.figures.waiting + queue.figures.delayed;
  return (
    <Form error={null} onSubmit={(fields) => void run(textIn(fields, "target") || (sources[0]?.id ?? ""), messages)}>
      {sources.length > 1 && (
        <SelectField
          name="target"
          label="Move to"
          className="max-w-sm"
          hint="All messages move there: svc does not store which of the queues each one came from."
          choices={sources}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" pending={isRunning} disabled={messages === 0 && !isRunning}>
          {messages === 0 ? "Move messages back" : `Move ${countText(messages, "message")} back`}
        </Button>
        {isRunning && (
          <Button variant="outline" onClick={stop}>
            Stop
          </Button>
        )}
        {messages === 0 && !isRunning && !progress && (
          <span className="text-muted-foreground text-sm">There is no message that can be moved.</span>
        )}
      </div>
      {error !== undefined && <FailureAlert failure={failureOf(error)} />}
      {progress && (
        <Alert tone={isRunning ? "info" : "good"} className="max-w-md">
          Moved {formatCount(progress.moved)} of {countText(progress.of, "message")} to {progress.target}
          {isRunning ? " so far." : "."}
        </Alert>
      )}
    </Form>
  );
}

interface Progress {
  moved: number;
  /** How many messages there were at the start: those that fail again meanwhile are not moved a second time. */
  of: number;
  target: string;
}

/** Most messages of one call. */
const BATCH = 1000;

function useRedrive({ id }: Queue) {
  const redrive = useMutationOf("redriveMessages", { meta: { inline: true } });
  const [progress, setProgress] = useState<Progress>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const isStopped = useRef(false);
  const run = async (target: string, of: number) => {
    isStopped.current = false;
    setError(undefined);
    setProgress(undefined);
    setRunning(true);
    try {
      for (let moved = 0; moved < of && !isStopped.current; ) {
        const max_messages = Math.min(BATCH, of - moved);
        const result = await redrive.mutateAsync({ q: id, target, max_messages });
        moved += result.moved;
        setProgress({ moved, of, target: result.target });
        if (result.moved === 0) break;
      }
    } catch (failure) {
      setError(failure);
    }
    setRunning(false);
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { run, stop, progress, error, isRunning };
}
