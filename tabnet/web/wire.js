// Requests to the server: commands as POST /v1, and the stream of a match, which reconnects by itself.

const PATIENCE_MS = 15_000; // the timeout of a reply
const PAUSES_MS = [300, 1000, 2000, 4000]; // before each attempt to reconnect; the last one repeats

/** The refusal of a command, with its code. */
export class Refused extends Error {
  constructor(reply) {
    super([reply.error, reply.hint].filter(Boolean).join(". "));
    this.code = reply.code ?? null;
  }
}

/** The server could not be reached; it may or may not have received the command. */
export class Unreachable extends Error {}

async function fetched(method, body) {
  let response;
  try {
    response = await fetch("v1", { method, body, signal: AbortSignal.timeout(PATIENCE_MS) });
    return await response.json();
  } catch {
    throw new Unreachable("The server cannot be reached.");
  }
}

/** Send a command and return its reply; throws a refusal. */
export async function ask(cmd, fields = {}) {
  const reply = await fetched("POST", JSON.stringify({ cmd, ...fields }));
  if ("error" in reply) throw new Refused(reply);
  return reply;
}

/** The greeting of the server: its games and its bots. */
export const hello = () => fetched("GET");

const source = (fields) => {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return new EventSource(`v1/updates?${new URLSearchParams(given)}`);
};

/** Every update of a match, from its first. */
export function history(game, through) {
  return new Promise((resolve, reject) => {
    const updates = [];
    const stream = source({ game, since: 0 });
    stream.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      if (frame.type !== "update") return;
      updates.push(frame);
      if (frame.seq < through) return;
      stream.close();
      resolve(updates);
    };
    stream.onerror = () => {
      stream.close();
      reject(new Unreachable("The match could not be loaded completely."));
    };
  });
}

/**
 * The frames of a match, each update once and in order, despite interruptions. `heard` receives
 * each frame, `lost` receives whether the connection is lost or back, and `ended` receives the
 * reason of the end.
 */
export class Stream {
  #attempts = 0;
  #closed = false;
  #source = null;
  #timer = null;

  constructor({ game, token, since = null }, { heard, lost, ended }) {
    Object.assign(this, { game, token, since, heard, lost, ended });
    window.addEventListener("offline", this.#interrupted);
    window.addEventListener("online", this.#hurry);
    this.#open();
  }

  close() {
    this.#closed = true;
    this.#drop();
    window.removeEventListener("offline", this.#interrupted);
    window.removeEventListener("online", this.#hurry);
  }

  #drop() {
    this.#source?.close();
    clearTimeout(this.#timer);
  }

  #open() {
    this.#source = source({ game: this.game, token: this.token, since: this.since });
    this.#source.onopen = () => {
      if (this.#attempts > 0) this.lost(false);
      this.#attempts = 0;
    };
    this.#source.onmessage = ({ data }) => this.#take(JSON.parse(data));
    this.#source.onerror = this.#interrupted;
  }

  #take(frame) {
    if (frame.type === "update") {
      if (this.since !== null && frame.seq <= this.since) return;
      this.since = frame.seq;
      if ("winner" in frame) this.close();
    }
    this.heard(frame);
  }

  // EventSource reconnects by itself after most failures, but not after all, and not soon.
  #interrupted = () => {
    this.#drop();
    this.lost(true);
    const pause = PAUSES_MS[Math.min(this.#attempts++, PAUSES_MS.length - 1)];
    this.#timer = setTimeout(this.#return, pause);
  };

  #hurry = () => {
    this.#drop();
    this.#return();
  };

  // A stream cannot report why it was refused; a command can.
  #return = async () => {
    try {
      await ask("state", { game: this.game, ...(this.token && { token: this.token }) });
    } catch (error) {
      if (this.#closed) return;
      if (error instanceof Unreachable || error.code === null) return this.#interrupted();
      this.close();
      return this.ended(error);
    }
    if (!this.#closed) this.#open();
  };
}
