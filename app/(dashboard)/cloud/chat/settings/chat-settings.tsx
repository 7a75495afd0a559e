"use client";

import { useState } from "react";
import { SelectField } from "../../../../components/form/fields";
import { QuerySection } from "../../../../components/query-content";
import { Alert } from "../../../../components/ui/alert";
import { updateChatSettingsInput } from "../../../../generated/inputs/updateChatSettings";
import { useQueryOf } from "../../../../trpc/use-operation";
import { useProjects } from "../../../account/api-keys/use-projects";
import { SchemaForm } from "../../../components/schema-form";
import { useHasScope } from "../../../components/shell/access";
import { useMode } from "../../../components/shell/mode";
import type { ChatSettings as Settings } from "../wire";
import { Upstreams } from "./upstreams";

/** Settings and upstreams of one project and mode. */
export function ChatSettings() {
  const { mode } = useMode();
  const { projects } = useProjects();
  const [chosen, setChosen] = useState("");
  const project = chosen || projects[0]?.id;
  const query = useQueryOf(
    "getChatSettings",
    { mode, ...(project && { project }) },
    { enabled: project !== undefined },
  );
  return (
    <div className="space-y-6">
      {projects.length > 1 && (
        <SelectField
          name="project"
          label="Project"
          className="max-w-xs"
          value={project}
          onChoose={setChosen}
          choices={projects}
        />
      )}
      <QuerySection
        title={`Settings of ${mode} mode`}
        description="They apply from the next request on. Each project has settings for each mode."
        query={query}
      >
        {(settings) => (
          <SettingsForm key={`${settings.project_id} ${mode} ${settings.updated_at}`} settings={settings} />
        )}
      </QuerySection>
      {project && <Upstreams project={project} />}
    </div>
  );
}

function SettingsForm({ settings }: { settings: Settings }) {
  const canWrite = useHasScope("gateway:write");
  if (!canWrite) return <Alert>Your role can read chat settings but not change them.</Alert>;
  return (
    <SchemaForm
      input={updateChatSettingsInput}
      fields={{
        stores_bodies: {
          label: "Store what requests and answers say",
          hint: "Encrypted, for 30 days, up to 65,536 characters each. The log shows them.",
        },
        cache_seconds: {
          label: "Answer equal requests from the cache for",
          hint: "0: only requests with svc_cache use the cache. At most 30 days.",
          isHalf: true,
        },
      }}
      values={settings}
      fixed={{ project: settings.project_id, mode: settings.mode }}
      submit="Save settings"
      done="Settings saved."
    />
  );
}
