import { type AddressInfo, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

export interface SmtpServer {
  url: string;
  /** Every email accepted, as it was transmitted. */
  received: string[];
  /** Rejects the next `count` emails with 451. */
  refuseNext(count: number): void;
  close(): Promise<void>;
}

/** As much of an SMTP server (RFC 5321) as a client needs to deliver an email. */
export async function smtpServer(): Promise<SmtpServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let refusals = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    converse(socket, (email) => {
      if (refusals > 0) {
        refusals--;
        return "451 not now, ada";
      }
      received.push(email);
      return "250 accepted";
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    refuseNext: (count) => {
      refusals = count;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function converse(socket: Socket, take: (email: string) => string): void {
  let email: string[] | undefined;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say("220 test");
  socket.on("error", () => socket.destroy());
  createInterface({ input: socket }).on("line", (line) => {
    if (email) {
      if (line !== ".") email.push(line);
      else {
        say(take(email.join("\n")));
        email = undefined;
      }
      return;
    }
    const command = line.slice(0, 4).toUpperCase();
    if (command === "DATA") email = [];
    say(command === "DATA" ? "354 go on" : command === "QUIT" ? "221 bye" : "250 ok");
  });
}
