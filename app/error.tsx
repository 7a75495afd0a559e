"use client";

import { Button } from "./components/ui/button";

export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="max-w-md space-y-4 text-center" role="alert">
        <h1 className="font-semibold text-2xl">Something went wrong</h1>
        <p className="text-muted-foreground">
          This page could not be displayed.
          {error.digest && ` Include the error code ${error.digest} when you report it.`}
        </p>
        <Button onClick={reset}>Reload page</Button>
      </div>
    </main>
  );
}
