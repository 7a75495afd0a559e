import type { ComponentProps, ReactNode } from "react";
import { useId } from "react";
import { cn } from "./cn";

export const Card = ({ className, ...props }: ComponentProps<"div">) => (
  <div className={cn("rounded-xl border bg-card shadow-xs", className)} {...props} />
);

interface SectionProps {
  /** What a link within the page leads to. */
  id?: string;
  title: string;
  description?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A card with a heading that names its region. */
export function Section({ id: anchor, title, description, actions, children, className }: SectionProps) {
  const id = useId();
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className={cn("scroll-mt-20 rounded-xl border bg-card shadow-xs md:scroll-mt-6", className)}
    >
      <div className="flex flex-wrap items-start justify-between gap-3 px-4 pt-4 sm:px-6 sm:pt-5">
        <div className="min-w-0 space-y-1">
          <h2 id={id} className="font-semibold text-base">
            {title}
          </h2>
          {description && <p className="max-w-prose text-muted-foreground text-sm">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      <div data-card className="p-4 sm:px-6 sm:pb-6">
        {children}
      </div>
    </section>
  );
}
