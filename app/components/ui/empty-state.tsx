import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** What will appear here, and how to create it. */
  children: ReactNode;
  action?: ReactNode;
}

export const EmptyState = ({ icon: Icon, title, children, action }: EmptyStateProps) => (
  <div className="flex flex-col items-center gap-3 rounded-xl border border-dashed bg-card px-6 py-12 text-center">
    <span className="rounded-full bg-accent p-3 text-accent-foreground">
      <Icon aria-hidden className="size-5" />
    </span>
    <h2 className="font-semibold">{title}</h2>
    <p className="max-w-md text-muted-foreground text-sm">{children}</p>
    {action}
  </div>
);
