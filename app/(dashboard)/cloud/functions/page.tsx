import type { Metadata } from "next";
import { FunctionList } from "./function-list";

export const metadata: Metadata = { title: "Functions" };

export default function FunctionsPage() {
  return <FunctionList />;
}
