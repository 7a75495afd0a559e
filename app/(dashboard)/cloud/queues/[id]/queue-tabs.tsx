import { PageTabs } from "../../../components/page-tabs";
import type { Queue } from "../queue";
import { FirstCalls } from "./first-calls";
import { Messages } from "./messages";
import { QueueFigures } from "./queue-figures";
import { QueueHistory } from "./queue-history";
import { QueueSettings } from "./queue-settings";
import { Redrive } from "./redrive";

interface QueueTabsProps {
  queue: Queue;
  publicUrl: string;
}

/** The parts of a queue's page. */
export const QueueTabs = ({ queue, publicUrl }: QueueTabsProps) => (
  <PageTabs
    label="Parts of the queue"
    tabs={[
      { value: "overview", label: "Overview", content: <Overview queue={queue} publicUrl={publicUrl} /> },
      { value: "messages", label: "Messages", content: <Messages queue={queue} />, keeps: true },
      { value: "settings", label: "Settings", content: <QueueSettings queue={queue} />, keeps: true },
    ]}
  />
);

const Overview = ({ queue, publicUrl }: QueueTabsProps) => (
  <div className="space-y-6">
    <QueueFigures queue={queue} />
    <Redrive queue={queue} />
    <QueueHistory queue={queue} />
    <FirstCalls queue={queue} publicUrl={publicUrl} />
  </div>
);
