// Requests to the server: commands as POST /v1, and the stream of a match, which reconnects.

import { describeRefusal } from "./refusals.js";
import { getText } from "./texts.js";

const TIMEOUT_MS = 15_000; // the timeout of a reply
/** The delays before each attempt to reconnect; the last one repeats. */
const RETRY_DELAYS_MS = [300, 1000, 2000, 4000];

export class RefusedError extends Error {
  constructor(reply) {
    super(describeRefusal({ ...reply, text: reply.error }));
    this.code = reply.code ?? null;
  }
}

/** The server could not be reached; it may or may not have received the command. */
export class UnreachableError extends Error {}

async function sendRequest(method, body) {
  try {
    const response = await fetch("v1", { method, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return await response.json();
  } catch {
    throw new UnreachableError(getText("error.unreachable"));
  }
}

/** Send a command and return its reply; throw a RefusedError if the server refuses it. */
export async function sendCommand(cmd, fields = {}) {
  const reply = await sendRequest("POST", JSON.stringify({ cmd, ...fields }));
  if ("error" in reply) throw new RefusedError(reply);
  return reply;
}

/** Return the greeting of the server: its games and its bots. */
export const fetchGreeting = () => sendRequest("GET");

const openEventSource = (fields) => {
  const presentFields = Object.entries(fields).filter(([, value]) => (value ?? null) !== null);
  return new EventSource(`v1/updates?${new URLSearchParams(presentFields)}`);
};

/** Return every update of a match, from the first to `lastSeq`. */
export function fetchUpdates(game, lastSeq) {
  return new Promise((resolve, reject) => {
    const updates = [];
    const stream = openEventSource({ game, since: 0 });
    stream.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      if (frame.type !== "update") return;
      updates.push(frame);
      if (frame.seq < lastSeq) return;
      stream.close();
      resolve(updates);
    };
    stream.onerror = () => {
      stream.close();
      reject(new UnreachableError(getText("error.unreachable")));
    };
  });
}

/**
 * The frames of a match, each update once and in order, despite interruptions. `onFrame` receives
 * each frame, `onConnectionChange` receives true when the connection is lost and false when it is
 * back, and `onEnd` receives the error that ends the stream.
 */
export class MatchStream {
  #attempts = 0;
  #isClosed = false;
  #source = null;
  #timer = null;

  constructor({ game, token, since = null }, { onFrame, onConnectionChange, onEnd }) {
    Object.assign(this, { game, token, since, onFrame, onConnectionChange, onEnd });
    window.addEventListener("offline", this.#retryLater);
    window.addEventListener("online", this.#retryNow);
    this.#connect();
  }

  close() {
    this.#isClosed = true;
    this.#disconnect();
    window.removeEventListener("offline", this.#retryLater);
    window.removeEventListener("online", this.#retryNow);
  }

  #disconnect() {
    this.#source?.close();
    clearTimeout(this.#timer);
  }

  #connect() {
    const { game, token, since } = this;
    this.#source = openEventSource({ game, token, since });
    this.#source.onopen = () => {
      if (this.#attempts > 0) this.onConnectionChange(false);
      this.#attempts = 0;
    };
    this.#source.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    this.#source.onerror = this.#retryLater;
  }

  #receive(frame) {
    if (frame.type === "update") {
      if (this.since !== null && frame.seq <= this.since) return;
      this.since = frame.seq;
      if ("winner" in frame) this.close();
    }
    this.onFrame(frame);
  }

  // EventSource reconnects after most failures only, and not soon.
  #retryLater = () => {
    this.#disconnect();
    this.onConnectionChange(true);
    const delay = RETRY_DELAYS_MS[Math.min(this.#attempts++, RETRY_DELAYS_MS.length - 1)];
    this.#timer = setTimeout(this.#reconnect, delay);
  };

  #retryNow = () => {
    this.#disconnect();
    this.#reconnect();
  };

  // A stream cannot report why the server refuses it; a command can.
  #reconnect = async () => {
    try {
      await sendCommand("state", { game: this.game, ...(this.token && { token: this.token }) });
    } catch (error) {
      if (this.#isClosed) return;
      if (error instanceof UnreachableError || error.code === null) return this.#retryLater();
      this.close();
      return this.onEnd(error);
    }
    if (!this.#isClosed) this.#connect();
  };
}
