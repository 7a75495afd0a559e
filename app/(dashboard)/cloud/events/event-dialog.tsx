"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryContent } from "../../../components/query-content";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
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
  const trpc = useTRPC();
  const query = useQuery(trpc.getEvent.queryOptions({ id: eventId }));
  return <QueryContent query={query}>{(event) => <JsonBlock label={event.type} value={event} />}</QueryContent>;
}
