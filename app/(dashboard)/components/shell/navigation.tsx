import { usePathname } from "next/navigation";
import { cn } from "../../../components/ui/cn";
import { Link } from "../../../components/ui/link";
import { SECTIONS } from "../../navigation";
import { currentHref, type Feature, type NavigationEntry } from "./navigation-section";

interface NavigationProps {
  features: readonly Feature[];
  /** Called when an entry is chosen: the menu on small screens closes. */
  onNavigate?: () => void;
}

export function Navigation({ features, onNavigate }: NavigationProps) {
  const current = currentHref(SECTIONS, usePathname());
  return (
    <nav aria-label="Dashboard" className="space-y-4">
      {SECTIONS.map(({ label, entries }) => (
        <div key={label}>
          <p className="px-2.5 pb-1 font-medium text-muted-foreground text-xs">{label}</p>
          <ul className="space-y-0.5">
            {entries
              .filter(({ feature }) => !feature || features.includes(feature))
              .map((entry) => (
                <NavigationLink key={entry.href} {...entry} isCurrent={entry.href === current} onClick={onNavigate} />
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface NavigationLinkProps extends NavigationEntry {
  isCurrent: boolean;
  onClick: (() => void) | undefined;
}

const NavigationLink = ({ href, label, icon: Icon, isCurrent, onClick }: NavigationLinkProps) => (
  <li>
    <Link
      href={href}
      {...(onClick ? { onClick } : {})}
      aria-current={isCurrent ? "page" : undefined}
      className={cn(
        "flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm transition-colors hover:bg-accent",
        isCurrent ? "bg-accent font-medium text-accent-foreground" : "text-foreground/85",
      )}
    >
      <Icon aria-hidden className={cn("size-4", isCurrent ? "text-primary" : "text-muted-foreground")} />
      {label}
    </Link>
  </li>
);
