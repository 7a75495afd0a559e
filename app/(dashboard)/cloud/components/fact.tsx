import type { ReactNode } from "react";
import { cn } from "../../../components/ui/cn";

interface FactProps {
  name: string;
  children: ReactNode;
  className?: string;
}

/** A term and its value in a `<dl>`. */
export const Fact = ({ name, children, className }: FactProps) => (
  <div className={cn("min-w-0", className)}>
    <dt className="text-muted-foreground text-xs">{name}</dt>
    <dd className="mt-0.5 break-words text-sm">{children}</dd>
  </div>
);
