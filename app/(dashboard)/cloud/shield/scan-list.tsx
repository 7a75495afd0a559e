"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Ban, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../../components/ui/badge";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { ProgressBar } from "../../../components/ui/progress-bar";
import { RowMenu } from "../../../components/ui/row-menu";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatDateTime } from "../../../format/dates";
import { formatCount } from "../../../format/numbers";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { findingsText, isUnderWay, progressText, type Scan, STATUS_TONES } from "./shield";

const REFRESH_MS = 2000;
const PAGE_ROWS = 10;

/** The scans of the mode, newest first. */
export function ScanList({ start }: { start: ReactNode }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const query = useInfiniteQuery(
    trpc.listShieldScans.infiniteQueryOptions(
      { mode, limit: PAGE_ROWS },
      { getNextPageParam: nextCursor, refetchInterval: refreshEvery(REFRESH_MS) },
    ),
  );
  return (
    <PagedContent
      query={query}
      empty={
        <EmptyState icon={ShieldCheck} title={`No scans in ${mode} mode yet`} action={start}>
          A scan reads the objects of a bucket and shows where keys, passwords, card numbers and other personal data
          are, without showing the values.{" "}
          <Link href="/docs/shield" className="underline underline-offset-2">
            How scans work
          </Link>
        </EmptyState>
      }
    >
      {(scans) => <ScanTable scans={scans} />}
    </PagedContent>
  );
}

const COLUMNS = [
  { label: "Bucket" },
  { label: "Status" },
  { label: "Progress" },
  { label: "Findings", title: "Open findings of the scan" },
  { label: "Started" },
];
const ACTIONS = { label: "" };

function ScanTable({ scans }: { scans: Scan[] }) {
  const canWrite = useHasScope("shield:write");
  return (
    <Table caption="Scans" columns={canWrite ? [...COLUMNS, ACTIONS] : COLUMNS}>
      {scans.map((scan) => (
        <ScanRow key={scan.id} scan={scan} canWrite={canWrite} />
      ))}
    </Table>
  );
}

function ScanRow({ scan, canWrite }: { scan: Scan; canWrite: boolean }) {
  const { bucket, prefix, status, progress, findings, failure } = scan;
  return (
    <Row>
      <RowHeading className="min-w-40 max-w-80 wrap-anywhere">
        {bucket}
        {prefix && <span className="block font-mono font-normal text-muted-foreground text-xs">{prefix}</span>}
      </RowHeading>
      <Cell>
        <Badge tone={STATUS_TONES[status]}>{status}</Badge>
        {failure && <span className="block text-destructive text-xs">{failure}</span>}
      </Cell>
      <Cell className="min-w-44">
        {progressText(progress)}
        {isUnderWay(scan) && progress.bytes_total !== null && (
          <ProgressBar
            aria-label={`Progress of the scan of ${bucket}`}
            value={progress.bytes}
            max={Math.max(1, progress.bytes_total)}
            className="mt-1 block w-full"
          />
        )}
        {progress.unchanged > 0 && (
          <span className="block text-muted-foreground text-xs">{formatCount(progress.unchanged)} unchanged</span>
        )}
      </Cell>
      <Cell className="min-w-32">
        {findingsText(findings) || (isUnderWay(scan) ? "none yet" : "none")}
        <span className="block text-muted-foreground text-xs">
          {formatCount(findings.new)} new, {formatCount(findings.resolved)} resolved
        </span>
      </Cell>
      <Cell className="whitespace-nowrap text-muted-foreground">
        {formatDateTime(scan.started_at ?? scan.created_at)}
      </Cell>
      {canWrite && (
        <ActionsCell>
          <ScanMenu scan={scan} />
        </ActionsCell>
      )}
    </Row>
  );
}

function ScanMenu({ scan }: { scan: Scan }) {
  const trpc = useTRPC();
  const cancel = useMutation(trpc.cancelShieldScan.mutationOptions({ meta: { done: "Scan canceled." } }));
  if (!isUnderWay(scan)) return null;
  const question = {
    title: `Cancel the scan of ${scan.bucket}?`,
    consequence: "What it has found until now stays. The next scan continues with the objects that were not read.",
    action: "Cancel scan",
  };
  const onConfirm = () => cancel.mutateAsync({ scan_id: scan.id });
  return (
    <RowMenu name={`the scan of ${scan.bucket}`} actions={[{ label: "Cancel", icon: Ban, question, onConfirm }]} />
  );
}
