import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { saveCsv } from "../../../components/save-csv";
import { Button } from "../../../components/ui/button";
import { formatMonth } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { failureOf } from "../../../trpc/failure";
import type { Kind } from "./statement";
import { earningsCsv, spendCsv } from "./statement-csv";

interface DownloadStatementProps {
  kind: Kind;
  /** Such as "2026-11". */
  month: string;
}

/** Saves a month's statement, as the ledger has it now, as a CSV file. */
export function DownloadStatement({ kind, month }: DownloadStatementProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [isPending, setPending] = useState(false);
  const input = { mode: "live", month } as const;
  const fresh = { staleTime: 0 };
  const textOf = async (): Promise<string> =>
    kind === "earnings"
      ? earningsCsv(await client.fetchQuery(trpc.getEarningsStatement.queryOptions(input, fresh)))
      : spendCsv(await client.fetchQuery(trpc.getSpendStatement.queryOptions(input, fresh)));
  const save = async () => {
    setPending(true);
    try {
      saveCsv(await textOf(), `svc-${kind}-${month}.csv`);
    } catch (error) {
      toast.error(failureOf(error).message);
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      variant="outline"
      size="sm"
      pending={isPending}
      aria-label={`Download CSV: ${kind} of ${formatMonth(month)}`}
      onClick={() => void save()}
    >
      <Download aria-hidden />
      CSV
    </Button>
  );
}
