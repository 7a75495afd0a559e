import type { Metadata } from "next";
import { surfaces } from "../../../../server/surfaces";
import { Conversions } from "./conversions";

export const metadata: Metadata = { title: "Conversions" };

export default function ConversionsPage() {
  return <Conversions publicUrl={surfaces().publicUrl} />;
}
