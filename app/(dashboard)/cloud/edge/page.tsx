import type { Metadata } from "next";
import { EdgeFunctionList } from "./edge-function-list";

export const metadata: Metadata = { title: "Edge functions" };

export default function EdgeFunctionsPage() {
  return <EdgeFunctionList />;
}
