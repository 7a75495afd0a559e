import { cn } from "./cn";

export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cn("animate-pulse rounded-md bg-muted", className)} />
);

/** A placeholder for a list or table; announced once to screen readers. */
export const LoadingRows = ({ rows = 4, label = "Loading" }: { rows?: number; label?: string }) => (
  <div role="status" className="space-y-3">
    <span className="sr-only">{label}…</span>
    {Array.from({ length: rows }, (_, row) => row).map((row) => (
      <Skeleton key={row} className="h-12 w-full" />
    ))}
  </div>
);
