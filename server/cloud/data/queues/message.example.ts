import { EXAMPLE_TIME, exampleId } from "../../../operation/example";
import type { Message, PeekedMessage } from "./message";
import { EXAMPLE_RECEIPT } from "./queue.example";

const shown = {
  id: exampleId("msg"),
  body: { to: "ada@example.com", template: "welcome" },
  group_id: "user-42",
  receive_count: 1,
  sent_at: EXAMPLE_TIME,
};

export const messageExample: Message = { ...shown, receipt: EXAMPLE_RECEIPT };

export const peekedMessageExample: PeekedMessage = { ...shown, receive_count: 0, state: "waiting" };
