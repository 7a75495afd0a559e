import type { Metadata } from "next";
import { Explain } from "./explain";

export const metadata: Metadata = { title: "Explain" };

export default function ExplainPage() {
  return <Explain />;
}
