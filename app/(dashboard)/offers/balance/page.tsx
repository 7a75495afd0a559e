import type { Metadata } from "next";
import { Balance } from "./balance";

export const metadata: Metadata = { title: "Balance" };

export default function BalancePage() {
  return <Balance />;
}
