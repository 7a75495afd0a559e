"use client";

import { Alert } from "../components/ui/alert";
import { Button } from "../components/ui/button";

/** Replaces a page that failed to render; the navigation stays usable. */
export default function DashboardError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div className="max-w-xl space-y-4">
      <h1 className="font-semibold text-2xl">Something went wrong</h1>
      <Alert tone="bad">
        This page could not be displayed. Your data is not affected.
        {error.digest && <span className="mt-1 block font-mono text-xs">Error: {error.digest}</span>}
      </Alert>
      <Button onClick={reset}>Reload page</Button>
    </div>
  );
}
