import { type AddressInfo, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

export interface SmtpServer {
  url: string;
  /** Every letter taken, as it came over the wire. */
  received: string[];
  /** Refuses the next `count` letters with 451. */
  refuseNext(count: number): void;
  close(): Promise<void>;
}

/** As much of an SMTP server (RFC 5321) as a client needs to hand over a letter. */
export async function smtpServer(): Promise<SmtpServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let refusals = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    converse(socket, (letter) => {
      if (refusals > 0) {
        refusals--;
        return "451 not now, ada";
      }
      received.push(letter);
      return "250 taken";
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

function converse(socket: Socket, take: (letter: string) => string): void {
  let letter: string[] | undefined;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say("220 test");
  socket.on("error", () => socket.destroy());
  createInterface({ input: socket }).on("line", (line) => {
    if (letter) {
      if (line !== ".") letter.push(line);
      else {
        say(take(letter.join("\n")));
        letter = undefined;
      }
      return;
    }
    const command = line.slice(0, 4).toUpperCase();
    if (command === "DATA") letter = [];
    say(command === "DATA" ? "354 go on" : command === "QUIT" ? "221 bye" : "250 ok");
  });
}
