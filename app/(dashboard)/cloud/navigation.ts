import {
  Archive,
  Bot,
  CalendarClock,
  Container,
  Cpu,
  ListOrdered,
  LockKeyhole,
  MessagesSquare,
  RadioReceiver,
  ReceiptText,
  Webhook,
} from "lucide-react";
import type { NavigationSection } from "../components/shell/navigation-section";

export const cloudNavigation: NavigationSection = {
  label: "Cloud",
  entries: [
    { href: "/cloud/pods", label: "Pods", icon: Container },
    { href: "/cloud/gpu-pools", label: "GPU pools", icon: Cpu },
    { href: "/cloud/reservations", label: "Reservations", icon: CalendarClock },
    { href: "/cloud/webhooks", label: "Webhooks", icon: Webhook },
    { href: "/cloud/queues", label: "Queues", icon: ListOrdered },
    { href: "/cloud/storage", label: "Storage", icon: Archive },
    { href: "/cloud/secrets", label: "Secrets", icon: LockKeyhole },
    { href: "/cloud/chat", label: "Chat", icon: MessagesSquare },
    { href: "/cloud/agents", label: "Agents", icon: Bot },
    { href: "/cloud/events", label: "Events", icon: RadioReceiver },
    { href: "/cloud/usage", label: "Usage and invoices", icon: ReceiptText },
  ],
};
