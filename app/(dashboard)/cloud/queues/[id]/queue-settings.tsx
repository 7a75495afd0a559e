"use client";

import { useRouter } from "next/navigation";
import { Alert } from "../../../../components/ui/alert";
import { Section } from "../../../../components/ui/card";
import { countText } from "../../../../format/count-text";
import { updateQueueInput } from "../../../../generated/inputs/updateQueue";
import { useMutationOf } from "../../../../trpc/use-operation";
import { SchemaForm } from "../../../components/schema-form";
import { useHasScope } from "../../../components/shell/access";
import { ConfirmByName } from "../../components/confirm-by-name";
import type { Queue } from "../queue";
import { queueFields } from "../queue-fields";
import { useProjectQueues } from "./use-project-queues";

export function QueueSettings({ queue }: { queue: Queue }) {
  if (!useHasScope("queues:write")) return <Alert>Your role can read queues but not change them.</Alert>;
  return (
    <div className="space-y-6">
      <Settings queue={queue} />
      <Section title="Delete messages" description="Deletes every message of the queue; the queue itself stays.">
        <Purge queue={queue} />
      </Section>
      <Section title="Delete queue" description="Deletes the queue with its messages. Its name can be used again.">
        <DeleteQueue queue={queue} />
      </Section>
    </div>
  );
}

const Settings = ({ queue }: { queue: Queue }) => (
  <Section
    title="Settings"
    description="They apply to messages from their next receive on, also to those that are in the queue already."
  >
    <SchemaForm
      input={updateQueueInput}
      fields={queueFields({ queue, projectId: queue.project_id })}
      values={queue}
      fixed={{ q: queue.id }}
      submit="Save changes"
      done="Queue saved."
    />
  </Section>
);

const messagesIn = ({ figures: { waiting, delayed, in_flight } }: Queue): number => waiting + delayed + in_flight;

function Purge({ queue }: { queue: Queue }) {
  const purge = useMutationOf("purgeQueue", { meta: { inline: true, done: "Messages deleted." } });
  return (
    <ConfirmByName
      name={queue.name}
      label="Delete all messages"
      title={`Delete all messages of ${queue.name}?`}
      consequence={`The queue has ${countText(messagesIn(queue), "message")} now. Those in flight and delayed are deleted too, and so are those that are sent before the call arrives. Deleted messages cannot be restored.`}
      mutation={purge}
      onConfirm={() => purge.mutateAsync({ q: queue.id })}
    />
  );
}

function DeleteQueue({ queue }: { queue: Queue }) {
  const router = useRouter();
  const { sources } = useProjectQueues(queue);
  const deletion = useMutationOf("deleteQueue", {
    meta: { inline: true, done: "Queue deleted.", leaves: true },
    onSuccess: () => router.push("/cloud/queues"),
  });
  if (sources.length > 0) {
    return (
      <p className="text-sm">
        It cannot be deleted while it is the dead-letter queue of {sources.map(({ name }) => name).join(", ")}. Choose
        another dead-letter queue there first.
      </p>
    );
  }
  return (
    <ConfirmByName
      name={queue.name}
      label="Delete queue"
      title={`Delete ${queue.name}?`}
      consequence={`Programs that use the queue get 404 from now on, and its ${countText(messagesIn(queue), "message")} cannot be restored.`}
      mutation={deletion}
      onConfirm={() => deletion.mutateAsync({ q: queue.id })}
    />
  );
}
