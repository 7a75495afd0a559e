import { Download } from "lucide-react";
import { saveCsv } from "../../../components/save-csv";
import { Button } from "../../../components/ui/button";

interface DownloadCsvProps {
  /** The content of the file, made when it is asked for; undefined while there is none. */
  textOf: (() => string) | undefined;
  fileName: string;
}

/** Saves what the page shows as a file. */
export const DownloadCsv = ({ textOf, fileName }: DownloadCsvProps) => (
  <Button variant="outline" disabled={!textOf} onClick={() => textOf && saveCsv(textOf(), fileName)} icon={Download}>
    Download CSV
  </Button>
);
