// A random player in JavaScript, with only a socket and JSON, written from protocol.md.
//
//     tabnet tournament bots/greedy.py "cmd:node bots/plain.js"
//
// Environment variables say where to play: TABNET_HOST and TABNET_PORT, TABNET_NICK and
// TABNET_PASSWORD, and TABNET_JOIN, the line that requests a game. TABNET_GAMES is the number of
// games to play; without it, the bot stops when the server closes the connection.
"use strict";

const net = require("node:net");

const { TABNET_HOST, TABNET_PORT, TABNET_NICK, TABNET_PASSWORD, TABNET_JOIN } = process.env;
const GAMES = Number(process.env.TABNET_GAMES ?? Infinity);
const RECONNECT_LIMIT_MS = 60_000; // the time limit of attempts to reconnect to a game
const RETRY_DELAY_MS = 200;

let socket;
let seat = null; // the reply to the join, with the game and the nick
let isPlaying = false; // the game has begun
let hasActed = false; // the command that was expected has been sent
let endedGames = 0;
let lostAt = null;

function send(command) {
  socket.write(JSON.stringify(command) + "\n");
}

function connect() {
  socket = net.connect(Number(TABNET_PORT), TABNET_HOST ?? "127.0.0.1");
  socket.setNoDelay(true);
  socket.on("error", () => {}); // "close" follows
  socket.on("close", reconnect);
  socket.setEncoding("utf8");
  let partialLine = ""; // the beginning of a line that is not complete yet
  socket.on("data", (text) => {
    const lines = (partialLine + text).split("\n");
    partialLine = lines.pop();
    for (const line of lines) receive(JSON.parse(line));
  });
}

function reconnect() {
  if (!isPlaying) process.exit(0);
  lostAt ??= Date.now();
  if (Date.now() - lostAt > RECONNECT_LIMIT_MS) process.exit(1);
  setTimeout(connect, RETRY_DELAY_MS);
}

// Frames of other types, like presence, need no action.
function receive(frame) {
  if (frame.type === "hello") receiveHello();
  else if (frame.type === "reply") receiveReply(frame);
  else if (frame.type === "update" && frame.game === seat?.game) receiveUpdate(frame);
}

function receiveHello() {
  lostAt = null;
  hasActed = false;
  send({ cmd: "register", nick: TABNET_NICK, password: TABNET_PASSWORD });
  if (seat === null) socket.write(TABNET_JOIN + "\n");
  else send({ cmd: "update", game: seat.game }); // missed updates do not matter
}

function receiveReply(reply) {
  if (reply.error !== undefined) {
    const isOver = seat === null && reply.cmd !== "join" && reply.cmd !== "register";
    if (isOver) return; // the command came after the end of the game
    console.error(`${reply.cmd} was refused: ${reply.error}`);
    process.exit(1);
  } else if (reply.cmd === "join") {
    seat = reply;
  } else if (reply.cmd === "moves" && seat !== null && reply.moves.length > 0) {
    const move = reply.moves[Math.floor(Math.random() * reply.moves.length)];
    send({ cmd: "notify", game: seat.game, ...move });
  }
}

function receiveUpdate(update) {
  if ("winner" in update) return receiveEnd(update);
  isPlaying = true;
  if (update.event.type !== "draw") hasActed = false; // a draw offer requires no command
  if (hasActed || update.turn !== seat.nick || update.expects === null) return;
  hasActed = true;
  send({ cmd: update.expects === "notify" ? "moves" : update.expects, game: seat.game });
}

function receiveEnd(update) {
  seat = null;
  isPlaying = false;
  if ("result" in update) endedGames += 1; // without a result, the wait ended without an opponent
  if (endedGames === GAMES) socket.end();
  else socket.write(TABNET_JOIN + "\n");
}

connect();
