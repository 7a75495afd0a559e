import type { Metadata } from "next";
import { ChatSettings } from "./chat-settings";

export const metadata: Metadata = { title: "Chat settings" };

export default function Page() {
  return <ChatSettings />;
}
