import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../../components/ui/badge";
import { ProgressBar } from "../../../components/ui/progress-bar";
import { RowMenu } from "../../../components/ui/row-menu";
import { formatCount } from "../../../format/numbers";
import { useMutationOf } from "../../../trpc/use-operation";
import { Below, type Columns, timeColumn } from "../../components/data-table";
import { PagedList } from "../../components/paged-list";
import { pagesEvery } from "../../components/pages";
import { cancelAction } from "../../components/row-actions";
import { findingsText, isUnderWay, progressText, type Scan, STATUS_TONES } from "./shield";

const REFRESH_MS = 2000;
const PAGE_ROWS = 10;

const COLUMNS: Columns<Scan> = [
  {
    label: "Bucket",
    className: "min-w-40 max-w-80 wrap-anywhere",
    cell: ({ bucket, prefix }) => (
      <>
        {bucket}
        <Below className="font-mono">{prefix}</Below>
      </>
    ),
  },
  {
    label: "Status",
    cell: ({ status, failure }) => (
      <>
        <Badge tone={STATUS_TONES[status]}>{status}</Badge>
        <Below className="text-destructive">{failure}</Below>
      </>
    ),
  },
  { label: "Progress", className: "min-w-44", cell: (scan) => <Progress scan={scan} /> },
  {
    label: "Findings",
    title: "Open findings of the scan",
    className: "min-w-32",
    cell: (scan) => (
      <>
        {findingsText(scan.findings) || (isUnderWay(scan) ? "none yet" : "none")}
        <Below>{`${formatCount(scan.findings.new)} new, ${formatCount(scan.findings.resolved)} resolved`}</Below>
      </>
    ),
  },
  timeColumn("Started", ({ started_at, created_at }) => started_at ?? created_at),
];

/** The scans of the mode, newest first. */
export const ScanList = ({ start }: { start: ReactNode }) => (
  <PagedList
    noun="scan"
    icon={ShieldCheck}
    about="A scan reads the objects of a bucket and shows where keys, passwords, card numbers and other personal data are, without showing the values."
    docs="/docs/shield"
    scopes="shield"
    create={start}
    pages={({ trpc, mode }) =>
      trpc.listShieldScans.infiniteQueryOptions({ mode, limit: PAGE_ROWS }, pagesEvery(REFRESH_MS))
    }
    columns={COLUMNS}
    menu={(scan) => <ScanMenu scan={scan} />}
  />
);

const Progress = ({ scan }: { scan: Scan }) => {
  const { bucket, progress } = scan;
  return (
    <>
      {progressText(progress)}
      {isUnderWay(scan) && progress.bytes_total !== null && (
        <ProgressBar
          aria-label={`Progress of the scan of ${bucket}`}
          value={progress.bytes}
          max={Math.max(1, progress.bytes_total)}
          className="mt-1 block w-full"
        />
      )}
      <Below>{progress.unchanged > 0 && `${formatCount(progress.unchanged)} unchanged`}</Below>
    </>
  );
};

function ScanMenu({ scan }: { scan: Scan }) {
  const cancel = useMutationOf("cancelShieldScan", { meta: { done: "Scan canceled." } });
  if (!isUnderWay(scan)) return null;
  const name = `the scan of ${scan.bucket}`;
  const canceling = cancelAction({
    noun: "scan",
    name,
    consequence: "What it has found until now stays. The next scan continues with the objects that were not read.",
    onConfirm: () => cancel.mutateAsync({ scan_id: scan.id }),
  });
  return <RowMenu name={name} actions={[canceling]} />;
}
