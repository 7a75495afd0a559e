import type { Metadata } from "next";
import { ApiKeyList } from "./api-key-list";

export const metadata: Metadata = { title: "API keys" };

export default function ApiKeysPage() {
  return <ApiKeyList />;
}
