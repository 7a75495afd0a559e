"use client";

import {
  BookOpen,
  Building2,
  ChartColumn,
  FolderKanban,
  Gauge,
  Inbox,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Megaphone,
  RadioTower,
  Scale,
  ScrollText,
  Settings,
  ShoppingCart,
} from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "../ui/cn";

interface Place {
  href: string;
  label: string;
  icon: LucideIcon;
}

const GROUPS: { label: string; places: Place[] }[] = [
  { label: "", places: [{ href: "/dashboard", label: "Overview", icon: LayoutDashboard }] },
  { label: "Publish", places: [{ href: "/channels", label: "Channels", icon: RadioTower }] },
  {
    label: "Advertise",
    places: [
      { href: "/advertisers", label: "Advertisers", icon: Building2 },
      { href: "/campaigns", label: "Campaigns", icon: Megaphone },
    ],
  },
  {
    label: "Measure",
    places: [
      { href: "/reports", label: "Reports", icon: ChartColumn },
      { href: "/conversions", label: "Conversions", icon: ShoppingCart },
      { href: "/explain", label: "Explain", icon: Scale },
    ],
  },
  {
    label: "Platform",
    places: [
      { href: "/api-keys", label: "API keys", icon: KeyRound },
      { href: "/projects", label: "Projects", icon: FolderKanban },
      { href: "/usage", label: "Usage", icon: Gauge },
      { href: "/audit-log", label: "Audit log", icon: ScrollText },
    ],
  },
  {
    label: "Account",
    places: [
      { href: "/settings", label: "Settings", icon: Settings },
      { href: "/docs", label: "Documentation", icon: BookOpen },
    ],
  },
];

const OUTBOX: Place = { href: "/outbox", label: "Outbox", icon: Inbox };

interface NavigationProps {
  outbox: boolean;
  /** Called when a place was chosen: the small-screen menu closes. */
  onNavigate?: () => void;
}

export function Navigation({ outbox, onNavigate }: NavigationProps) {
  const pathname = usePathname();
  return (
    <nav aria-label="Dashboard" className="space-y-4">
      {GROUPS.map(({ label, places }) => (
        <div key={label}>
          {label && <p className="px-2.5 pb-1 font-medium text-muted-foreground text-xs">{label}</p>}
          <ul className="space-y-0.5">
            {[...places, ...(outbox && label === "Account" ? [OUTBOX] : [])].map((place) => (
              <NavigationLink
                key={place.href}
                {...place}
                current={isWithin(pathname, place.href)}
                onClick={onNavigate}
              />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface NavigationLinkProps extends Place {
  current: boolean;
  onClick: (() => void) | undefined;
}

const NavigationLink = ({ href, label, icon: Icon, current, onClick }: NavigationLinkProps) => (
  <li>
    <Link
      href={href}
      {...(onClick ? { onClick } : {})}
      aria-current={current ? "page" : undefined}
      className={cn(
        "flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm transition-colors hover:bg-accent",
        current ? "bg-accent font-medium text-accent-foreground" : "text-foreground/85",
      )}
    >
      <Icon aria-hidden className={cn("size-4", current ? "text-primary" : "text-muted-foreground")} />
      {label}
    </Link>
  </li>
);

const isWithin = (pathname: string, href: string): boolean => pathname === href || pathname.startsWith(`${href}/`);
