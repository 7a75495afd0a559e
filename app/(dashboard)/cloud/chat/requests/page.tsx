import type { Metadata } from "next";
import { ChatRequests } from "./chat-requests";

export const metadata: Metadata = { title: "Chat requests" };

export default function Page() {
  return <ChatRequests />;
}
