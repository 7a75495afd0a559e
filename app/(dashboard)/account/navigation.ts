import { BookOpen, FolderKanban, Gauge, Inbox, KeyRound, ScrollText, Settings } from "lucide-react";
import type { NavigationSection } from "../components/shell/navigation-section";

export const accountNavigation: NavigationSection = {
  label: "Account",
  entries: [
    { href: "/account/api-keys", label: "API keys", icon: KeyRound },
    { href: "/account/projects", label: "Projects", icon: FolderKanban },
    { href: "/account/usage", label: "Usage", icon: Gauge },
    { href: "/account/audit-log", label: "Audit log", icon: ScrollText },
    { href: "/account/settings", label: "Settings", icon: Settings },
    { href: "/account/outbox", label: "Outbox", icon: Inbox, feature: "outbox" },
    { href: "/docs", label: "Documentation", icon: BookOpen },
  ],
};
