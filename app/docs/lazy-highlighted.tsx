import { lazy, Suspense } from "react";
import type { CodeLanguage } from "./highlighted";

const Highlighted = lazy(() => import("./highlighted").then((module) => ({ default: module.Highlighted })));

/** Code in colours once the grammars are loaded, which pages do not wait for; before that the plain text. */
export const LazyHighlighted = (props: { code: string; language: CodeLanguage }) => (
  <Suspense fallback={props.code}>
    <Highlighted {...props} />
  </Suspense>
);
