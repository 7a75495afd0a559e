"use client";

import { Button } from "./components/ui/button";

export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="max-w-md space-y-4 text-center" role="alert">
        <h1 className="font-semibold text-2xl">This page broke</h1>
        <p className="text-muted-foreground">
          Something went wrong on our side.{error.digest && ` Quote ${error.digest} when you report it.`}
        </p>
        <Button onClick={reset}>Show the page again</Button>
      </div>
    </main>
  );
}
