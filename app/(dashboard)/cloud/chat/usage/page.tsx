import type { Metadata } from "next";
import { ChatUsage } from "./chat-usage";

export const metadata: Metadata = { title: "Chat usage" };

export default function Page() {
  return <ChatUsage />;
}
