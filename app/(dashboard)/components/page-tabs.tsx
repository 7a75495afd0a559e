import type { ComponentProps } from "react";
import { Tabs } from "./tabs";
import { useUrlParams } from "./use-url-params";

type PageTabsProps = Pick<ComponentProps<typeof Tabs>, "label" | "tabs">;

/** The parts of a page; `?tab=` names the open one, unless it is the first, and each change is a step in the browser's history. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const { params, change } = useUrlParams();
  const first = tabs[0]?.value ?? "";
  const asked = params.get("tab");
  return (
    <Tabs
      label={label}
      value={tabs.find(({ value }) => value === asked)?.value ?? first}
      onChange={(value) => change({ tab: value === first ? "" : value }, "push")}
      tabs={tabs}
    />
  );
}
