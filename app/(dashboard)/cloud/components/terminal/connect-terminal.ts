import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";
import { type EndMessage, endText } from "./terminal-end";

export interface TerminalView {
  setDark: (isDark: boolean) => void;
  /** Closes the terminal without calling `onEnd`. */
  close: () => void;
}

interface Connect {
  /** Of the terminal at svc. */
  path: string;
  isForScreenReader: boolean;
  isDark: boolean;
  onOpen: () => void;
  /** Called once with a sentence, unless the terminal was closed here. */
  onEnd: (why: string) => void;
  /** Called when the reader moves the focus out. */
  onLeave: () => void;
}

const PROTOCOL = "terminal.svc.v1";
/** svc accepts 64 KiB per message. */
const MESSAGE_BYTES = 16 * 1024;
const SCROLLBACK_LINES = 5000;
/** Of text and background (WCAG 2.2, 1.4.3). */
const CONTRAST = 4.5;
const LIGHT: ITheme = {
  background: "#ffffff",
  foreground: "#1b1f27",
  cursor: "#1b1f27",
  selectionBackground: "#c7d7fe",
};
const DARK: ITheme = {
  background: "#0b0d12",
  foreground: "#e6e8ee",
  cursor: "#e6e8ee",
  selectionBackground: "#36406a",
};
const themeOf = (isDark: boolean): ITheme => (isDark ? DARK : LIGHT);

/** Shows a terminal in an element that is empty, and connects it. */
export function connectTerminal(box: HTMLElement, connect: Connect): TerminalView {
  const terminal = new Terminal({
    fontSize: 13,
    scrollback: SCROLLBACK_LINES,
    screenReaderMode: connect.isForScreenReader,
    theme: themeOf(connect.isDark),
    minimumContrastRatio: CONTRAST,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(box);
  fit.fit();
  const socket = openSocket(connect.path, terminal);
  const watch = new ResizeObserver(() => fit.fit());
  watch.observe(box);
  terminal.attachCustomKeyEventHandler((event) => {
    const leaves = event.ctrlKey && event.shiftKey && event.key === "Enter";
    if (leaves && event.type === "keydown") connect.onLeave();
    return !leaves;
  });
  const listening = listen(socket, terminal, connect);
  return {
    setDark: (isDark) => {
      terminal.options.theme = themeOf(isDark);
    },
    close: () => {
      listening.abort();
      watch.disconnect();
      socket.close();
      terminal.dispose();
    },
  };
}

function openSocket(path: string, { cols, rows }: Terminal): WebSocket {
  const url = new URL(`${path}?columns=${cols}&rows=${rows}`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url, PROTOCOL);
  socket.binaryType = "arraybuffer";
  return socket;
}

function listen(socket: WebSocket, terminal: Terminal, { onOpen, onEnd }: Connect): AbortController {
  const listening = new AbortController();
  const { signal } = listening;
  let message: EndMessage | undefined;
  let wasOpen = false;
  const sendSize = () => send(socket, JSON.stringify({ type: "resize", columns: terminal.cols, rows: terminal.rows }));
  const open = () => {
    wasOpen = true;
    sendSize();
    terminal.focus();
    onOpen();
  };
  const receive = ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === "string") message = JSON.parse(data) as EndMessage;
    else terminal.write(new Uint8Array(data));
  };
  socket.addEventListener("open", open, { signal });
  socket.addEventListener("message", receive, { signal });
  socket.addEventListener("close", ({ code }) => onEnd(endText({ message, code, wasOpen })), { signal });
  terminal.onData((text) => sendBytes(socket, new TextEncoder().encode(text)));
  terminal.onBinary((text) =>
    sendBytes(
      socket,
      Uint8Array.from(text, (character) => character.charCodeAt(0)),
    ),
  );
  terminal.onResize(sendSize);
  return listening;
}

function sendBytes(socket: WebSocket, bytes: Uint8Array<ArrayBuffer>): void {
  for (let at = 0; at < bytes.length; at += MESSAGE_BYTES) send(socket, bytes.subarray(at, at + MESSAGE_BYTES));
}

function send(socket: WebSocket, message: string | Uint8Array<ArrayBuffer>): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(message);
}
