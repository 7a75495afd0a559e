"use client";

import { useMutation } from "@tanstack/react-query";
import { Ban } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { RowMenu } from "../../../components/ui/row-menu";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { useHasScope } from "../../components/shell/access";
import { gpusText, isCancelable, moneyText, type Reservation, STATUS_TONES, TERM_TEXTS } from "./reservation";

const COLUMNS = [
  { label: "Name" },
  { label: "Status" },
  { label: "GPUs" },
  { label: "Term" },
  { label: "In use", numeric: true, title: "GPUs of its pods; below, those that spot pods have while they are idle" },
  { label: "Price", numeric: true, title: "Of the whole term; each month is invoiced for its part" },
];
const ACTIONS = { label: "" };

export function ReservationTable({ reservations }: { reservations: Reservation[] }) {
  const canWrite = useHasScope("pods:write");
  return (
    <Table caption="Reservations" columns={canWrite ? [...COLUMNS, ACTIONS] : COLUMNS}>
      {reservations.map((reservation) => (
        <ReservationRow key={reservation.id} reservation={reservation} canWrite={canWrite} />
      ))}
    </Table>
  );
}

function ReservationRow({ reservation, canWrite }: { reservation: Reservation; canWrite: boolean }) {
  const { id, name, status, region, duration, currency, simulated } = reservation;
  return (
    <Row>
      <RowHeading className="max-w-72 min-w-40">
        <span className="break-words">{name}</span>
        <span className="block break-all font-mono font-normal text-muted-foreground text-xs sm:whitespace-nowrap">
          {id}
        </span>
      </RowHeading>
      <Cell>
        <Badge tone={STATUS_TONES[status]}>{status}</Badge>
      </Cell>
      <Cell className="whitespace-nowrap">
        {gpusText(reservation)}
        <span className="block text-muted-foreground text-xs">
          {region}
          {simulated && ", simulated"}
        </span>
      </Cell>
      <Cell className="min-w-44">
        {TERM_TEXTS[duration]}
        <span className="block text-muted-foreground text-xs">
          {formatDateTime(reservation.starts_at)} to {formatDateTime(reservation.ends_at)}
        </span>
      </Cell>
      <Cell numeric className="whitespace-nowrap">
        {reservation.in_use} of {reservation.count}
        {reservation.lacking && (
          <span className="block text-destructive text-xs" title={reservation.lacking.message}>
            {reservation.lacking.gpus} missing
          </span>
        )}
        {reservation.lent_to_spot > 0 && (
          <span className="block text-muted-foreground text-xs">{reservation.lent_to_spot} lent to spot</span>
        )}
      </Cell>
      <Cell numeric className="whitespace-nowrap">
        {moneyText(reservation.total_price, currency)}
        <span className="block text-muted-foreground text-xs">
          {moneyText(reservation.price_per_hour, currency)} per hour
        </span>
      </Cell>
      {canWrite && (
        <ActionsCell>
          <ReservationMenu reservation={reservation} />
        </ActionsCell>
      )}
    </Row>
  );
}

function ReservationMenu({ reservation }: { reservation: Reservation }) {
  const trpc = useTRPC();
  const cancel = useMutation(
    trpc.cancelReservation.mutationOptions({ meta: { done: "Reservation canceled, free of charge." } }),
  );
  if (!isCancelable(reservation, Date.now())) return null;
  const question = {
    title: `Cancel ${reservation.name}?`,
    consequence: "Its GPUs become free for others, and it costs nothing. This cannot be undone.",
    action: "Cancel reservation",
  };
  const onConfirm = () => cancel.mutateAsync({ id: reservation.id });
  return <RowMenu name={reservation.name} actions={[{ label: "Cancel", icon: Ban, question, onConfirm }]} />;
}
