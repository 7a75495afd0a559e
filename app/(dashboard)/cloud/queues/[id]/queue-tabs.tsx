"use client";

import { Tabs } from "../../../components/tabs";
import { useUrlParams } from "../../../components/use-url-params";
import type { Queue } from "../queue";
import { FirstCalls } from "./first-calls";
import { Messages } from "./messages";
import { QueueFigures } from "./queue-figures";
import { QueueHistory } from "./queue-history";
import { QueueSettings } from "./queue-settings";
import { Redrive } from "./redrive";

const OVERVIEW = "overview";

interface QueueTabsProps {
  queue: Queue;
  publicUrl: string;
}

/** The parts of a queue's page; `?tab=` names the open one, and each change is a step in the browser's history. */
export function QueueTabs({ queue, publicUrl }: QueueTabsProps) {
  const { params, change } = useUrlParams();
  const tabs = [
    { value: OVERVIEW, label: "Overview", content: <Overview queue={queue} publicUrl={publicUrl} /> },
    { value: "messages", label: "Messages", content: <Messages queue={queue} />, keeps: true },
    { value: "settings", label: "Settings", content: <QueueSettings queue={queue} />, keeps: true },
  ];
  const asked = params.get("tab");
  return (
    <Tabs
      label="Parts of the queue"
      value={tabs.find(({ value }) => value === asked)?.value ?? OVERVIEW}
      onChange={(value) => change({ tab: value === OVERVIEW ? "" : value }, "push")}
      tabs={tabs}
    />
  );
}

const Overview = ({ queue, publicUrl }: QueueTabsProps) => (
  <div className="space-y-6">
    <QueueFigures queue={queue} />
    <Redrive queue={queue} />
    <QueueHistory queue={queue} />
    <FirstCalls queue={queue} publicUrl={publicUrl} />
  </div>
);
