import { sendMessages } from "../../../server/cloud/data/queues/send-messages";
import { createApiKey } from "../../../server/identity/api-keys/create-api-key";
import { type Change, inProject, to } from "./change";

export const changes: readonly Change[] = [
  {
    operation: "createQueue",
    actions: ["queue.created"],
    events: ["queue.created"],
    prepare: (s) => inProject(s, { name: s.unique("queue") }),
  },
  {
    operation: "updateQueue",
    actions: ["queue.updated"],
    events: ["queue.updated"],
    prepare: async (s) => to(await s.queue(), { max_receives: 9 }, "q"),
  },
  {
    operation: "deleteQueue",
    actions: ["queue.deleted"],
    events: ["queue.deleted"],
    prepare: async (s) => to(await s.queue(), {}, "q"),
  },
  {
    operation: "purgeQueue",
    actions: ["queue.purged"],
    events: ["queue.purged"],
    prepare: async (s) => to(await s.queue(), {}, "q"),
  },
  {
    operation: "redriveMessages",
    actions: ["queue.redriven"],
    prepare: async (s) => {
      const [{ id: q }, { id: target }] = [await s.queue(), await s.queue()];
      await sendMessages.run(s.owner, sendMessages.input.parse({ q, body: "x" }));
      return { input: { q, target } };
    },
  },
  {
    operation: "createBucket",
    actions: ["bucket.created"],
    events: ["bucket.created"],
    prepare: (s) => inProject(s, { name: s.unique("bucket") }),
  },
  {
    operation: "updateBucket",
    actions: ["bucket.updated"],
    events: ["bucket.updated"],
    prepare: async (s) => to(await s.bucket(), { public_read: true }, "bucket"),
  },
  {
    operation: "deleteBucket",
    actions: ["bucket.deleted"],
    events: ["bucket.deleted"],
    prepare: async (s) => to(await s.bucket(), {}, "bucket"),
  },
  {
    operation: "createStorageCredentials",
    actions: ["storage_credentials.created"],
    prepare: async (s) => {
      const fields = { ...(await s.keyFields()), scopes: ["storage:read"] };
      return { input: { api_key_id: (await createApiKey.run(s.owner, createApiKey.input.parse(fields))).id } };
    },
  },
  {
    operation: "createSecret",
    actions: ["secret.created"],
    events: ["secret.created"],
    prepare: (s) => inProject(s, { name: s.unique("secret"), value: "v" }),
  },
  {
    operation: "putSecret",
    actions: ["secret.updated"],
    events: ["secret.updated"],
    prepare: async (s) => to(await s.secret(), { value: "v" }, "name"),
  },
  {
    operation: "revealSecret",
    actions: ["secret.revealed"],
    prepare: async (s) => to(await s.secret(), {}, "name"),
  },
  {
    operation: "deleteSecret",
    actions: ["secret.deleted"],
    events: ["secret.deleted"],
    prepare: async (s) => to(await s.secret(), {}, "name"),
  },
];
