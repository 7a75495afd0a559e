"use client";

import { CalendarClock, Plus } from "lucide-react";
import { useState } from "react";
import { Alert } from "../../../components/ui/alert";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { RowMenu } from "../../../components/ui/row-menu";
import { formatDateTime } from "../../../format/dates";
import { useMutationOf, useQueryOf } from "../../../trpc/use-operation";
import { Below, type Columns, IdBelow } from "../../components/data-table";
import { PageHeader } from "../../components/page-header";
import { PagedList } from "../../components/paged-list";
import { pagesEvery } from "../../components/pages";
import { cancelAction } from "../../components/row-actions";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { CreateReservationDialog } from "./create-reservation-dialog";
import { PoolSection } from "./pool-section";
import {
  gpusText,
  isCancelable,
  moneyText,
  type Pool,
  type Reservation,
  STATUS_TONES,
  TERM_TEXTS,
} from "./reservation";

const REFRESH_MS = 10_000;

const COLUMNS: Columns<Reservation> = [
  {
    label: "Name",
    className: "max-w-72 min-w-40 break-words",
    cell: ({ id, name }) => (
      <>
        {name}
        <IdBelow id={id} />
      </>
    ),
  },
  { label: "Status", cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{status}</Badge> },
  {
    label: "GPUs",
    className: "whitespace-nowrap",
    cell: (reservation) => (
      <>
        {gpusText(reservation)}
        <Below>{`${reservation.region}${reservation.simulated ? ", simulated" : ""}`}</Below>
      </>
    ),
  },
  {
    label: "Term",
    className: "min-w-44",
    cell: ({ duration, starts_at, ends_at }) => (
      <>
        {TERM_TEXTS[duration]}
        <Below>{`${formatDateTime(starts_at)} to ${formatDateTime(ends_at)}`}</Below>
      </>
    ),
  },
  {
    label: "In use",
    numeric: true,
    title: "GPUs of its pods; below, those that spot pods have while they are idle",
    cell: (reservation) => <InUse reservation={reservation} />,
  },
  {
    label: "Price",
    numeric: true,
    title: "Of the whole term; each month is invoiced for its part",
    cell: ({ total_price, price_per_hour, currency }) => (
      <>
        {moneyText(total_price, currency)}
        <Below>{moneyText(price_per_hour, currency)} per hour</Below>
      </>
    ),
  },
];

interface ReservationListProps {
  gpus: readonly Pool["gpu"][];
  regions: readonly Pool["region"][];
}

export const ReservationList = (props: ReservationListProps) => (
  <RequireScope scope="pods:read" title="Reservations" what="the reservations">
    <Reservations {...props} />
  </RequireScope>
);

function Reservations({ gpus, regions }: ReservationListProps) {
  const { mode } = useMode();
  const { params } = useUrlParams();
  const [creating, setCreating] = useState(false);
  const pool: Pool = {
    gpu: gpus.find((gpu) => gpu === params.get("gpu")) ?? "h100",
    region: regions.find((region) => region === params.get("region")) ?? "use",
  };
  const pools = useQueryOf("listGpuPools", {});
  const isEmpty = mode === "live" && !pools.data?.data.some(({ simulated }) => !simulated);
  const create = useHasScope("pods:write") && !isEmpty && (
    <Button onClick={() => setCreating(true)} icon={Plus}>
      Reserve GPUs
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Reservations"
        description="GPUs for 30 or 365 days, at the lowest price per hour, used or not."
        actions={create}
      />
      <div className="space-y-6">
        {isEmpty && pools.isSuccess && (
          <Alert tone="info">
            This installation has no GPUs, so nothing can be reserved in live mode. In test mode GPUs, reservations and
            their prices are simulated.
          </Alert>
        )}
        {!isEmpty && <PoolSection pool={pool} gpus={gpus} regions={regions} />}
        <PagedList
          noun="reservation"
          icon={CalendarClock}
          about="A reservation keeps GPUs for your pods from its start to its end, and costs about half of the on-demand price. What is idle is lent to spot pods."
          docs="/docs/reservations"
          scopes="pods"
          create={create}
          pages={({ trpc: api, mode: shown }) =>
            api.listReservations.infiniteQueryOptions({ mode: shown }, pagesEvery(REFRESH_MS))
          }
          columns={COLUMNS}
          menu={(reservation) => <ReservationMenu reservation={reservation} />}
        />
      </div>
      <CreateReservationDialog open={creating} onOpenChange={setCreating} pool={pool} gpus={gpus} regions={regions} />
    </>
  );
}

const InUse = ({ reservation: { in_use, count, lacking, lent_to_spot } }: { reservation: Reservation }) => (
  <>
    {in_use} of {count}
    {lacking && (
      <span className="block text-destructive text-xs" title={lacking.message}>
        {lacking.gpus} missing
      </span>
    )}
    <Below>{lent_to_spot > 0 && `${lent_to_spot} lent to spot`}</Below>
  </>
);

function ReservationMenu({ reservation }: { reservation: Reservation }) {
  const { id, name } = reservation;
  const cancel = useMutationOf("cancelReservation", { meta: { done: "Reservation canceled, free of charge." } });
  if (!isCancelable(reservation, Date.now())) return null;
  const canceling = cancelAction({
    noun: "reservation",
    name,
    consequence: "Its GPUs become free for others, and it costs nothing. This cannot be undone.",
    onConfirm: () => cancel.mutateAsync({ id }),
  });
  return <RowMenu name={name} actions={[canceling]} />;
}
