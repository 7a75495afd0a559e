import type { Metadata } from "next";
import { Playground } from "./playground";

export const metadata: Metadata = { title: "Chat playground" };

export default function ChatPage() {
  return <Playground />;
}
