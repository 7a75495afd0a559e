"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { Button } from "../../../components/ui/button";
import { useTRPC } from "../../../trpc/client";
import { failureOf } from "../../../trpc/failure";

interface DownloadCsvProps {
  /** What the page shows, as the report is asked for. */
  asked: { mode: "test" | "live"; from: string; to: string; timezone: string; group_by: string };
  fileName: string;
}

/** Saves the rows on the page as a file; money stays in micros, as the API has it. */
export function DownloadCsv({ asked, fileName }: DownloadCsvProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [pending, setPending] = useState(false);
  const download = async () => {
    setPending(true);
    try {
      save(await queries.fetchQuery(trpc.reports.csv.queryOptions(asked, { staleTime: 0 })), fileName);
    } catch (cause) {
      toast.error(failureOf(cause).message);
    } finally {
      setPending(false);
    }
  };
  return (
    <Button variant="outline" pending={pending} onClick={() => void download()}>
      <Download aria-hidden />
      Download CSV
    </Button>
  );
}

function save(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
