import {
  Building2,
  ChartColumn,
  LayoutDashboard,
  Megaphone,
  RadioTower,
  Scale,
  ShoppingCart,
  Wallet,
} from "lucide-react";
import type { NavigationSection } from "../components/shell/navigation-section";

export const offersNavigation: NavigationSection = {
  label: "Offers",
  entries: [
    { href: "/offers", label: "Overview", icon: LayoutDashboard },
    { href: "/offers/channels", label: "Channels", icon: RadioTower },
    { href: "/offers/advertisers", label: "Advertisers", icon: Building2 },
    { href: "/offers/campaigns", label: "Campaigns", icon: Megaphone },
    { href: "/offers/reports", label: "Reports", icon: ChartColumn },
    { href: "/offers/balance", label: "Balance", icon: Wallet },
    { href: "/offers/conversions", label: "Conversions", icon: ShoppingCart },
    { href: "/offers/explain", label: "Explain", icon: Scale },
  ],
};
