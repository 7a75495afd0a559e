"use client";

import { useState } from "react";
import { CheckboxField, SelectField, TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { numberIn } from "../../../../components/form/read-fields";
import { QuerySection } from "../../../../components/query-content";
import { Alert } from "../../../../components/ui/alert";
import { useMutationOf, useQueryOf } from "../../../../trpc/use-operation";
import { useProjects } from "../../../account/api-keys/use-projects";
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

function SettingsForm({ settings: { project_id, mode, stores_bodies, cache_seconds } }: { settings: Settings }) {
  const canWrite = useHasScope("gateway:write");
  const update = useMutationOf("updateChatSettings", { meta: { inline: true, done: "Settings saved." } });
  if (!canWrite) return <Alert>Your role can read chat settings but not change them.</Alert>;
  const submit = (fields: FormData) =>
    update.mutate({
      project: project_id,
      mode,
      stores_bodies: fields.has("stores_bodies"),
      cache_seconds: numberIn(fields, "cache_seconds"),
    });
  return (
    <Form sends={update} saving={update.status} onSubmit={submit} label="Save settings">
      <CheckboxField
        name="stores_bodies"
        label="Store what requests and answers say"
        defaultChecked={stores_bodies}
        hint="Encrypted, for 30 days, up to 65,536 characters each. The log shows them."
      />
      <TextField
        name="cache_seconds"
        label="Answer equal requests from the cache for, in seconds"
        type="number"
        min={0}
        max={2_592_000}
        className="max-w-sm"
        defaultValue={cache_seconds}
        hint="0: only requests with svc_cache use the cache. At most 30 days."
      />
    </Form>
  );
}
