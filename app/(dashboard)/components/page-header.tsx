import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "../../components/ui/link";

interface PageHeaderProps {
  /** A picture beside the title. */
  mark?: ReactNode;
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** The parent list. */
  back?: { href: string; label: string };
}

export const PageHeader = ({ mark, title, description, actions, back }: PageHeaderProps) => (
  <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
    <div className="min-w-0 space-y-1">
      {back && (
        <Link
          href={back.href}
          className="inline-flex items-center gap-1 text-muted-foreground text-sm hover:text-foreground"
        >
          <ChevronLeft aria-hidden className="size-4" />
          {back.label}
        </Link>
      )}
      <div className="flex items-center gap-3">
        {mark}
        <div className="min-w-0 space-y-1">
          <h1 className="break-words font-semibold text-2xl">{title}</h1>
          {description && <p className="max-w-prose text-muted-foreground text-sm">{description}</p>}
        </div>
      </div>
    </div>
    {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
  </header>
);
