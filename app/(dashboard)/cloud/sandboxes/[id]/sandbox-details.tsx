import { Section } from "../../../../components/ui/card";
import { formatDateTime } from "../../../../format/dates";
import { formatAge } from "../../../../format/durations";
import { formatCount } from "../../../../format/numbers";
import { Fact, Facts } from "../../../components/facts";
import { ImageName } from "../../pods/image-name";
import { costText } from "../../pods/pod";
import type { Sandbox } from "../sandbox";

/** What was asked for, what it cost, and what isolates it. */
export const SandboxDetails = ({ sandbox }: { sandbox: Sandbox }) => (
  <div className="grid items-start gap-6 lg:grid-cols-2">
    <Section title="Configuration">
      <Facts>
        <Fact name="Image" className="sm:col-span-2">
          <ImageName image={sandbox.image} />
        </Fact>
        <Fact name="Command" className="sm:col-span-2">
          <span className="break-all font-mono text-xs">{sandbox.command?.join(" ") ?? "none"}</span>
        </Fact>
        <Fact name="CPU cores, at most">{formatCount(sandbox.cpu)}</Fact>
        <Fact name="Memory">{formatCount(sandbox.memory_mb)} MiB</Fact>
        <Fact name="Ends after">{formatAge(sandbox.timeout_seconds)}</Fact>
        <Fact name="Variables">{Object.keys(sandbox.env).join(", ") || "none"}</Fact>
      </Facts>
    </Section>
    <Section title="Run">
      <Facts>
        <Fact name="Started">{timeText(sandbox.started_at)}</Fact>
        <Fact name="Ended">{timeText(sandbox.ended_at)}</Fact>
        <Fact name="Metered">{formatAge(sandbox.metered_seconds)}</Fact>
        <Fact name="Cost">{costText(sandbox)}</Fact>
        <Fact name="Separated by" className="sm:col-span-2">
          {sandbox.runtime?.isolation ?? "It has not run yet."}
        </Fact>
      </Facts>
    </Section>
  </div>
);

const timeText = (at: string | null): string => (at === null ? "–" : formatDateTime(at));
