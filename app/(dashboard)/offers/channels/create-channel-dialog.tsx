"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { TextAreaField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { linesIn, textIn } from "../../../components/form/read-fields";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";

interface CreateChannelDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export const CreateChannelDialog = ({ open, onOpenChange }: CreateChannelDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Create channel"
    description="Everything but the mode can be changed later."
  >
    <CreateChannelForm onCancel={() => onOpenChange(false)} />
  </Dialog>
);

function CreateChannelForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const create = useMutation(
    trpc.createChannel.mutationOptions({
      meta: { inline: true, done: "Channel created. Next: create a key." },
      onSuccess: ({ id }) => router.push(`/offers/channels/${id}`),
    }),
  );
  return (
    <Form
      error={create.error}
      onSubmit={(fields) =>
        create.mutate({
          mode,
          name: textIn(fields, "name"),
          origins: linesIn(fields, "origins"),
          categories: linesIn(fields, "categories"),
        })
      }
    >
      <TextField name="name" label="Name" placeholder="Travel magazine" maxLength={200} autoComplete="off" />
      <TextAreaField
        name="origins"
        label="Origins"
        optional
        rows={2}
        placeholder="https://www.example.com"
        hint="Where the script tag may run, one per line, without a path. Not needed for server keys."
      />
      <TextAreaField
        name="categories"
        label="Categories"
        optional
        rows={2}
        placeholder={"Travel\nElectronics > Audio"}
        hint="What the channel is about, one per line. Campaigns that name categories serve only where one matches; empty means all."
      />
      <FormButtons
        label={`Create ${mode} channel`}
        pending={create.isPending || create.isSuccess}
        onCancel={onCancel}
      />
    </Form>
  );
}
