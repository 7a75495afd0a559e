import { Link } from "./ui/link";

/** The mark and the name, leading to the landing page. */
export const Brand = ({ href = "/" }: { href?: string }) => (
  <Link href={href} className="inline-flex items-center gap-2.5 rounded-md font-semibold text-lg tracking-tight">
    <svg viewBox="0 0 32 32" aria-hidden="true" className="size-7">
      <rect width="32" height="32" rx="8" className="fill-primary" />
      <g className="fill-primary-foreground">
        <rect x="11" y="7.5" width="14" height="4.6" rx="2.3" />
        <rect x="7" y="13.7" width="18" height="4.6" rx="2.3" opacity=".72" />
        <rect x="7" y="19.9" width="14" height="4.6" rx="2.3" />
      </g>
    </svg>
    svc
  </Link>
);
