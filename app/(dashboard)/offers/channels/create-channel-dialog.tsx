"use client";

import { Dialog } from "../../../components/ui/dialog";
import { createChannelInput } from "../../../generated/inputs/createChannel";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";
import { useMode } from "../../components/shell/mode";

export function CreateChannelDialog(state: DialogState) {
  const { mode } = useMode();
  return (
    <Dialog title="Create channel" description="Everything but the mode can be changed later." {...state}>
      <SchemaForm
        input={createChannelInput}
        fields={{
          name: { placeholder: "Travel magazine" },
          origins: {
            rows: 2,
            placeholder: "https://www.example.com",
            hint: "Where the script tag may run, one per line, without a path. Not needed for server keys.",
          },
          categories: {
            rows: 2,
            placeholder: "Travel\nElectronics > Audio",
            hint: "What the channel is about, one per line. Campaigns that name categories serve only where one matches; empty means all.",
          },
        }}
        submit={`Create ${mode} channel`}
        done="Channel created. Next: create a key."
        page={({ id }) => `/offers/channels/${id}`}
        onCancel={() => state.onOpenChange(false)}
      />
    </Dialog>
  );
}
