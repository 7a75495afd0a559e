import { useHasScope } from "../../../components/shell/access";
import type { Queue } from "../queue";
import { Peek } from "./peek";
import { SendMessage } from "./send-message";

/** What is in the queue, and a form that adds to it. */
export const Messages = ({ queue }: { queue: Queue }) => (
  <div className="space-y-6">
    {useHasScope("queues:write") && <SendMessage queue={queue} />}
    <Peek queue={queue} />
  </div>
);
