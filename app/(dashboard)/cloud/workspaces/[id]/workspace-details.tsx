import { Section } from "../../../../components/ui/card";
import { formatDateTime } from "../../../../format/dates";
import { formatAge } from "../../../../format/durations";
import { formatCount } from "../../../../format/numbers";
import { Fact, Facts } from "../../../components/facts";
import { ImageName } from "../../pods/image-name";
import { costText } from "../../pods/pod";
import { editorText, type Workspace } from "../workspace";

/** What was asked for, what it cost, and what isolates it. */
export const WorkspaceDetails = ({ workspace }: { workspace: Workspace }) => (
  <Section title="Configuration">
    <Facts className="lg:grid-cols-4">
      <Fact name="Image" className="sm:col-span-2">
        <ImageName image={workspace.image} />
      </Fact>
      <Fact name="Editor">{editorText(workspace)}</Fact>
      <Fact name="Disk at /workspace">{formatCount(workspace.volume.size_gb)} GiB</Fact>
      <Fact name="CPU cores, at most">{formatCount(workspace.cpu)}</Fact>
      <Fact name="Memory">{formatCount(workspace.memory_mb)} MiB</Fact>
      <Fact name="Stopped after">
        {workspace.idle_timeout_seconds === 0 ? "never" : `${formatAge(workspace.idle_timeout_seconds)} without use`}
      </Fact>
      <Fact name="Last used">{formatDateTime(workspace.last_used_at)}</Fact>
      <Fact name="Metered">{formatAge(workspace.metered_seconds)}</Fact>
      <Fact name="Cost">{costText(workspace)}</Fact>
      <Fact name="Separated by" className="sm:col-span-2">
        {workspace.runtime?.isolation ?? "It has not run yet."}
      </Fact>
    </Facts>
  </Section>
);
