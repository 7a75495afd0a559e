import type { Metadata } from "next";
import { ShieldPage } from "./shield-page";

export const metadata: Metadata = { title: "Shield" };

export default function Page() {
  return <ShieldPage />;
}
