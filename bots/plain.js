// A random player in JavaScript, with nothing but a socket and JSON: protocol.md is enough.
//
//     tabnet tournament bots/greedy.py "cmd:node bots/plain.js"
//
// Who starts it says in the environment where to play: TABNET_HOST and TABNET_PORT, TABNET_NICK
// and TABNET_PASSWORD, TABNET_JOIN, the line that asks for a game, and TABNET_GAMES, after how
// many of them to stop; without, it stops when the server hangs up.
"use strict";

const net = require("node:net");

const { TABNET_HOST, TABNET_PORT, TABNET_NICK, TABNET_PASSWORD, TABNET_JOIN } = process.env;
const GAMES = Number(process.env.TABNET_GAMES ?? Infinity);
const PATIENCE_MS = 60_000; // how long to try to come back into a game
const PAUSE_MS = 200;

let socket;
let seat = null; // the reply to the join: its game, and the nick to play under
let playing = false; // the game has begun
let acted = false; // the command that was expected has been sent
let ended = 0;
let lostAt = null;

function send(command) {
  socket.write(JSON.stringify(command) + "\n");
}

function connect() {
  socket = net.connect(Number(TABNET_PORT), TABNET_HOST ?? "127.0.0.1");
  socket.setNoDelay(true);
  socket.on("error", () => {}); // "close" follows
  socket.on("close", lost);
  socket.setEncoding("utf8");
  let rest = ""; // of a line whose end has not come; with the connection it is lost
  socket.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) take(JSON.parse(line));
  });
}

function lost() {
  if (!playing) process.exit(0);
  lostAt ??= Date.now();
  if (Date.now() - lostAt > PATIENCE_MS) process.exit(1);
  setTimeout(connect, PAUSE_MS);
}

// Frames of other types, like presence, are nothing to act upon.
function take(frame) {
  if (frame.type === "hello") takeHello();
  else if (frame.type === "reply") takeReply(frame);
  else if (frame.type === "update" && frame.game === seat?.game) takeUpdate(frame);
}

function takeHello() {
  lostAt = null;
  acted = false;
  send({ cmd: "register", nick: TABNET_NICK, password: TABNET_PASSWORD });
  if (seat === null) socket.write(TABNET_JOIN + "\n");
  else send({ cmd: "update", game: seat.game }); // what has been missed does not matter
}

function takeReply(reply) {
  if (reply.error !== undefined) {
    if (seat === null && reply.cmd !== "join" && reply.cmd !== "register") return; // came too late
    console.error(`${reply.cmd} was refused: ${reply.error}`);
    process.exit(1);
  } else if (reply.cmd === "join") {
    seat = reply;
  } else if (reply.cmd === "moves" && seat !== null && reply.moves.length > 0) {
    const move = reply.moves[Math.floor(Math.random() * reply.moves.length)];
    send({ cmd: "notify", game: seat.game, ...move });
  }
}

function takeUpdate(update) {
  if ("winner" in update) return takeEnd(update);
  playing = true;
  if (update.event.type !== "draw") acted = false; // a draw offered asks for nothing anew
  if (acted || update.turn !== seat.nick || update.expects === null) return;
  acted = true;
  send({ cmd: update.expects === "notify" ? "moves" : update.expects, game: seat.game });
}

function takeEnd(update) {
  seat = null;
  playing = false;
  if ("result" in update) ended += 1; // else nobody had come, and the wait was over
  if (ended === GAMES) socket.end();
  else socket.write(TABNET_JOIN + "\n");
}

connect();
