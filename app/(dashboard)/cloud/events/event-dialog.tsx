import { QueryContent } from "../../../components/query-content";
import { Dialog } from "../../../components/ui/dialog";
import { useQueryOf } from "../../../trpc/use-operation";
import { JsonBlock } from "../components/json-block";

interface EventDialogProps {
  /** Empty: closed. */
  eventId: string;
  onClose: () => void;
}

/** One event as webhooks receive it. */
export const EventDialog = ({ eventId, onClose }: EventDialogProps) => (
  <Dialog open={eventId !== ""} onOpenChange={onClose} title="Event" className="max-w-3xl">
    {eventId !== "" && <Loaded eventId={eventId} />}
  </Dialog>
);

function Loaded({ eventId }: { eventId: string }) {
  const query = useQueryOf("getEvent", { id: eventId });
  return <QueryContent query={query}>{(event) => <JsonBlock label={event.type} value={event} />}</QueryContent>;
}
