import type { Metadata } from "next";
import { ChatBudgets } from "./chat-budgets";

export const metadata: Metadata = { title: "Chat budgets" };

export default function Page() {
  return <ChatBudgets />;
}
