import { RotateCcw } from "lucide-react";
import { QueryContent } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Dialog } from "../../../../components/ui/dialog";
import { formatDateTimeSeconds } from "../../../../format/dates";
import { useMutationOf, useQueryOf } from "../../../../trpc/use-operation";
import { Fact, Facts } from "../../../components/facts";
import { useHasScope } from "../../../components/shell/access";
import { JsonBlock } from "../../components/json-block";
import type { Webhook } from "../webhook";
import { AttemptList } from "./attempt-list";
import { DELIVERY_TONES, type DeliveryDetails } from "./delivery";

const POLL_MS = 2_000;

interface DeliveryDialogProps {
  webhook: Webhook;
  /** Empty: closed. */
  deliveryId: string;
  onClose: () => void;
}

/** One delivery: its event, the result of each attempt, and its replay. */
export const DeliveryDialog = ({ webhook, deliveryId, onClose }: DeliveryDialogProps) => (
  <Dialog open={deliveryId !== ""} onOpenChange={onClose} title="Delivery" className="max-w-3xl">
    {deliveryId !== "" && <Loaded key={deliveryId} webhook={webhook} deliveryId={deliveryId} />}
  </Dialog>
);

function Loaded({ webhook, deliveryId }: Omit<DeliveryDialogProps, "onClose">) {
  const query = useQueryOf(
    "getWebhookDelivery",
    { id: webhook.id, delivery_id: deliveryId },
    { refetchInterval: ({ state }) => (state.data?.status === "pending" ? POLL_MS : false) },
  );
  return <QueryContent query={query}>{(delivery) => <Content webhook={webhook} delivery={delivery} />}</QueryContent>;
}

const Content = ({ webhook, delivery }: { webhook: Webhook; delivery: DeliveryDetails }) => (
  <div className="min-w-0 space-y-5">
    <div className="flex flex-wrap items-start justify-between gap-3">
      <Facts className="min-w-0">
        <Fact name="Kind">
          <span className="break-all font-mono text-xs">{delivery.event_type}</span>
        </Fact>
        <Fact name="Status">
          <Badge tone={DELIVERY_TONES[delivery.status]}>{delivery.status}</Badge>
        </Fact>
        <Fact name="Delivery">
          <span className="break-all font-mono text-xs">{delivery.id}</span>
        </Fact>
        <Fact name="Event">
          <span className="break-all font-mono text-xs">{delivery.event_id}</span>
        </Fact>
        <Fact name="Created">{formatDateTimeSeconds(delivery.created_at)}</Fact>
        <Fact name={delivery.next_attempt_at ? "Next attempt" : "Finished"}>{lastFact(delivery)}</Fact>
      </Facts>
      <Replay webhook={webhook} delivery={delivery} />
    </div>
    {delivery.last_error && delivery.last_error !== delivery.attempts.at(-1)?.error && (
      <p className="break-words text-destructive text-sm">{delivery.last_error}</p>
    )}
    <section className="space-y-2" aria-label="Attempts">
      <h3 className="font-medium text-sm">Attempts</h3>
      <AttemptList attempts={delivery.attempts} />
    </section>
    <section className="space-y-2" aria-label="Event">
      <h3 className="font-medium text-sm">Event</h3>
      <JsonBlock label="Body of the requests" value={delivery.event} />
    </section>
  </div>
);

function lastFact({ next_attempt_at, retries_left, finished_at }: DeliveryDetails): string {
  if (next_attempt_at) {
    const left = retries_left === 1 ? "1 retry" : `${retries_left} retries`;
    return `${formatDateTimeSeconds(next_attempt_at)}, then ${left} left`;
  }
  return finished_at ? formatDateTimeSeconds(finished_at) : "–";
}

function Replay({ webhook, delivery: { id, status } }: { webhook: Webhook; delivery: DeliveryDetails }) {
  const canWrite = useHasScope("webhooks:write");
  const replay = useMutationOf("replayWebhookDelivery", { meta: { done: "Event sent again." } });
  if (!canWrite) return null;
  return (
    <div className="space-y-1">
      <Button
        variant="outline"
        size="sm"
        disabled={webhook.status === "disabled"}
        pending={replay.isPending}
        onClick={() => replay.mutate({ id: webhook.id, delivery_id: id })}
      >
        <RotateCcw aria-hidden />
        {status === "pending" ? "Send now" : "Replay"}
      </Button>
      {webhook.status === "disabled" && (
        <p className="max-w-40 text-muted-foreground text-xs">Enable the webhook to replay.</p>
      )}
    </div>
  );
}
