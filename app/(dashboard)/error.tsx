"use client";

import { Alert } from "../components/ui/alert";
import { Button } from "../components/ui/button";

/** What stands in place of a page that broke; the frame around it stays usable. */
export default function DashboardError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div className="max-w-xl space-y-4">
      <h1 className="font-semibold text-2xl">This page broke</h1>
      <Alert tone="bad">
        Something went wrong while showing this page. Your work on the server is not affected.
        {error.digest && <span className="mt-1 block font-mono text-xs">Error: {error.digest}</span>}
      </Alert>
      <Button onClick={reset}>Show the page again</Button>
    </div>
  );
}
