import type { ReactNode } from "react";
import { ChatFrame } from "./chat-frame";

export default function ChatLayout({ children }: { children: ReactNode }) {
  return <ChatFrame>{children}</ChatFrame>;
}
