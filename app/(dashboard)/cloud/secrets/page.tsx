import type { Metadata } from "next";
import { SecretList } from "./secret-list";

export const metadata: Metadata = { title: "Secrets" };

export default function SecretsPage() {
  return <SecretList />;
}
