// What travels: commands as POST /v1, and the stream of a match that mends itself.

const PATIENCE_MS = 15_000; // how long a reply is waited for
const PAUSES_MS = [300, 1000, 2000, 4000]; // before each attempt to come back; the last one again and again

/** The server has refused a command: its sentence, and its word for programs. */
export class Refused extends Error {
  constructor(reply) {
    super([reply.error, reply.hint].filter(Boolean).join(". "));
    this.code = reply.code ?? null;
  }
}

/** The server could not be reached; whether a command has come to it is not known. */
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

/** The reply to a command; a refusal is thrown. */
export async function ask(cmd, fields = {}) {
  const reply = await fetched("POST", JSON.stringify({ cmd, ...fields }));
  if ("error" in reply) throw new Refused(reply);
  return reply;
}

/** What the server says first: the games it knows, and who plays for the house. */
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
      reject(new Unreachable("The match could not be read to its end."));
    };
  });
}

/**
 * The frames of a match, each update once and in order, whatever happens to the network or the
 * server in between. `heard` gets them, `lost` is told whether the stream is gone or back, and
 * `ended` why there is nothing more to come.
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

  // EventSource would come back by itself from most accidents, but not from all, and not soon.
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

  // A stream cannot tell why it was refused; a command can.
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
