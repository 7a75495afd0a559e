"use client";

import { Download } from "lucide-react";
import { Button } from "../../../components/ui/button";

interface DownloadCsvProps {
  /** The content of the file, made when it is asked for; undefined while there is none. */
  textOf: (() => string) | undefined;
  fileName: string;
}

/** Saves what the page shows as a file. */
export const DownloadCsv = ({ textOf, fileName }: DownloadCsvProps) => (
  <Button variant="outline" disabled={!textOf} onClick={() => textOf && save(textOf(), fileName)}>
    <Download aria-hidden />
    Download CSV
  </Button>
);

function save(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
