import type { ReactNode } from "react";
import { cn } from "../../components/ui/cn";

interface FactProps {
  name: string;
  children: ReactNode;
  className?: string;
}

/** What is known of something: terms with their values below them, side by side. */
export const Facts = ({ children, className }: { children: ReactNode; className?: string }) => (
  <dl className={cn("grid gap-4 sm:grid-cols-2", className)}>{children}</dl>
);

/** A term and its value in `Facts`. */
export const Fact = ({ name, children, className }: FactProps) => (
  <div className={cn("min-w-0", className)}>
    <dt className="text-muted-foreground text-xs">{name}</dt>
    <dd className="mt-0.5 break-words text-sm">{children}</dd>
  </div>
);

/** What is known of something: a term and its value on each line. */
export const FactLines = ({ children }: { children: ReactNode }) => (
  <dl className="space-y-2 text-sm sm:space-y-1.5">{children}</dl>
);

/** A term and its value in `FactLines`. */
export const FactLine = ({ name, isCode = false, children }: Omit<FactProps, "className"> & { isCode?: boolean }) => (
  <div className="gap-x-4 sm:grid sm:grid-cols-[8rem_minmax(0,1fr)]">
    <dt className="text-muted-foreground">{name}</dt>
    <dd className={cn("wrap-anywhere min-w-0", isCode && "break-all font-mono text-xs leading-5")}>{children}</dd>
  </div>
);
