"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { cn } from "../../../components/ui/cn";
import { Link } from "../../../components/ui/link";
import { PageHeader } from "../../components/page-header";
import { RequireScope } from "../../components/shell/access";

const PAGES = [
  { href: "/cloud/chat", label: "Playground" },
  { href: "/cloud/chat/requests", label: "Requests" },
  { href: "/cloud/chat/usage", label: "Usage" },
  { href: "/cloud/chat/budgets", label: "Budgets" },
  { href: "/cloud/chat/settings", label: "Settings" },
];

/** The heading and the sub-pages of chat. */
export const ChatFrame = ({ children }: { children: ReactNode }) => (
  <RequireScope scope="gateway:read" title="Chat" what="chat requests">
    <PageHeader
      title="Chat"
      description="Language models of several upstreams behind one API, with budgets and a log of every request."
    />
    <div className="space-y-6">
      <ChatPages />
      {children}
    </div>
  </RequireScope>
);

function ChatPages() {
  const pathname = usePathname();
  return (
    <nav aria-label="Pages of chat" className="flex flex-wrap border-b sm:gap-1">
      {PAGES.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          aria-current={pathname === href ? "page" : undefined}
          className={cn(
            "-mb-px border-transparent border-b-2 px-1.5 py-2 font-medium text-muted-foreground text-sm transition-colors hover:text-foreground sm:px-3",
            pathname === href && "border-primary text-foreground",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
