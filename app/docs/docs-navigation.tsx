import { usePathname } from "next/navigation";
import { cn } from "../components/ui/cn";
import { Link } from "../components/ui/link";
import { DOCS_SECTIONS } from "./docs-sections";

/** A column beside the text; on small screens a collapsed list above it. */
export function DocsNavigation() {
  const pathname = usePathname();
  return (
    <>
      <details key={pathname} className="rounded-lg border bg-card md:hidden">
        <summary className="cursor-pointer px-3.5 py-2.5 font-medium text-sm">All pages</summary>
        <div className="border-t p-3">
          <PageLinks label="Documentation, small" pathname={pathname} />
        </div>
      </details>
      <div className="sticky top-20 hidden max-h-[calc(100dvh-6rem)] overflow-y-auto md:block">
        <PageLinks label="Documentation" pathname={pathname} />
      </div>
    </>
  );
}

const PageLinks = ({ label, pathname }: { label: string; pathname: string }) => (
  <nav aria-label={label} className="space-y-4">
    {DOCS_SECTIONS.map((group) => (
      <div key={group.label}>
        <p className="px-2.5 pb-1 font-medium text-muted-foreground text-xs">{group.label}</p>
        <ul className="space-y-0.5">
          {group.places.map((place) => (
            <li key={place.href}>
              <Link
                href={place.href}
                aria-current={pathname === place.href ? "page" : undefined}
                className={cn(
                  "block rounded-md px-2.5 py-1.5 text-sm transition-colors hover:bg-accent",
                  pathname === place.href ? "bg-accent font-medium text-accent-foreground" : "text-foreground/85",
                )}
              >
                {place.label}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
);
