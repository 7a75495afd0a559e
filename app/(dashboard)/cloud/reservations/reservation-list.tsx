"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CalendarClock, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Alert } from "../../../components/ui/alert";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { CreateReservationDialog } from "./create-reservation-dialog";
import { PoolSection } from "./pool-section";
import type { Pool } from "./reservation";
import { ReservationTable } from "./reservation-table";

const REFRESH_MS = 10_000;

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
  const trpc = useTRPC();
  const pools = useQuery(trpc.listGpuPools.queryOptions({}));
  const isEmpty = mode === "live" && !pools.data?.data.some(({ simulated }) => !simulated);
  const create = useHasScope("pods:write") && !isEmpty && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
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
        <ReservationPages create={create} />
      </div>
      <CreateReservationDialog open={creating} onOpenChange={setCreating} pool={pool} gpus={gpus} regions={regions} />
    </>
  );
}

function ReservationPages({ create }: { create: ReactNode }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const query = useInfiniteQuery(
    trpc.listReservations.infiniteQueryOptions(
      { mode },
      { getNextPageParam: nextCursor, refetchInterval: refreshEvery(REFRESH_MS) },
    ),
  );
  return (
    <PagedContent
      query={query}
      empty={
        <EmptyState icon={CalendarClock} title={`No reservations in ${mode} mode yet`} action={create}>
          A reservation keeps GPUs for your pods from its start to its end, and costs about half of the on-demand price.
          What is idle is lent to spot pods.{" "}
          <Link href="/docs/reservations" className="underline underline-offset-2">
            How reservations work
          </Link>
        </EmptyState>
      }
    >
      {(reservations) => <ReservationTable reservations={reservations} />}
    </PagedContent>
  );
}
